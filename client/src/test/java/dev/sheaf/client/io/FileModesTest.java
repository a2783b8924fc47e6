package dev.sheaf.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileModesTest {
    @TempDir
    private Path folder;

    /// A file on a file system that does not keep modes as they are set.
    ///
    /// @param shown maps the mode that was set to the mode that is shown
    private static PosixFileAttributeView stubborn(
            PosixFileAttributeView file, UnaryOperator<Set<PosixFilePermission>> shown, boolean refuses) {
        return (PosixFileAttributeView) Proxy.newProxyInstance(
                FileModesTest.class.getClassLoader(),
                new Class<?>[] {PosixFileAttributeView.class},
                (view, method, arguments) -> {
                    if (refuses && method.getName().equals("setPermissions")) {
                        throw new FileSystemException("file", null, "Operation not permitted");
                    }
                    return method.getName().equals("readAttributes")
                            ? showing(shown.apply(file.readAttributes().permissions()))
                            : method.invoke(file, arguments);
                });
    }

    private static PosixFileAttributes showing(Set<PosixFilePermission> mode) {
        return (PosixFileAttributes) Proxy.newProxyInstance(
                FileModesTest.class.getClassLoader(),
                new Class<?>[] {PosixFileAttributes.class},
                (attributes, method, arguments) -> mode);
    }

    @Test
    void aFileSystemThatShowsOtherModesThanWereSetKeepsNone() throws IOException {
        assumeTrue(FileModes.areKept(folder), "this file system keeps no modes");
        Path file = Files.createTempFile(folder, "fresh", "");
        var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        var all = PosixFilePermissions.fromString("rwxrwxrwx");
        var none = PosixFilePermissions.fromString("rw-rw-rw-");

        assertThat(FileModes.keeps(stubborn(view, shown -> shown, false))).isTrue();
        assertThat(FileModes.keeps(stubborn(view, shown -> all, false)))
                .as("exFAT, WSL, NTFS, as they are mounted mostly")
                .isFalse();
        assertThat(FileModes.keeps(stubborn(view, shown -> none, false)))
                .as("CIFS with file_mode=0666")
                .isFalse();
        assertThat(FileModes.keeps(stubborn(view, shown -> none, true)))
                .as("FAT, which refuses")
                .isFalse();
        assertThat(Files.getPosixFilePermissions(file)).doesNotContain(PosixFilePermission.OWNER_EXECUTE);
    }
}
