package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The repositories on the disk: nobody gets wrong bytes of them, and there is never more than fits.
class GitCacheTest extends GitScenario {
    private static final int LIMIT = 2 << 20;

    @Override
    public Map<String, String> settings() {
        return Map.of("git-cache-bytes", Integer.toString(LIMIT));
    }

    private List<Path> files(String end) throws IOException {
        try (var files = Files.walk(app().dataDir().resolve("cache/git"))) {
            return files.filter(file -> file.toString().endsWith(end)).toList();
        }
    }

    private long bytes() throws IOException {
        return files(".pack").stream().mapToLong(file -> file.toFile().length()).sum();
    }

    private static Map<String, String> pages(int count, int salt) {
        var files = new TreeMap<String, String>();
        for (int i = 0; i < count; i++) {
            files.put("docs/page" + i + ".md", "page " + i + " of " + salt + "\n".repeat(i));
        }
        return files;
    }

    private void damage(int eighth) throws IOException {
        for (Path pack : files(".pack")) {
            byte[] bytes = Files.readAllBytes(pack);
            int at = bytes.length * eighth / 8;
            for (int i = at; i < Math.min(at + 40, bytes.length); i++) {
                bytes[i] ^= 0x55;
            }
            assertThat(pack.toFile().setWritable(true)).isTrue();
            Files.write(pack, bytes);
        }
    }

    @Test
    void damagedBytesAreNotSent() throws IOException {
        publish("cache/kit", "1.0.0", pages(60, 1));
        clone("cache/kit", "whole");
        for (int eighth = 0; eighth < 8; eighth++) {
            damage(eighth);

            var first = git().end("", "clone", url("cache/kit"), "first-" + eighth);
            var second = git().end("", "clone", url("cache/kit"), "second-" + eighth);

            assertThat(first.exit() == 0 || second.exit() == 0)
                    .as(first.output() + second.output())
                    .isTrue();
            clone("cache/kit", "last-" + eighth);
            assertThat(git("last-" + eighth).run("fsck", "--strict")).doesNotContain("error", "warning", "missing");
        }
    }

    @Test
    void othersOnTheMachineCannotReadThem() throws IOException {
        publish("cache/mode", "1.0.0", "private", pages(1, 1));
        known(git(), app().admin()).run("ls-remote", url("cache/mode"));

        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(app().dataDir().resolve("cache/git"))))
                .isEqualTo("rwx------");
    }

    @Test
    void thoseThatNobodyUsedForLongestGo() throws IOException {
        for (int i = 0; i < 6; i++) {
            publish("cache/noise" + i, "1.0.0", Map.of("noise.txt", noise(600_000, i)));
            clone("cache/noise" + i, "noise-" + i);

            assertThat(bytes()).isLessThanOrEqualTo(LIMIT);
        }
        clone("cache/noise0", "noise-again");
        assertThat(read("noise-again/noise.txt")).isEqualTo(noise(600_000, 0));
    }

    @Test
    void aBundleThatDoesNotFitIsRefused() {
        publish("cache/large", "1.0.0", Map.of("noise.txt", noise(LIMIT + 1, 1)));

        var cloned = git().end("", "clone", url("cache/large"), "large");

        assertThat(cloned.exit()).isNotZero();
        assertThat(app().get("/cache/large.git/info/refs?service=git-upload-pack", null)
                        .text())
                .contains("git-cache-bytes");
    }

    private static String noise(int length, int seed) {
        return new Random(seed)
                .ints(length, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
