package dev.sheaf.client.lock;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.LockEntry;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.OwnFile;
import dev.sheaf.client.io.OwnerOnly;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.client.io.YamlNode;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A `sheaf.lock`: it pins references to versions, so that everyone gets the same content. It is a sorted YAML
/// document with each asset on its own line, so that version control can merge it. The same content gives the
/// same bytes. Immutable.
///
/// @param entries sorted by reference, then by registry; one entry for each pair
public record LockFile(List<LockEntry> entries) {
    /// The schema that this program reads and writes.
    public static final int SCHEMA = 1;

    private static final Comparator<LockEntry> ORDER = Comparator.comparing(
                    (LockEntry entry) -> entry.reference().toString())
            .thenComparing(entry -> entry.registry().toString());
    /// The limit in bytes, enough for a hundred bundles with a thousand files each.
    private static final int LONGEST = 16 << 20;

    private static final String HEAD = "# Written by `sheaf lock`. Keep it under version control; do not edit it.\n";

    /// A lock file without entries. It is declared after the order, which its constructor needs.
    public static final LockFile EMPTY = new LockFile(List.of());

    public LockFile {
        entries = entries.stream().sorted(ORDER).toList();
    }

    /// Returns the entry for this reference; empty if there is none.
    public Optional<LockEntry> find(RegistryUrl registry, Reference reference) {
        return entries.stream()
                .filter(entry ->
                        entry.registry().equals(registry) && entry.reference().equals(reference))
                .findFirst();
    }

    /// Returns a copy with this entry in place of an older one. If both have the same content, the older time
    /// is kept.
    public LockFile with(LockEntry entry) {
        var older = find(entry.registry(), entry.reference());
        if (older.isPresent() && older.get().means(entry)) {
            return this;
        }
        var others = new ArrayList<>(entries);
        older.ifPresent(others::remove);
        others.add(entry);
        return new LockFile(others);
    }

    /// Returns a copy without the entry for that reference.
    public LockFile without(RegistryUrl registry, Reference reference) {
        var others = new ArrayList<>(entries);
        find(registry, reference).ifPresent(others::remove);
        return new LockFile(others);
    }

    /// Reads the lock file; [#EMPTY] if it does not exist.
    ///
    /// @throws SheafException.Local if it is unreadable or malformed, with the line, or if a newer version wrote
    /// it
    /// @throws SheafException.InvalidRequest if it is a link, not a regular file, or longer than 16 MiB
    public static LockFile read(Path file) {
        try {
            return parse(text(file));
        } catch (NoSuchFileException e) {
            return EMPTY;
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read the lock file " + file, e);
        } catch (YamlNode.Wrong e) {
            throw new SheafException.Local(
                    file + ":" + e.line() + ": " + e.getMessage()
                            + ". To create a new one, remove it and lock again; after a merge, take either side first",
                    e);
        }
    }

    private static String text(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        return OwnFile.read(folder == null ? file.toAbsolutePath() : folder, file.toAbsolutePath(), LONGEST);
    }

    static LockFile parse(String text) {
        var root = YamlNode.parse(text);
        var schema = root.member("lockVersion");
        if (!schema.text().equals(Integer.toString(SCHEMA))) {
            throw schema.wrong("this lock file has version " + schema.text()
                    + ", but this program only supports version " + SCHEMA + "; update sheaf");
        }
        var bundles = root.member("bundles");
        return new LockFile(
                bundles.isNull()
                        ? List.of()
                        : bundles.items().stream().map(LockFile::entry).toList());
    }

    private static LockEntry entry(YamlNode node) {
        try {
            return new LockEntry(
                    Reference.parse(node.member("reference").text()),
                    RegistryUrl.parse(node.member("registry").text()),
                    Version.parse(node.member("version").text()),
                    Digest.parse(node.member("manifest").text()),
                    Instant.parse(node.member("resolved").text()),
                    node.member("assets").members().entrySet().stream()
                            .map(asset -> asset(asset.getKey(), asset.getValue().items()))
                            .toList());
        } catch (ProblemException | DateTimeException | IndexOutOfBoundsException | NumberFormatException e) {
            throw node.wrong("this entry is malformed: " + e.getMessage());
        }
    }

    private static Asset asset(String path, List<YamlNode> values) {
        long size = Long.parseLong(values.get(1).text());
        if (size < 0) {
            throw new NumberFormatException("the length of " + path + " is negative");
        }
        var file = new LogicalPath(path);
        var blob = new Blob(Digest.parse(values.get(0).text()), size);
        return new Asset(file, AssetType.infer(file), blob, mode(values));
    }

    private static @Nullable Boolean mode(List<YamlNode> values) {
        if (values.size() < 3) {
            return null;
        }
        return switch (values.get(2).text()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw values.get(2).wrong("the executable mark must be true or false");
        };
    }

    /// Returns the document.
    public String text() {
        var text = new StringBuilder(HEAD).append("lockVersion: ").append(SCHEMA);
        text.append(entries.isEmpty() ? "\nbundles: []\n" : "\nbundles:\n");
        for (LockEntry entry : entries) {
            text.append("  - reference: ").append(quoted(entry.reference()));
            text.append("\n    registry: ").append(quoted(entry.registry()));
            text.append("\n    version: ").append(quoted(entry.version()));
            text.append("\n    manifest: ").append(quoted(entry.manifest()));
            text.append("\n    resolved: ").append(quoted(entry.resolved()));
            text.append("\n    assets:\n");
            for (Asset asset : entry.assets()) {
                text.append("      ").append(quoted(asset.path().value())).append(": [");
                text.append(quoted(asset.digest()))
                        .append(", ")
                        .append(asset.size())
                        .append(asset.executable() == null ? "" : ", " + asset.executable())
                        .append("]\n");
            }
        }
        return text.toString();
    }

    /// Returns a JSON string, which is also a YAML string (YAML 1.2, section 1.2).
    private static String quoted(Object value) {
        return WireJson.text(value.toString());
    }

    /// Writes the file atomically if its bytes change.
    public void write(Path file) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder == null || !Files.isDirectory(folder)) {
                throw new SheafException.Local(
                        "cannot write the lock file " + file + ": the folder " + folder + " does not exist", null);
            }
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && text(file).equals(text())) {
                return;
            }
            Path fresh = Files.createTempFile(folder, ".sheaf-lock", "");
            try {
                Files.writeString(fresh, text());
                OwnerOnly.shareAsUsual(fresh);
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw DiskFailures.failed("cannot write the lock file " + file, e);
        }
    }
}
