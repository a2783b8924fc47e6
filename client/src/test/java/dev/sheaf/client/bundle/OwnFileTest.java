package dev.sheaf.client.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.OwnFile;
import dev.sheaf.client.lock.LockFile;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An untrusted folder that contains things other than regular files.
class OwnFileTest {
    private static final String GOOD = "namespace: acme\nslug: kit\nversion: 1.0.0\n";
    private static final String SECRET = "password: [hunter2\n";

    @TempDir
    Path temporary;

    private Path folder;
    private Path outside;
    private final List<String> notices = new ArrayList<>();

    @BeforeEach
    void make() throws IOException {
        folder = Files.createDirectory(temporary.resolve("folder"));
        outside = Files.writeString(temporary.resolve("outside"), SECRET);
        Files.writeString(folder.resolve("a.txt"), "a");
        Files.writeString(folder.resolve("sheaf.yaml"), GOOD);
    }

    private BundleSource read() {
        return BundleSource.read(folder, new Progress() {
            @Override
            public Transfer begin(Activity activity, String name, long totalBytes) {
                return NONE.begin(activity, name, totalBytes);
            }

            @Override
            public void notice(String message) {
                notices.add(message);
            }
        });
    }

    private void pipe(String name) throws IOException, InterruptedException {
        Files.deleteIfExists(folder.resolve(name));
        assertThat(new ProcessBuilder("mkfifo", folder.resolve(name).toString())
                        .start()
                        .waitFor())
                .isZero();
    }

    private void link(String name, Path to) throws IOException {
        Files.deleteIfExists(folder.resolve(name));
        Files.createSymbolicLink(folder.resolve(name), to);
    }

    private void assertDescriptionRefused(String why) {
        var source = read();
        assertThat(source.isSound()).isFalse();
        assertThat(source.findings().getFirst().message()).contains(why).doesNotContain("hunter2");
    }

    @Test
    void theDescriptionIsNoLink() throws IOException {
        for (Path to : List.of(outside, Path.of("/dev/zero"), folder.resolve("a.txt"))) {
            link("sheaf.yaml", to);
            assertDescriptionRefused("is a link");
        }
    }

    @Test
    void theDescriptionIsAFileOfAtMostAMebibyte() throws IOException, InterruptedException {
        pipe("sheaf.yaml");
        assertDescriptionRefused("is not a file");

        Files.delete(folder.resolve("sheaf.yaml"));
        Files.createDirectory(folder.resolve("sheaf.yaml"));
        assertDescriptionRefused("is not a file");

        Files.delete(folder.resolve("sheaf.yaml"));
        Files.writeString(folder.resolve("sheaf.yaml"), GOOD + "#".repeat(OwnFile.LONGEST - GOOD.length()));
        assertThat(read().isSound()).isTrue();
        Files.writeString(folder.resolve("sheaf.yaml"), GOOD + "#".repeat(OwnFile.LONGEST - GOOD.length() + 1));
        assertDescriptionRefused("longer than");
    }

    @ParameterizedTest
    @ValueSource(strings = {".sheafignore", "docs/ignored"})
    void patternsAreAFileOfTheFolder(String name) throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("docs"));
        Files.writeString(folder.resolve("sheaf.yaml"), GOOD + "ignore: " + name + "\n");

        link(name, outside);
        assertThatThrownBy(this::read)
                .isInstanceOf(SheafException.InvalidRequest.class)
                .hasMessageContaining("is a link");
        link(name, Path.of("/dev/zero"));
        assertThatThrownBy(this::read).isInstanceOf(SheafException.InvalidRequest.class);
        pipe(name);
        assertThatThrownBy(this::read).isInstanceOf(SheafException.InvalidRequest.class);
        Files.delete(folder.resolve(name));
        Files.writeString(folder.resolve(name), "#".repeat(OwnFile.LONGEST + 1));
        assertThatThrownBy(this::read)
                .isInstanceOf(SheafException.InvalidRequest.class)
                .hasMessageContaining("longer than");
    }

    @Test
    void aFolderOnTheWayIsNoLinkToAnotherPlace() throws IOException {
        Path other = Files.createDirectory(temporary.resolve("other"));
        Files.writeString(other.resolve("ignored"), "[z-a]");
        link("docs", other);
        Files.writeString(folder.resolve("sheaf.yaml"), GOOD + "ignore: docs/ignored\n");

        assertThatThrownBy(this::read)
                .isInstanceOf(SheafException.InvalidRequest.class)
                .hasMessageContaining("a link that leaves the folder");
    }

    @Test
    void aLockFileIsAFileOfItsFolder() throws IOException, InterruptedException {
        Path lock = folder.resolve("sheaf.lock");
        for (Path to : List.of(outside, Path.of("/dev/zero"))) {
            link("sheaf.lock", to);
            assertThatThrownBy(() -> LockFile.read(lock))
                    .isInstanceOf(SheafException.InvalidRequest.class)
                    .hasMessageContaining("is a link");
            assertThatThrownBy(() -> LockFile.EMPTY.write(lock)).isInstanceOf(SheafException.InvalidRequest.class);
        }
        pipe("sheaf.lock");
        assertThatThrownBy(() -> LockFile.read(lock)).isInstanceOf(SheafException.InvalidRequest.class);
        assertThatThrownBy(() -> LockFile.EMPTY.write(lock)).isInstanceOf(SheafException.InvalidRequest.class);

        assertThat(outside).hasContent(SECRET);
    }

    @Test
    void pipesSocketsAndLinksAreLeftOutOfAPush() throws IOException, InterruptedException {
        pipe("pipe");
        pipe("SKILL.md");
        link("link", outside);
        link("zero", Path.of("/dev/zero"));
        try (var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(folder.resolve("socket")));

            var source = read();

            assertThat(source.assets())
                    .extracting(asset -> asset.path().value())
                    .containsExactly("a.txt");
        }
        assertThat(notices)
                .containsExactlyInAnyOrder(
                        "left out pipe: not a file",
                        "left out SKILL.md: not a file",
                        "left out socket: not a file",
                        "left out link: a link",
                        "left out zero: a link");
    }

    @Test
    void aSkillHoweverLongIsReadNoFurtherThanItsFrontMatterMayBe() throws IOException {
        Files.createDirectory(folder.resolve("kit"));
        String head = "---\nname: kit\ndescription: A kit.\n---\n";
        Files.writeString(folder.resolve("kit/SKILL.md"), head + "é\n".repeat(OwnFile.LONGEST / 2));

        assertThat(read().findings())
                .singleElement()
                .extracting(Finding::message)
                .asString()
                .contains("keep it below 500");
    }
}
