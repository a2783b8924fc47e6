package dev.sheaf.server.testing.program;

import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/// An installation and a client's files as the first version 0.1.0 made them, which stay usable for ever. Its bundles
/// are in the organization `default`, namespace `acme`:
///
/// ```
/// kit                 1.0.0, 1.1.0 yanked, 2.0.0-rc.1, 2.0.0+build.7; tags stable and pinned, latest set by hand
/// odd0 ... odd9       a path each that later rules refuse, from .git/config to one with a zero-width space
/// clash               the paths a and a/b
/// ocititles           by OCI, with titles that differ in case, and ../evil
/// ocilatest, image    by OCI: latest that is no version; no version at all
/// nul, bin, draft     text with NUL; binary content; working assets only
/// gone, login         a deleted version; a name that is a word of the API
/// ```
///
/// There are the namespaces `mcp`, `image`, `new` and `metrics`, too, and a second organization, of the key `rival`.
public final class OldInstallation {
    private static final String ADDRESS = "127.0.0.1:18095";

    private final Path root;
    private final Map<String, String> known;

    private OldInstallation(Path root) throws IOException {
        this.root = root;
        this.known = new TreeMap<>();
        JsonMapper.shared()
                .readTree(root.resolve("digests-and-keys.json").toFile())
                .properties()
                .forEach(entry -> known.put(entry.getKey(), entry.getValue().stringValue()));
    }

    /// A copy of its own in `folder`, which is empty.
    public static OldInstallation in(Path folder) throws IOException, InterruptedException {
        try (var packed = Objects.requireNonNull(
                OldInstallation.class.getResourceAsStream("/old/sheaf-0.1.0.tar.gz"), "the old installation")) {
            Files.createDirectories(folder);
            var tar = new ProcessBuilder("tar", "-xzf", "-", "--strip-components=1", "-C", folder.toString())
                    .inheritIO()
                    .redirectInput(ProcessBuilder.Redirect.PIPE)
                    .start();
            try (var in = tar.getOutputStream()) {
                packed.transferTo(in);
            }
            if (tar.waitFor() != 0) {
                throw new IOException("tar ends with " + tar.exitValue());
            }
            return new OldInstallation(folder);
        }
    }

    /// The data folder of the server: SQLite, and content in files.
    public Path data() {
        return root.resolve("data");
    }

    /// What `sheaf admin backup --local` made of it.
    public Path backup() {
        return root.resolve("backup");
    }

    /// `kit`, `odd1` and `bin` as they were pulled, and `sheaf.lock`.
    public Path work() {
        return root.resolve("work");
    }

    /// The client's cache, in which those and some more are.
    public Path cache() {
        return root.resolve("cache/sheaf");
    }

    /// A folder with the `sheaf.yaml` that `sheaf init` wrote.
    public Path source() {
        return root.resolve("src");
    }

    /// The secret of `bootstrap` (admin), `ci`, `old`, `reader` or `rival`.
    public Secret key(String name) {
        return Secret.of(Objects.requireNonNull(known.get("key:" + name), name));
    }

    /// The digests of all manifests, under names such as `kit:1.0.0` and `acme/image@edge`.
    public Map<String, String> digests() {
        var digests = new TreeMap<>(known);
        digests.keySet().removeIf(name -> name.startsWith("key:"));
        return digests;
    }

    /// Has the client's files say that they came from this address.
    public void cameFrom(URI registry) throws IOException {
        try {
            for (Path file : files()) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                if (text.contains(ADDRESS)) {
                    Files.writeString(
                            file, text.replace(ADDRESS, registry.getAuthority()), StandardCharsets.ISO_8859_1);
                }
            }
            try (var answers = Files.list(cache().resolve("answers"))) {
                for (Path folder : answers.toList()) {
                    String name = folder.getFileName().toString();
                    Files.move(
                            folder,
                            folder.resolveSibling(name.replace(
                                    ADDRESS.replace(':', '_'),
                                    registry.getAuthority().replace(':', '_'))));
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private List<Path> files() throws IOException {
        try (var work = Files.walk(work());
                var answers = Files.walk(cache().resolve("answers"))) {
            return Stream.concat(work, answers)
                    .filter(Files::isRegularFile)
                    .sorted(Comparator.naturalOrder())
                    .toList();
        }
    }
}
