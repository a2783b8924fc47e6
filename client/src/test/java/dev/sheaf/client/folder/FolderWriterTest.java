package dev.sheaf.client.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.PullTest;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.api.Verification;
import dev.sheaf.client.pull.ResolvedBundle;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a pull does to files that are in its way, and to files that it wrote before.
class FolderWriterTest {
    @TempDir
    private Path folder;

    private final TinyRegistry registry = TinyRegistry.start();
    private final List<String> notices = new ArrayList<>();

    @AfterEach
    void stop() {
        registry.close();
    }

    /// Files as `path=content`.
    private void publish(String reference, String... files) {
        var content = new TreeMap<String, byte[]>();
        for (String file : files) {
            content.put(file.split("=")[0], file.split("=")[1].getBytes(StandardCharsets.UTF_8));
        }
        registry.content.publish(reference, content);
    }

    private void pull(String reference, PullOptions options) {
        var listener = new Progress() {
            @Override
            public Transfer begin(Activity activity, String name, long totalBytes) {
                return NONE.begin(activity, name, totalBytes);
            }

            @Override
            public void notice(String message) {
                notices.add(message);
            }
        };
        try (var client = SheafClient.of(registry.url())
                .cache(folder.resolve("cache"))
                .progress(listener)
                .open()) {
            client.pull(Reference.parse(reference), out(), options);
        }
    }

    private void pull(String reference) {
        pull(reference, PullOptions.DEFAULT);
    }

    private Path out() {
        return folder.resolve("out");
    }

    private Path write(String path, String content) throws IOException {
        Path file = out().resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    /// Returns the files in the folder without the records of pulls.
    private Map<String, String> files() throws IOException {
        var text = new TreeMap<String, String>();
        PullTest.contentOf(out()).forEach((path, bytes) -> text.put(path, new String(bytes, StandardCharsets.UTF_8)));
        return text;
    }

    @Test
    void whatNobodyChangedIsReplacedAndWhatIsGoneIsRemoved() throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1", "old/deep/b.txt=1", "same.txt=s");
        publish("acme/kit:2.0.0", "a.txt=2", "same.txt=s", "new/c.txt=2");
        pull("acme/kit:1.0.0");
        write("mine.txt", "mine");

        pull("acme/kit:2.0.0");

        assertThat(files()).isEqualTo(Map.of("a.txt", "2", "same.txt", "s", "new/c.txt", "2", "mine.txt", "mine"));
        assertThat(out().resolve("old")).doesNotExist();
        assertThat(out().resolve(".sheaf").toFile().list()).containsExactly("pulled.json");
    }

    @Test
    void aChangedFileIsKeptAndNothingIsWritten() throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1", "b.txt=1", "c.txt=1");
        publish("acme/kit:2.0.0", "a.txt=2", "b.txt=2", "d.txt=2");
        pull("acme/kit:1.0.0");
        write("b.txt", "mine");

        assertThatThrownBy(() -> pull("acme/kit:2.0.0"))
                .isInstanceOf(SheafException.Conflict.class)
                .hasMessageContaining("b.txt. Move them away")
                .hasMessageEndingWith("or have them replaced");

        assertThat(files()).isEqualTo(Map.of("a.txt", "1", "b.txt", "mine", "c.txt", "1"));
        assertThatThrownBy(() -> pull("acme/kit:1.0.0")).isInstanceOf(SheafException.Conflict.class);
    }

    @Test
    void forceReplacesIt() throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1", "gone.txt=1");
        publish("acme/kit:2.0.0", "a.txt=2");
        pull("acme/kit:1.0.0");
        write("a.txt", "mine");
        write("gone.txt", "mine");

        pull("acme/kit:2.0.0", PullOptions.DEFAULT.force(true));

        assertThat(files()).isEqualTo(Map.of("a.txt", "2", "gone.txt", "mine"));
        assertThat(notices).singleElement().asString().contains("gone.txt is kept", "no longer in acme/kit");
    }

    @Test
    void whatNoPullWroteIsKept() throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1");
        write("a.txt", "mine");

        assertThatThrownBy(() -> pull("acme/kit:1.0.0")).isInstanceOf(SheafException.Conflict.class);

        assertThat(files()).isEqualTo(Map.of("a.txt", "mine"));
        assertThat(out().resolve(".sheaf")).doesNotExist();
    }

    @Test
    void whatIsAlreadyRightIsTakenOver() throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1");
        publish("acme/kit:2.0.0", "a.txt=2");
        write("a.txt", "1");
        pull("acme/kit:1.0.0");

        pull("acme/kit:2.0.0");

        assertThat(files()).isEqualTo(Map.of("a.txt", "2"));
    }

    @Test
    void aDeletedFileComesBack() throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1", "b.txt=1");
        pull("acme/kit:1.0.0");
        Files.delete(out().resolve("a.txt"));

        pull("acme/kit:1.0.0");

        assertThat(files()).isEqualTo(Map.of("a.txt", "1", "b.txt", "1"));
    }

    @Test
    void twoBundlesInOneFolderLeaveOneAnothersFilesAlone() throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1", "shared.txt=s");
        publish("acme/kit:2.0.0", "shared.txt=s2");
        publish("acme/other:1.0.0", "b.txt=1");
        publish("acme/other:2.0.0", "a.txt=other");
        pull("acme/kit:1.0.0");
        pull("acme/other:1.0.0");

        assertThatThrownBy(() -> pull("acme/other:2.0.0"))
                .isInstanceOf(SheafException.Conflict.class)
                .hasMessageContaining("not from acme/other: a.txt");
        pull("acme/kit:2.0.0");
        pull("acme/other:2.0.0");

        assertThat(files()).isEqualTo(Map.of("a.txt", "other", "shared.txt", "s2"));
    }

    @Test
    void aFileMayBecomeAFolderAndBack() throws IOException {
        publish("acme/kit:1.0.0", "x=1");
        publish("acme/kit:2.0.0", "x/y.txt=2");
        pull("acme/kit:1.0.0");

        pull("acme/kit:2.0.0");
        assertThat(files()).isEqualTo(Map.of("x/y.txt", "2"));
        pull("acme/kit:1.0.0");
        assertThat(files()).isEqualTo(Map.of("x", "1"));

        pull("acme/kit:2.0.0");
        write("x/mine.txt", "mine");
        assertThatThrownBy(() -> pull("acme/kit:1.0.0"))
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContaining("in the way");
        assertThat(files()).isEqualTo(Map.of("x/y.txt", "2", "x/mine.txt", "mine"));
    }

    /// The state after a pull that was killed between writing its record and its last file.
    @Test
    void aPullThatWasKilledLeavesNothingThatLooksLikeSomebodysWork() throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1", "b.txt=1");
        publish("acme/kit:2.0.0", "a.txt=2", "b.txt=2");
        publish("acme/kit:3.0.0", "a.txt=3", "b.txt=3");
        pull("acme/kit:1.0.0");
        Path notes = out().resolve(".sheaf/pulled.json");
        String one = Files.readString(notes);
        pull("acme/kit:2.0.0");
        String two = Files.readString(notes);
        String digestOfOne =
                one.lines().filter(line -> line.contains("a.txt")).findFirst().orElseThrow();
        assertThat(two).doesNotContain(digestOfOne);
        var order = new FolderContents(
                "acme/kit", registry.url(), "acme/kit", dev.sheaf.model.Digest.sha256(new byte[0]), List.of());
        assertThat(PullReceipt.parse(two.getBytes(StandardCharsets.UTF_8)).of(order))
                .isPresent();
        // The second pull had moved a.txt, but not b.txt:
        write("b.txt", "1");
        Files.writeString(notes, during(one));
        Files.createDirectories(out().resolve(".sheaf/staging-1"));
        Files.writeString(out().resolve(".sheaf/staging-1/0"), "2");

        pull("acme/kit:3.0.0");

        assertThat(files()).isEqualTo(Map.of("a.txt", "3", "b.txt", "3"));
        assertThat(out().resolve(".sheaf").toFile().list()).containsExactly("pulled.json");
    }

    private String during(String before) {
        var second = java.util.Objects.requireNonNull(registry.content.versions.get("acme/kit:2.0.0"));
        var bundle = ResolvedBundle.of(Reference.parse("acme/kit:2.0.0"), second);
        var order = new FolderContents("acme/kit", registry.url(), "acme/kit", bundle.manifest(), bundle.assets());
        return new String(
                PullReceipt.parse(before.getBytes(StandardCharsets.UTF_8))
                        .during(order)
                        .bytes(),
                StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"version\":2,\"bundles\":[]}", "{\"version\":1,\"bundles\":[{}]}", "null"})
    void notesThatCannotBeReadMakeEveryFileSomebodysWork(String notes) throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1");
        publish("acme/kit:2.0.0", "a.txt=2");
        pull("acme/kit:1.0.0");
        write(".sheaf/pulled.json", notes);

        assertThatThrownBy(() -> pull("acme/kit:2.0.0")).isInstanceOf(SheafException.Conflict.class);

        pull("acme/kit:2.0.0", PullOptions.DEFAULT.force(true));
        assertThat(files()).isEqualTo(Map.of("a.txt", "2"));
    }

    /// The records may come with an untrusted folder.
    @Test
    void notesCannotNameAFileElsewhere() throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1", "sub/b.txt=1");
        publish("acme/kit:2.0.0", "a.txt=2");
        pull("acme/kit:1.0.0");
        Path victim = Files.writeString(folder.resolve("victim.txt"), "1");
        Path notes = out().resolve(".sheaf/pulled.json");
        Files.writeString(notes, Files.readString(notes).replace("sub/b.txt", "../victim.txt"));
        assertThatThrownBy(() -> pull("acme/kit:2.0.0")).isInstanceOf(SheafException.Conflict.class);

        Files.writeString(notes, Files.readString(notes).replace("../victim.txt", "link/victim.txt"));
        Files.createSymbolicLink(out().resolve("link"), folder);
        pull("acme/kit:2.0.0");

        assertThat(victim).hasContent("1");
        assertThat(out().resolve("a.txt")).hasContent("2");
    }

    @Test
    void noBundleCanWriteTheNotes() throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1", ".Sheaf/pulled.json={}", "sheaf~1/x={}", ".sheaf\u200D=x");

        assertThatThrownBy(() -> pull("acme/kit:1.0.0"))
                .isInstanceOf(SheafException.UnsafePaths.class)
                .hasMessageContaining("keeps its own records");
        assertThat(out()).doesNotExist();

        pull("acme/kit:1.0.0", PullOptions.DEFAULT.skipRefused(true));
        assertThat(files()).isEqualTo(Map.of("a.txt", "1"));
    }

    @Test
    void aLinkInPlaceOfTheNotesIsNotFollowed() throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1");
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.createDirectory(out());
        Files.createSymbolicLink(out().resolve(".sheaf"), elsewhere);

        assertThatThrownBy(() -> pull("acme/kit:1.0.0")).isInstanceOf(SheafException.Local.class);

        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void aPulledFolderIsPushedAndVerifiedWithoutTheNotes() throws IOException {
        publish("acme/kit:1.0.0", "a.txt=1");
        pull("acme/kit:1.0.0");
        try (var client =
                SheafClient.of(registry.url()).cache(folder.resolve("cache")).open()) {
            var again = client.push(out(), Reference.parse("acme/kit:1.0.0"), PushOptions.DEFAULT);
            var found = client.verify(Reference.parse("acme/kit:1.0.0"), out());

            assertThat(again.assets()).isEqualTo(1);
            assertThat(found.count(Verification.State.EXTRA)).isZero();
        }
    }
}
