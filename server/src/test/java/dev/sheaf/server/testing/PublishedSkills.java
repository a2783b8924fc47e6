package dev.sheaf.server.testing;

import dev.sheaf.model.LogicalPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/// Ten skills such as people publish: their texts and scripts are resources, what is binary or long is made
/// here.
public final class PublishedSkills {
    /// Paths that no tar archive of 1988 holds, and clients must get all the same.
    public static final String LONG_PATH = "references/" + "a-very-long-name-".repeat(9) + "/notes.md";

    private PublishedSkills() {}

    /// A file of a skill.
    ///
    /// @param path below the folder of all skills
    public record File(String path, byte[] bytes, boolean executable) {
        String skill() {
            return path.substring(0, path.indexOf('/'));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof File(String p, byte[] b, boolean e)
                    && path.equals(p)
                    && Arrays.equals(bytes, b)
                    && executable == e;
        }

        @Override
        public int hashCode() {
            return path.hashCode();
        }

        @Override
        public String toString() {
            return path + " " + Arrays.hashCode(bytes) + (executable ? " x" : "");
        }
    }

    /// All files, by path.
    public static List<File> all() {
        var files = new ArrayList<File>();
        try {
            Path root = Path.of(Objects.requireNonNull(PublishedSkills.class.getResource("/skills"))
                    .toURI());
            try (var found = Files.walk(root)) {
                for (Path file : found.filter(Files::isRegularFile).toList()) {
                    byte[] bytes = Files.readAllBytes(file);
                    files.add(new File(
                            root.relativize(file).toString(),
                            bytes,
                            bytes.length > 1 && bytes[0] == '#' && bytes[1] == '!'));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        files.addAll(made());
        files.sort((one, other) -> new LogicalPath(one.path()).compareTo(new LogicalPath(other.path())));
        return files;
    }

    private static List<File> made() {
        String reference = IntStream.range(0, 2_500)
                .mapToObj(i -> "- Convention " + i + ": name fields in camelCase, and say which may be null.\n")
                .collect(Collectors.joining());
        return List.of(
                new File("pdf-forms/assets/sample.pdf", binary("%PDF-1.7\n", 70_000, 1), false),
                new File("brand-fonts/assets/Headline.ttf", binary("\0\1\0\0", 150_000, 2), false),
                new File("brand-fonts/assets/Text Regular.otf", binary("OTTO", 65_536, 3), false),
                new File("data-charts/assets/example.png", binary("\u0089PNG\r\n\u001a\n", 40_000, 4), false),
                new File("data-charts/assets/empty", new byte[0], false),
                new File("api-docs/references/conventions.md", reference.getBytes(StandardCharsets.UTF_8), false),
                new File("api-docs/" + LONG_PATH, "Long.\n".getBytes(StandardCharsets.UTF_8), false),
                new File("commit-messages/-odd name's (1) & co.txt", "odd\n".getBytes(StandardCharsets.UTF_8), false),
                new File("commit-messages/.hidden", "hidden\r\n".getBytes(StandardCharsets.UTF_8), false));
    }

    private static byte[] binary(String start, int length, int seed) {
        var bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        byte[] first = start.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(first, 0, bytes, 0, first.length);
        return bytes;
    }

    /// Those of one skill, with paths below its folder.
    public static List<File> of(String skill) {
        return all().stream()
                .filter(file -> file.skill().equals(skill))
                .map(file -> new File(file.path().substring(skill.length() + 1), file.bytes(), file.executable()))
                .toList();
    }

    /// The names of all ten, in order.
    public static List<String> names() {
        return all().stream().map(File::skill).distinct().sorted().toList();
    }

    /// The body of a push of some files.
    public static String body(String version, String visibility, Stream<File> files) {
        var body = new TreeMap<String, Object>();
        body.put("version", version);
        body.put("visibility", visibility);
        body.put(
                "manifest",
                files.map(file -> {
                            var entry = new TreeMap<String, Object>();
                            entry.put("logicalPath", file.path());
                            entry.put("contentBase64", Base64.getEncoder().encodeToString(file.bytes()));
                            entry.put("executable", file.executable());
                            return entry;
                        })
                        .toList());
        return JsonMapper.shared().writeValueAsString(body);
    }

    /// Pushes all ten as one bundle, each below `skills/`.
    public static Reply push(TestApp app, String repository, String version, String visibility) {
        var files = all().stream().map(file -> new File("skills/" + file.path(), file.bytes(), file.executable()));
        return app.post(OnEveryStack.bundle(repository) + ":push", app.admin(), body(version, visibility, files));
    }

    /// Pushes one as a bundle of its own, with its SKILL.md at the root.
    public static Reply pushOne(TestApp app, String repository, String version, String visibility, String skill) {
        return app.post(
                OnEveryStack.bundle(repository) + ":push", app.admin(), body(version, visibility, of(skill).stream()));
    }

    /// The files below a folder.
    public static List<File> in(Path folder) throws IOException {
        try (var found = Files.walk(folder)) {
            var files = new ArrayList<File>();
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                files.add(new File(
                        folder.relativize(file).toString(), Files.readAllBytes(file), Files.isExecutable(file)));
            }
            files.sort((one, other) -> new LogicalPath(one.path()).compareTo(new LogicalPath(other.path())));
            return files;
        }
    }
}
