package dev.sheaf.client.install;

import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.ContentKind;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.ServerForm;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.client.io.YamlNode;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The state of an installation: `sheaf-install.lock`. It is a sorted YAML document, with each member on its
/// own line and without times, so that version control can merge it and the same content gives the same bytes.
/// It is untrusted: it can only name places that agent programs read. Immutable.
///
/// @param entries the entries by bundle
record InstallLock(SortedMap<String, LockedBundle> entries) {
    static final String NAME = "sheaf-install.lock";
    /// The file with the lock as it was last installed on this machine.
    static final String RECEIPT = ".sheaf/installed.lock";
    /// The file that keeps the receipt out of version control.
    static final String IGNORE = ".sheaf/.gitignore";

    static final InstallLock EMPTY = new InstallLock(new TreeMap<>());
    private static final int SCHEMA = 1;
    private static final int LONGEST = 16 << 20;
    private static final String HEAD =
            "# Written by `sheaf add`, `install`, `update` and `remove`. Keep it under version control; do not edit it.\n";

    static InstallLock of(Collection<LockedBundle> entries) {
        var sorted = new TreeMap<String, LockedBundle>();
        entries.forEach(entry -> sorted.put(entry.bundle().toString(), entry));
        return new InstallLock(sorted);
    }

    /// Returns the bundles that require one of these, directly or through others.
    SortedSet<String> dependents(Collection<RepositoryName> bundles) {
        var found = new TreeSet<String>();
        var next = new ArrayDeque<>(bundles);
        while (!next.isEmpty()) {
            find(next.remove()).map(LockedBundle::requiredBy).orElse(new TreeSet<>()).stream()
                    .filter(found::add)
                    .map(RepositoryName::parse)
                    .forEach(next::add);
        }
        return found;
    }

    Optional<LockedBundle> find(RepositoryName bundle) {
        return Optional.ofNullable(entries.get(bundle.toString()));
    }

    /// Reads a lock; [#EMPTY] if the file does not exist.
    ///
    /// @throws SheafException.Conflict if it contains conflict markers of a merge
    /// @throws SheafException.Local if it is malformed, with the line
    static InstallLock read(Path file, InstallLevel level) {
        var text = StateFile.read(file, LONGEST);
        if (text.isEmpty()) {
            return EMPTY;
        }
        try {
            return parse(text.get(), level);
        } catch (YamlNode.Wrong e) {
            throw new SheafException.Local(
                    file + ":" + e.line() + ": " + e.getMessage() + ". Nothing was done. Restore the file"
                            + " (git checkout " + file.getFileName() + "), or remove it and install again",
                    e);
        }
    }

    /// Returns the lock as it was last installed here; empty if it is unknown or unreadable.
    static Optional<InstallLock> receipt(Path root, InstallLevel level) {
        try {
            return StateFile.read(root.resolve(RECEIPT), LONGEST).map(text -> parse(text, level));
        } catch (YamlNode.Wrong | SheafException e) {
            return Optional.empty();
        }
    }

    static InstallLock parse(String text, InstallLevel level) {
        var root = YamlNode.parse(text);
        var schema = root.member("lockVersion");
        if (!schema.text().equals(Integer.toString(SCHEMA))) {
            throw schema.wrong("this lock has version " + schema.text() + ", but this program only supports version "
                    + SCHEMA + "; update sheaf");
        }
        var bundles = root.member("bundles");
        var entries = new TreeMap<String, LockedBundle>();
        if (!bundles.isNull()) {
            bundles.members().forEach((name, node) -> entries.put(name, entry(name, node, level)));
        }
        return new InstallLock(entries);
    }

    private static LockedBundle entry(String name, YamlNode node, InstallLevel level) {
        try {
            var things = new TreeMap<ThingName, LockedBundle.Placed>();
            node.member("things").members().forEach((thing, placed) -> {
                var key = ThingName.parse(thing);
                if (key.kind() == ContentKind.PLUGIN && !key.name().equals(name)) {
                    throw placed.wrong(key + " is refused: " + name + " cannot be another plugin");
                }
                things.put(key, placed(key, placed, level));
            });
            return new LockedBundle(
                    RegistryUrl.parse(node.member("registry").text()),
                    RepositoryName.parse(name),
                    WantedBundle.range(node.member("range").text()),
                    Version.parse(node.member("version").text()),
                    Digest.parse(node.member("manifest").text()),
                    things,
                    requiredBy(node));
        } catch (ProblemException e) {
            throw node.wrong("this entry is malformed: " + e.getMessage());
        }
    }

    private static SortedSet<String> requiredBy(YamlNode node) {
        var names = new TreeSet<String>();
        var sent = node.members().get("requiredBy");
        if (sent != null) {
            sent.items()
                    .forEach(name -> names.add(RepositoryName.parse(name.text()).toString()));
        }
        return names;
    }

    private static LockedBundle.Placed placed(ThingName name, YamlNode node, InstallLevel level) {
        var places = new TreeSet<String>();
        boolean link = false;
        for (var place : node.member("places").members().entrySet()) {
            if (!Agents.isPlaceOf(name, place.getKey(), level)) {
                throw place.getValue()
                        .wrong("\"" + place.getKey() + "\" is refused: no known program reads it for " + name);
            }
            places.add(place.getKey());
            link |= place.getValue().text().equals("link");
        }
        var thing = new BundlePart(name, files(name, node.member("files")));
        var placed = new LockedBundle.Placed(thing, places, link);
        node.member("places").members().forEach((place, mode) -> {
            if (!mode.text().equals(placed.isLink(place) ? "link" : "copy")) {
                throw mode.wrong(place + " is neither a copy nor a link to the first place");
            }
        });
        if (places.isEmpty() || thing.files().isEmpty() || !places.stream().allMatch(thing::fits)) {
            throw node.wrong(name + " has no places or no files for them");
        }
        var digest = node.member("digest");
        if (!digest.text().equals(thing.digest().toString())) {
            throw digest.wrong("the files of " + name + " do not match its digest; they were edited, or a merge mixed"
                    + " two versions");
        }
        return placed;
    }

    private static SortedMap<String, BundlePart.Piece> files(ThingName name, YamlNode node) {
        var files = new TreeMap<String, BundlePart.Piece>();
        node.members().forEach((path, piece) -> files.put(path, BundlePart.Piece.parse(piece.text())));
        if (name.kind() == ContentKind.MCP) {
            var forms = new TreeSet<String>();
            EnumSet.allOf(ServerForm.class).forEach(form -> forms.add(form.toString()));
            if (!forms.containsAll(files.keySet())) {
                throw node.wrong(name + " is a server, whose entries have the forms " + String.join(", ", forms));
            }
            return files;
        }
        if (name.kind() != ContentKind.SKILL && name.kind() != ContentKind.PLUGIN) {
            if (files.size() != 1 || !files.containsKey("")) {
                throw node.wrong(name + " is a single file, whose path must be empty");
            }
            return files;
        }
        var broken =
                PathRules.check(files.keySet().stream().map(LogicalPath::new).toList());
        if (!broken.isEmpty()) {
            throw node.wrong(broken.getFirst().detail());
        }
        return files;
    }

    /// Returns the document.
    String text() {
        var text = new StringBuilder(HEAD).append("lockVersion: ").append(SCHEMA);
        text.append(entries.isEmpty() ? "\nbundles: {}\n" : "\nbundles:\n");
        for (LockedBundle entry : entries.values()) {
            text.append("  ").append(quoted(entry.bundle())).append(":\n");
            word(text, 2, "registry", entry.registry());
            word(text, 2, "range", entry.range());
            word(text, 2, "version", entry.version());
            word(text, 2, "manifest", entry.manifest());
            if (!entry.requiredBy().isEmpty()) {
                text.append(entry.requiredBy().stream()
                        .map(InstallLock::quoted)
                        .collect(Collectors.joining(", ", "    requiredBy: [", "]\n")));
            }
            text.append("    things:").append(entry.things().isEmpty() ? " {}\n" : "\n");
            entry.things().values().forEach(placed -> thing(text, placed));
        }
        return text.toString();
    }

    private static void thing(StringBuilder text, LockedBundle.Placed placed) {
        text.append("      ").append(quoted(placed.thing().name())).append(":\n");
        word(text, 4, "digest", placed.thing().digest());
        text.append("        places:\n");
        for (String place : placed.places()) {
            word(text, 5, quoted(place), placed.isLink(place) ? "link" : "copy");
        }
        text.append("        files:\n");
        placed.thing().files().forEach((path, piece) -> word(text, 5, quoted(path), piece));
    }

    private static void word(StringBuilder text, int depth, String word, Object value) {
        text.append("  ".repeat(depth))
                .append(word)
                .append(": ")
                .append(quoted(value))
                .append('\n');
    }

    /// Returns a JSON string, which is also a YAML string (YAML 1.2, section 1.2).
    private static String quoted(Object value) {
        return WireJson.text(value.toString());
    }
}
