package dev.sheaf.client.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.PullTest;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DigestLock;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pulls into one folder that share no cache, as with several users or containers.
class FolderLockTest {
    private static final int PULLS = 6;
    private static final int ROUNDS = 5;
    private static final int FILES = 40;

    @TempDir
    private Path folder;

    private final TinyRegistry registry = TinyRegistry.start();

    @AfterEach
    void stop() {
        registry.close();
    }

    private void publish() {
        var files = new TreeMap<String, byte[]>();
        for (int i = 0; i < FILES; i++) {
            files.put("files/" + i, ("content " + i).repeat(1_000).getBytes(StandardCharsets.UTF_8));
        }
        registry.content.publish("acme/kit:1.0.0", files);
    }

    private void pull(String cache, Path out) {
        try (var client =
                SheafClient.of(registry.url()).cache(folder.resolve(cache)).open()) {
            client.pull(Reference.parse("acme/kit:1.0.0"), out, PullOptions.DEFAULT);
        }
    }

    @Test
    void pullsOfOtherCachesWaitForOneAnother() throws Exception {
        publish();
        for (int round = 0; round < ROUNDS; round++) {
            Path out = folder.resolve("out" + round);
            var start = new CyclicBarrier(PULLS);
            var pulls = new ArrayList<Future<?>>();
            try (var threads = Executors.newFixedThreadPool(PULLS)) {
                for (int i = 0; i < PULLS; i++) {
                    String cache = "cache" + i;
                    pulls.add(threads.submit(() -> {
                        start.await();
                        pull(cache, out);
                        return null;
                    }));
                }
            }
            for (Future<?> pull : pulls) {
                check(pull);
            }
            assertThat(PullTest.contentOf(out)).hasSize(FILES);
            assertThat(out.resolve(".sheaf").toFile().list()).containsExactly("pulled.json");
        }
    }

    private static void check(Future<?> pull) throws InterruptedException, ExecutionException {
        pull.get();
    }

    @Test
    void whatAKilledPullLeftHoldsNobodyUp() throws IOException {
        publish();
        Path out = folder.resolve("out");
        Files.createDirectories(out.resolve(".sheaf/staging-1"));
        Files.writeString(out.resolve(".sheaf/lock"), "left behind");

        pull("cache", out);

        assertThat(out.resolve(".sheaf").toFile().list()).containsExactly("pulled.json");
    }

    /// The folder may be untrusted: nothing is written to the target of such a link.
    @Test
    void aLinkInPlaceOfTheLockIsNotFollowed() throws IOException {
        publish();
        Path out = folder.resolve("out");
        Path elsewhere = Files.writeString(folder.resolve("elsewhere"), "mine");
        Files.createDirectories(out.resolve(".sheaf"));
        Files.createSymbolicLink(out.resolve(".sheaf/lock"), elsewhere);

        assertThatThrownBy(() -> pull("cache", out))
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContaining("lock is in the way: it is a symbolic link");

        assertThat(elsewhere).hasContent("mine");
    }

    /// Nothing has to be written there, and nothing is.
    @Test
    void aFolderThatIsRightMayBeReadOnly() throws IOException {
        publish();
        Path out = folder.resolve("out");
        pull("cache", out);
        Path own = out.resolve(".sheaf");
        assertThat(own.toFile().setWritable(false)).isTrue();
        try {
            pull("cache", out);
        } finally {
            assertThat(own.toFile().setWritable(true)).isTrue();
        }
        assertThat(own.toFile().list()).containsExactly("pulled.json");
    }

    /// A process that waited for a removed file has locked a file that no other process finds.
    @Test
    void aLockWhoseFileIsGoneOrAnotherCountsForNothing() throws IOException {
        Path file = folder.resolve("lock");
        try (var lock = DigestLock.acquire(file)) {
            assertThat(lock.isInPlace()).isTrue();
            Files.delete(file);
            assertThat(lock.isInPlace()).isFalse();
            Files.writeString(file, "another");
            assertThat(lock.isInPlace()).isFalse();
        }
    }

    /// Another process, which reports whether a pull may work in the folder now.
    static final class Other {
        private Other() {}

        public static void main(String[] arguments) throws IOException {
            try (var channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
                System.out.print(channel.tryLock() == null ? "held" : "free");
            }
        }
    }

    private static String asked(Path file) throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return answer;
    }

    /// File locks belong to the process, which loses them when it closes any descriptor of the file.
    @Test
    void anotherProcessFindsTheLockHeld() throws Exception {
        Path own = folder.resolve("out/.sheaf");
        Path file = own.resolve("lock");
        try (var _ = FolderLock.acquire(own)) {
            assertThat(asked(file)).isEqualTo("held");
        }

        assertThat(own).doesNotExist();
        Files.createDirectories(own);
        Files.createFile(file);
        assertThat(asked(file)).isEqualTo("free");
    }
}
