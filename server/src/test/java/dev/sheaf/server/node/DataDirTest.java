package dev.sheaf.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.StartException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataDirTest {
    @TempDir
    @SuppressWarnings("NullAway") // set by JUnit
    Path folder;

    @Test
    void isMadeWhereItIsMissing() {
        try (var dir = DataDir.open(folder.resolve("a/b"))) {
            assertThat(dir.database()).isEqualTo(folder.resolve("a/b/sheaf.db"));
            assertThat(folder.resolve("a/b")).isDirectory();
        }
    }

    @Test
    void isRefusedASecondTimeUntilItIsClosed() {
        try (var first = DataDir.open(folder)) {
            assertThat(first.content()).isEqualTo(folder.resolve("content"));

            assertThat(exit(ServerExit.DATA_DIR_LOCKED, () -> DataDir.open(folder)))
                    .contains("in use by another process", "--data-dir");
        }

        DataDir.open(folder).close();
    }

    /// Holds the lock in another JVM, as a second server would.
    @Test
    void isRefusedWhileAnotherProcessHasIt() throws Exception {
        var other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.getInputStream().read())
                    .as("says that it holds the lock")
                    .isEqualTo('!');

            assertThat(exit(ServerExit.DATA_DIR_LOCKED, () -> DataDir.open(folder)))
                    .contains("in use");
        } finally {
            other.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
        }
        DataDir.open(folder).close();
    }

    /// Keeps a data directory until it is killed.
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws Exception {
            var dir = DataDir.open(Path.of(arguments[0]));
            System.out.write('!');
            System.out.flush();
            System.in.read();
            dir.close();
        }
    }

    @Test
    void isRefusedWhereAFileStands() throws Exception {
        var file = Files.writeString(folder.resolve("file"), "x");

        assertThat(exit(ServerExit.DATA_DIR_UNUSABLE, () -> DataDir.open(file)))
                .contains("cannot be written", "--data-dir");
    }

    @Test
    void isRefusedWhereThisUserMayNotWrite() throws Exception {
        var closed = Files.createDirectory(
                folder.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
        Assumptions.assumeFalse(Files.isWritable(closed), "this user (root?) writes wherever it likes");

        assertThat(exit(ServerExit.DATA_DIR_UNUSABLE, () -> DataDir.open(closed)))
                .contains("cannot be written");
    }

    /// As `mkdir` makes one, and as a volume comes.
    @Test
    void isClosedToOtherUsersWhereItIsThereAlready() throws Exception {
        var open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));

        DataDir.open(open).close();

        assertThat(mode(open)).isEqualTo("rwx------");
    }

    @Test
    void makesOneMasterSecretThatOnlyItsOwnerReads() throws Exception {
        String hash;
        try (var dir = DataDir.open(folder)) {
            hash = dir.masterSecret().fingerprint();
        }

        try (var dir = DataDir.open(folder)) {
            assertThat(dir.masterSecret().fingerprint()).isEqualTo(hash);
        }

        assertThat(mode(folder.resolve("secrets/master-key"))).isEqualTo("rw-------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "AAECAw==", "what is this", "\u00FF"})
    void refusesADamagedMasterSecretAndLeavesItAsItIs(String damaged) throws Exception {
        var file = Files.createDirectory(folder.resolve("secrets")).resolve("master-key");
        Files.write(file, damaged.getBytes(StandardCharsets.ISO_8859_1));

        try (var dir = DataDir.open(folder)) {
            assertThat(exit(ServerExit.DATA_DIR_UNUSABLE, dir::masterSecret))
                    .contains(file + " is damaged; restore it from a backup");
        }

        assertThat(Files.readAllBytes(file)).isEqualTo(damaged.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void keepsTheFirstKeyWhereOnlyItsOwnerReadsIt() throws Exception {
        try (var dir = DataDir.open(folder)) {
            dir.keepBootstrapKey(Secret.of("shf_old"));
            dir.keepBootstrapKey(Secret.of("shf_x"));

            assertThat(dir.bootstrapKey()).hasContent("shf_x\n");
            assertThat(mode(dir.bootstrapKey())).isEqualTo("rw-------");
        }
    }

    private static String mode(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static String exit(ServerExit expected, ThrowingCallable call) {
        var thrown = catchThrowableOfType(StartException.class, call);
        assertThat(thrown).as("a refusal").isNotNull();
        assertThat(thrown.exit()).isEqualTo(expected);
        return String.valueOf(thrown.getMessage());
    }
}
