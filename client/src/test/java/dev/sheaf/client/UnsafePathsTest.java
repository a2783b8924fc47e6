package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.RefusedPath;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.api.Verification;
import dev.sheaf.client.lock.LockFile;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A registry with paths that do harm in a folder, because it lies or because they were published under older
/// rules.
@Tag("programs")
class UnsafePathsTest {
    private static final Reference KIT = Reference.parse("acme/kit:1.0.0");
    private static final String RUNS = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n"
            + "\tfsmonitor = \"touch '%s'; false\"\n";

    @TempDir
    Path folder;

    private final TinyRegistry registry = TinyRegistry.start();

    @AfterEach
    void stop() {
        registry.close();
    }

    /// Files as `path=content`.
    private void publish(String... files) {
        var content = new TreeMap<String, byte[]>();
        for (String file : files) {
            String[] parts = file.split("=", 2);
            content.put(parts[0], parts[1].getBytes(StandardCharsets.UTF_8));
        }
        registry.content.publish("acme/kit:1.0.0", content);
    }

    private SheafClient client() {
        return SheafClient.of(registry.url()).cache(folder.resolve("cache")).open();
    }

    private Pulled pull(PullOptions options) {
        try (var client = client()) {
            return client.pull(KIT, out(), options);
        }
    }

    private Path out() {
        return folder.resolve("out");
    }

    private static final PullOptions SKIPPING = PullOptions.DEFAULT.skipRefused(true);

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".git/config",
                ".GIT/HEAD",
                "a/.git",
                "git~1/x",
                ".hg/hgrc",
                ".sl/config",
                ".svn/x",
                "a:b",
                "C:/x",
                "trail.",
                "trail ",
                "a*b",
                "a\u202Eb",
                "a\u200Bb",
                "a\uFFFEb",
                "..."
            })
    void nothingIsFetchedOrWrittenWhereAPathIsRefused(String path) {
        publish("good.txt=1", path + "=2");

        var refusal = catchThrowableOfType(SheafException.UnsafePaths.class, () -> pull(PullOptions.DEFAULT));

        assertThat(refusal.paths()).extracting(RefusedPath::path).contains(path);
        assertThat(refusal.others()).isEqualTo(1);
        assertThat(out()).doesNotExist();
        assertThat(registry.requests("/v2/")).isEmpty();
        assertThat(registry.requests(":pull")).isEmpty();
    }

    /// Each of the two is harmless alone.
    @Test
    void twoBundlesInOneFolderMakeNoRepositoryTogether() {
        publish("HEAD=ref: refs/heads/x", "config=x");
        pull(PullOptions.DEFAULT);
        registry.content.publish(
                "acme/two:1.0.0", new TreeMap<>(Map.of("objects/a", new byte[1], "refs/b", new byte[1])));

        try (var client = client()) {
            var refusal = catchThrowableOfType(
                    SheafException.UnsafePaths.class,
                    () -> client.pull(Reference.parse("acme/two:1.0.0"), out(), PullOptions.DEFAULT));
            assertThat(refusal.paths()).extracting(RefusedPath::path).containsExactly("HEAD");
        }

        assertThat(out().resolve("objects")).doesNotExist();
    }

    @Test
    void theOthersAreWrittenOnDemand() throws IOException {
        publish("good.txt=1", ".git/config=2", "a=3", "a/b=4", "x.md=5", "X.md=6", "t:u=7");

        var pulled = pull(SKIPPING);

        assertThat(pulled.refused())
                .extracting(RefusedPath::path)
                .containsExactlyInAnyOrder(".git/config", "a", "x.md", "t:u");
        assertThat(pulled.assets())
                .extracting(file -> file.asset().path().value())
                .containsExactly("X.md", "a/b", "good.txt");
        assertThat(out().resolve("a/b")).hasContent("4");
        assertThat(out().resolve(".git")).doesNotExist();
        assertThat(out().toFile().list()).containsExactlyInAnyOrder("X.md", "a", "good.txt", ".sheaf");
    }

    @Test
    void ofFoldersThatDifferInCaseOnlyOneIsWritten() throws IOException {
        publish("Dir/x=1", "dir/y=2", "good.txt=3");

        var refusal = catchThrowableOfType(SheafException.UnsafePaths.class, () -> pull(PullOptions.DEFAULT));
        pull(SKIPPING);

        assertThat(refusal.paths()).extracting(RefusedPath::path).containsExactly("dir/y");
        assertThat(out().toFile().list()).containsExactlyInAnyOrder("Dir", "good.txt", ".sheaf");
    }

    @Test
    void offlineTheSameIsRefused() {
        publish("good.txt=1", ".git/config=2");
        try (var client = client()) {
            client.pull(KIT);
        }
        registry.close();

        assertThatThrownBy(() -> pull(PullOptions.DEFAULT.offline(true)))
                .isInstanceOf(SheafException.UnsafePaths.class);

        assertThat(pull(SKIPPING.offline(true)).assets()).hasSize(1);
    }

    @Test
    void nothingIsWrittenWhereNothingIsLeft() {
        publish(".git/config=2");

        assertThatThrownBy(() -> pull(SKIPPING)).isInstanceOf(SheafException.UnsafePaths.class);

        assertThat(out()).doesNotExist();
    }

    @Test
    void whatAnOlderProgramWroteThereGoesAway() throws IOException {
        publish("good.txt=1", "a:b=2");
        var old = pull(SKIPPING);
        Path notes = out().resolve(".sheaf/pulled.json");
        Files.writeString(out().resolve("a:b"), "2");
        Files.writeString(
                notes,
                Files.readString(notes)
                        .replace(
                                "\"files\" : {",
                                "\"files\" : { \"a:b\" : [\"" + Digest.sha256("2".getBytes(StandardCharsets.UTF_8))
                                        + "\"],"));

        pull(SKIPPING);

        assertThat(old.refused()).hasSize(1);
        assertThat(out().resolve("a:b")).doesNotExist();
        assertThat(out().resolve("good.txt")).hasContent("1");
    }

    @Test
    void aLockFileNamesThemAndAPullByItRefusesThem() throws IOException {
        publish("good.txt=1", ".git/config=2");
        Path file = folder.resolve("sheaf.lock");
        try (var client = client()) {
            LockFile.EMPTY.with(client.lock(KIT, PullOptions.DEFAULT)).write(file);
        }
        var entry = LockFile.read(file).entries().getFirst();
        assertThat(entry.assets()).hasSize(2);

        assertThatThrownBy(() -> pull(PullOptions.DEFAULT.frozen(entry)))
                .isInstanceOf(SheafException.UnsafePaths.class);

        assertThat(pull(SKIPPING.frozen(entry)).assets()).hasSize(1);
        assertThat(SheafClient.verify(entry, out()).isWhole()).isTrue();
        assertThat(SheafClient.verify(entry, out()).count(Verification.State.REFUSED))
                .isEqualTo(1);
    }

    @Test
    void foldersOfVersionControlAreExtra() throws IOException {
        publish("good.txt=1");
        pull(PullOptions.DEFAULT);
        for (String extra : new String[] {".git/hooks/pre-commit", "sub/.git/config", ".hg/hgrc"}) {
            Files.createDirectories(out().resolve(extra).getParent());
            Files.writeString(out().resolve(extra), "x");
        }
        Files.writeString(out().resolve("sub/.svn"), "x");

        Verification found;
        try (var client = client()) {
            found = client.verify(KIT, out());
        }

        assertThat(found.files().stream()
                        .filter(file -> file.state() == Verification.State.EXTRA)
                        .map(Verification.Checked::path))
                .containsExactly(".git/", ".hg/", "sub/.git/", "sub/.svn");
        assertThat(found.isWhole()).isTrue();
    }

    /// Shows the danger with git itself: git would run a program that the bundle names, and does not after a pull.
    @Test
    void gitRunsNothingInWhatWasPulled() throws IOException, InterruptedException {
        assumeInstalled("git");
        Path mark = folder.resolve("PWNED");
        String config = RUNS.formatted(mark);
        var git = Map.of("HEAD", "ref: refs/heads/x\n", "config", config, "objects/info/x", "1", "refs/heads/.x", "1");
        for (String place : new String[] {".git/", ""}) {
            Path made = folder.resolve("made" + place.length());
            for (var file : git.entrySet()) {
                Path path = made.resolve(place + file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
            status(made);
            assertThat(mark).as("what %s does", place).exists();
            Files.delete(mark);

            publish(Stream.concat(
                            Stream.of("good.txt=1"),
                            git.entrySet().stream().map(file -> place + file.getKey() + "=" + file.getValue()))
                    .toArray(String[]::new));
            assertThatThrownBy(() -> pull(PullOptions.DEFAULT)).isInstanceOf(SheafException.UnsafePaths.class);
            pull(SKIPPING.refresh(true));
            status(out());
            assertThat(mark).doesNotExist();
        }
    }

    private static void status(Path where) throws IOException, InterruptedException {
        var builder = new ProcessBuilder("git", "status").directory(where.toFile());
        builder.environment().put("GIT_CEILING_DIRECTORIES", String.valueOf(where.getParent()));
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.start().waitFor();
    }

    private static void assumeInstalled(String program) {
        assumeTrue(
                Pattern.compile(File.pathSeparator)
                        .splitAsStream(System.getenv("PATH"))
                        .anyMatch(entry -> Files.isExecutable(Path.of(entry, program))),
                program + " is not installed");
    }
}
