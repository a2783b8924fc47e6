package dev.sheaf.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.cli.ChildProcess;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.FolderRemoval;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Where a worker's folders may be, and that nothing else is deleted.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no modes")
@Tag("programs")
class WorkPlaceTest {
    /// How often the races are tried: 200 times with -Dsheaf.races=200.
    private static final int TRIES = Integer.getInteger("sheaf.races", 5);

    private static final int FILES = 40;

    @TempDir
    private Path folder;

    private Path place;
    private Path others;

    @BeforeEach
    void begin() throws IOException {
        place = folder.resolve("place");
        others = Files.createDirectories(folder.resolve("others"));
        for (int i = 0; i < FILES; i++) {
            Files.writeString(others.resolve("file-" + i), "kept");
        }
        mode(others, "rwx------");
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static void sticky(Path path) throws IOException {
        Files.setAttribute(path, "unix:mode", 01777);
    }

    private static UserPrincipal user(String name) throws IOException {
        return Path.of("/").getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name);
    }

    private UserPrincipal me() throws IOException {
        return Files.getOwner(folder);
    }

    private static void assumeRoot() {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can act for another user");
    }

    private Path left(String name) throws IOException {
        Path left = Files.createDirectories(place.resolve("sheaf-work-" + name));
        mode(left, "rwx------");
        Files.writeString(left.resolve("lock"), "");
        Files.writeString(Files.createDirectories(left.resolve("job/a/b")).resolve("c"), "left");
        return left;
    }

    private void assertRefused(String why) {
        assertThatThrownBy(() -> WorkPlace.make(place))
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContaining(why)
                .hasMessageContaining("--work-dir");
    }

    private void assertOthersKept() throws IOException {
        try (var kept = Files.list(others)) {
            assertThat(kept.count()).isEqualTo(FILES);
        }
    }

    @Test
    void refusesAPlaceThatOthersMayWriteTo() throws IOException {
        mode(Files.createDirectory(place), "rwxrwxrwx");
        assertRefused("every user may write to " + place);
        sticky(place);
        assertRefused("every user may write to " + place);
        mode(place, "rwxrwx---");
        assertRefused("the users of the group");
        assertThat(place).isEmptyDirectory();
    }

    @Test
    void refusesAPlaceBelowAFolderThatOthersMayWriteTo() throws IOException {
        Path above = Files.createDirectory(folder.resolve("above"));
        mode(above, "rwxrwxrwx");
        place = above.resolve("mine/work");
        assertRefused("every user may write to " + above);
        assertThat(above).isEmptyDirectory();

        sticky(above);
        WorkPlace.make(place).close();
        assertThat(place).isEmptyDirectory();
    }

    @Test
    void refusesAPlaceOfAnotherUser() throws IOException {
        assumeRoot();
        Files.setOwner(Files.createDirectory(place), user("nobody"));
        assertRefused(place + " belongs to another user, nobody");
    }

    @Test
    void refusesWhatIsNoFolder() throws IOException {
        Files.writeString(place, "");
        assertRefused("it is not a folder");
        Files.delete(place);
        Files.createSymbolicLink(place, folder.resolve("nowhere"));
        assertRefused("it is not a folder");
    }

    @Test
    void deletesOnlyFoldersOfDeadWorkersOfThisUser() throws IOException {
        mode(Files.createDirectory(place), "rwx------");
        Path dead = left("dead");
        Path alive = left("alive");
        Path open = left("open");
        mode(open, "rwxrwx---");
        Path foreign = Files.createDirectory(place.resolve("sheaf-work-foreign"));
        Path link = Files.createSymbolicLink(place.resolve("sheaf-work-link"), others);
        Files.writeString(others.resolve("lock"), "");

        try (var channel = FileChannel.open(alive.resolve("lock"), StandardOpenOption.WRITE);
                var _ = channel.lock();
                var made = WorkPlace.make(place)) {
            assertThat(made.folder()).isDirectory();
        }

        assertThat(dead).doesNotExist();
        assertThat(Stream.of(alive, open, foreign, link)).allMatch(Files::exists);
        Files.delete(others.resolve("lock"));
        assertOthersKept();
    }

    /// A command may leave a process that goes on writing, or a folder that cannot be read.
    @Test
    void whatCannotBeDeletedIsDeletedLater() throws IOException {
        assumeTrue(!System.getProperty("user.name").equals("root"), "root can delete everything");
        mode(Files.createDirectory(place), "rwx------");
        Path dead = left("dead");
        mode(dead.resolve("job/a"), "---------");
        WorkPlace.make(place).close();
        assertThat(dead.resolve("job")).exists();
        mode(dead.resolve("job/a"), "rwx------");

        WorkPlace.make(place).close();

        assertThat(dead).doesNotExist();
    }

    @Test
    void leavesFoldersOfOtherUsersAlone() throws IOException {
        assumeRoot();
        mode(Files.createDirectory(place), "rwx------");
        Path foreign = left("nobody");
        Files.setOwner(foreign, user("nobody"));

        WorkPlace.make(place).close();

        assertThat(foreign.resolve("job/a/b/c")).exists();
    }

    @Test
    void deletesReadOnlyAndVeryDeepFolders() throws IOException {
        try (var made = WorkPlace.make(place)) {
            Path job = made.job("job");
            Path deep = job;
            for (int i = 0; i < 200; i++) {
                deep = Files.createDirectory(deep.resolve("d"));
            }
            Files.createSymbolicLink(deep.resolve("link"), others);
            Path closed = Files.createDirectories(job.resolve("closed/inner"));
            Files.writeString(closed.resolve("file"), "");
            mode(closed, "r-xr-xr-x");
            mode(job.resolve("closed"), "r--------");
            mode(Files.createDirectory(job.resolve("empty")), "---------");

            made.delete("job");

            assertThat(job).doesNotExist();
        }
        assertThat(place).isEmptyDirectory();
        assertOthersKept();
    }

    /// Another user exchanges folders for links while root deletes, in a place that everybody may write to.
    @Test
    void whoExchangesFoldersForLinksGetsNothingElseDeleted() throws Exception {
        assumeRoot();
        ChildProcess.assumeInstalled("setpriv", "util-linux");
        ChildProcess.assumeInstalled("perl", "perl-base");
        mode(folder, "rwxr-xr-x");
        sticky(Files.createDirectory(place));
        var attackers = List.of(attacker("sheaf-work-trap"), attacker("job"));
        try {
            for (int i = 0; i < TRIES; i++) {
                awaitFull(place.resolve("job"), attackers.get(1));
                awaitFull(place.resolve("sheaf-work-trap"), attackers.get(0));
                WorkPlace.clean(place, me());
                try {
                    FolderRemoval.remove(place, "job");
                } catch (IOException e) {
                    assertThat(e).as("new files came in meanwhile").isInstanceOf(FileSystemException.class);
                }
                assertOthersKept();
                assertThat(Files.exists(place.resolve("sheaf-work-trap"))).isTrue();
            }
        } finally {
            for (Process attacker : attackers) {
                attacker.destroyForcibly().waitFor();
            }
        }
    }

    /// A process of the user nobody that keeps a folder full and exchanges the folder in it for a link.
    private Process attacker(String name) throws IOException {
        String script = """
                my ($dir, $others) = @ARGV;
                my ($link, $away) = ("$dir.link", "$dir.away");
                symlink $others, $link;
                while (getppid() == $ENV{PARENT}) {
                  mkdir $dir;
                  open(my $lock, '>', "$dir/lock"); close $lock;
                  mkdir "$dir/d";
                  for (0 .. %d) { open(my $file, '>', "$dir/d/file-$_"); close $file }
                  for (1 .. 200) {
                    rename "$dir/d", $away; rename $link, "$dir/d";
                    rename "$dir/d", $link; rename $away, "$dir/d";
                  }
                }
                """.formatted(FILES - 1);
        var builder = new ProcessBuilder(
                "setpriv",
                "--reuid=nobody",
                "--regid=nogroup",
                "--clear-groups",
                "perl",
                "-e",
                script,
                place.resolve(name).toString(),
                others.toString());
        builder.environment()
                .put("PARENT", Long.toString(ProcessHandle.current().pid()));
        return builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + "-said").toFile())
                .start();
    }

    private void awaitFull(Path target, Process attacker) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        String last = "file-" + (FILES - 1);
        Path away = target.resolveSibling(target.getFileName() + ".away");
        while (!Files.exists(target.resolve("d").resolve(last)) && !Files.exists(away.resolve(last))) {
            assertThat(attacker.isAlive())
                    .as("see %s-said", target.getFileName())
                    .isTrue();
            assertThat(System.nanoTime()).as("in vain").isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
