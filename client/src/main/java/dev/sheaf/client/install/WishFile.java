package dev.sheaf.client.install;

import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ByHand;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// The wanted bundles of a project: `sheaf-install.json`, which people may edit. Immutable.
///
/// @param wishes the wishes by bundle
record WishFile(SortedMap<String, WantedBundle> wishes) {
    static final String NAME = "sheaf-install.json";
    static final WishFile EMPTY = new WishFile(new TreeMap<>());
    static final int MOST = 1_000;
    private static final int SCHEMA = 1;
    private static final int LONGEST = 4 << 20;
    private static final Set<String> MEMBERS = Set.of("registry", "range", "skills", "agents", "mode");

    static WishFile of(Collection<WantedBundle> wishes) {
        var sorted = new TreeMap<String, WantedBundle>();
        wishes.forEach(wish -> sorted.put(wish.bundle().toString(), wish));
        return new WishFile(sorted);
    }

    Optional<WantedBundle> find(RepositoryName bundle) {
        return Optional.ofNullable(wishes.get(bundle.toString()));
    }

    WishFile with(WantedBundle wish) {
        var other = new TreeMap<>(wishes);
        other.put(wish.bundle().toString(), wish);
        return new WishFile(other);
    }

    WishFile without(RepositoryName bundle) {
        var other = new TreeMap<>(wishes);
        other.remove(bundle.toString());
        return new WishFile(other);
    }

    /// Reads the file; [#EMPTY] if it does not exist.
    ///
    /// @throws SheafException.Local if it is malformed
    static WishFile read(Path file) {
        var text = StateFile.read(file, LONGEST);
        if (text.isEmpty()) {
            return EMPTY;
        }
        try {
            return parse(text.get());
        } catch (ProblemException | SheafException.Server | IllegalArgumentException e) {
            throw new SheafException.Local(file + " cannot be used: " + e.getMessage(), e);
        }
    }

    static WishFile parse(String text) {
        var document = WireJson.strict(text.getBytes(StandardCharsets.UTF_8));
        if (ByHand.number(document, "version") != SCHEMA) {
            throw new IllegalArgumentException("it has version " + document.path("version")
                    + ", but this program only supports version " + SCHEMA + "; update sheaf");
        }
        var bundles = document.path("bundles");
        if (!bundles.isObject() || bundles.size() > MOST) {
            throw new IllegalArgumentException("\"bundles\" must be an object of at most " + MOST + " bundles");
        }
        return of(bundles.properties().stream()
                .map(bundle -> wish(bundle.getKey(), bundle.getValue()))
                .toList());
    }

    private static WantedBundle wish(String ref, JsonNode node) {
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            if (!MEMBERS.contains(member.getKey())) {
                throw new IllegalArgumentException(ref + " has the member \"" + member.getKey()
                        + "\", which is unknown; known members are " + String.join(", ", new TreeSet<>(MEMBERS)));
            }
        }
        var agents = ByHand.list(
                node, "agents", agent -> Agents.named(agent.asString("")).id());
        if (agents == null || agents.isEmpty()) {
            throw new IllegalArgumentException(ref + " has no agents");
        }
        var things = ByHand.list(node, "skills", thing -> ThingName.parse(thing.asString("")));
        return new WantedBundle(
                RegistryUrl.parse(text(ref, node, "registry")),
                RepositoryName.parse(ref),
                WantedBundle.range(text(ref, node, "range")),
                things == null ? new TreeSet<>() : new TreeSet<>(things),
                new TreeSet<>(agents),
                isLink(text(ref, node, "mode")));
    }

    private static boolean isLink(String mode) {
        return switch (mode) {
            case "link" -> true;
            case "copy" -> false;
            default -> throw new IllegalArgumentException("\"mode\" must be copy or link");
        };
    }

    private static String text(String ref, JsonNode node, String member) {
        String text = ByHand.text(node, member);
        if (text == null) {
            throw new IllegalArgumentException(ref + " lacks \"" + member + "\"");
        }
        return text;
    }

    /// Returns the document: one line for each bundle, so that a merge keeps complete entries, and a conflict can
    /// be resolved by keeping lines.
    String text() {
        String bundles = wishes.values().stream().map(WishFile::line).collect(Collectors.joining(",\n"));
        return "{\n  \"version\": " + SCHEMA + ",\n  \"bundles\": {"
                + (bundles.isEmpty() ? "" : "\n" + bundles + "\n  ") + "}\n}\n";
    }

    private static String line(WantedBundle wish) {
        return "    " + WireJson.text(wish.bundle().toString())
                + ": {\"range\": " + WireJson.text(wish.range().toString())
                + (wish.things().isEmpty() ? "" : ", \"skills\": " + list(wish.things()))
                + ", \"agents\": " + list(wish.agents())
                + ", \"mode\": \"" + (wish.link() ? "link" : "copy")
                + "\", \"registry\": " + WireJson.text(wish.registry().toString()) + "}";
    }

    private static String list(Collection<?> values) {
        return values.stream()
                .map(value -> WireJson.text(value.toString()))
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
