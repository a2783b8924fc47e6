package dev.sheaf.client.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.client.io.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it cannot hold folders open")
class SafeFolderTest {
    @TempDir
    Path temporary;

    private Path root;
    private Path elsewhere;

    @BeforeEach
    void makeFolders() throws IOException {
        root = Files.createDirectories(temporary.toRealPath().resolve("root"));
        elsewhere = Files.createDirectories(temporary.toRealPath().resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("keys"), "mine");
        Files.writeString(root.resolve("staged"), "from a registry");
    }

    @Test
    void aLinkThatComesBetweenIsNotFollowed() throws IOException {
        Path folder = root.resolve("a/b");
        try (var from = SafeFolder.into(root, root);
                var to = SafeFolder.into(root, folder)) {
            Files.move(folder, root.resolve("moved"));
            Files.createSymbolicLink(folder, elsewhere);

            from.move("staged", to, "keys");
            to.delete("other");
        }

        assertThat(elsewhere.resolve("keys")).hasContent("mine");
        assertThat(root.resolve("moved/keys")).hasContent("from a registry");
    }

    @Test
    void aFolderIsDeletedWhereItWasOpened() throws IOException {
        Files.createDirectories(elsewhere.resolve("staging"));
        Files.writeString(elsewhere.resolve("staging/keys"), "mine");
        Path folder = root.resolve("a");
        try (var held = SafeFolder.into(root, folder)) {
            Files.createDirectories(folder.resolve("staging/inner"));
            Files.createSymbolicLink(folder.resolve("staging/inner/link"), elsewhere);
            Files.createDirectory(folder.resolve("empty"));
            Files.move(folder, root.resolve("moved"));
            Files.createSymbolicLink(folder, elsewhere);

            held.deleteAll("staging");
            held.deleteFolder("empty");
            held.deleteFolder("keys");
        }

        assertThat(elsewhere.resolve("keys")).hasContent("mine");
        assertThat(elsewhere.resolve("staging/keys")).hasContent("mine");
        assertThat(root.resolve("moved")).isEmptyDirectory();
    }

    @Test
    void aModeIsNotChangedThroughALink() throws IOException {
        Path file = elsewhere.resolve("keys");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Path link = Files.createSymbolicLink(root.resolve("new"), file);

        assertThatThrownBy(() -> OwnerOnly.shareAsUsual(link)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> FileModes.makeExecutable(link)).isInstanceOf(IOException.class);

        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void aDeletionStaysInItsFolderToo() throws IOException {
        Path folder = root.resolve("a");
        try (var held = SafeFolder.into(root, folder)) {
            Files.writeString(folder.resolve("keys"), "pulled");
            Files.move(folder, root.resolve("moved"));
            Files.createSymbolicLink(folder, elsewhere);

            held.delete("keys");
        }

        assertThat(elsewhere.resolve("keys")).hasContent("mine");
        assertThat(root.resolve("moved")).isEmptyDirectory();
    }

    @Test
    void aLinkOnTheWayIsInTheWay() throws IOException {
        Files.createSymbolicLink(root.resolve("a"), elsewhere);

        assertThatThrownBy(() -> SafeFolder.into(root, root.resolve("a/b")).close())
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContaining("in the way: it is a symbolic link");
        assertThat(elsewhere.resolve("b")).doesNotExist();
    }
}
