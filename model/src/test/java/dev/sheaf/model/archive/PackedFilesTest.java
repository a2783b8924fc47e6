package dev.sheaf.model.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is accepted in untrusted archives, and what is refused.
class PackedFilesTest {
    /// Writes valid and invalid tar archives.
    private static final class Tar {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Tar entry(char type, String name, byte[] content, Consumer<byte[]> change) {
            var header = new byte[512];
            text(header, 0, name);
            text(header, 100, "0000755");
            text(header, 124, "%011o".formatted(content.length));
            header[156] = (byte) type;
            text(header, 257, "ustar\0" + "00");
            change.accept(header);
            Arrays.fill(header, 148, 156, (byte) ' ');
            int sum = 0;
            for (byte value : header) {
                sum += value & 0xff;
            }
            text(header, 148, "%06o\0".formatted(sum));
            out.writeBytes(header);
            out.writeBytes(content);
            out.writeBytes(new byte[(512 - content.length % 512) % 512]);
            return this;
        }

        Tar entry(char type, String name, String content) {
            return entry(type, name, utf8(content), header -> {});
        }

        Tar file(String name, String content) {
            return entry('0', name, content);
        }

        byte[] end() {
            out.writeBytes(new byte[1024]);
            return gzip(out.toByteArray());
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void text(byte[] to, int at, String text) {
        System.arraycopy(utf8(text), 0, to, at, utf8(text).length);
    }

    private static byte[] gzip(byte[] bytes) {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    private static String pax(String key, String value) {
        String rest = " " + key + "=" + value + "\n";
        int length = utf8(rest).length + 1;
        length = length > 9 ? length + 1 : length;
        return length + rest;
    }

    private static List<PackedFile> read(byte[] archive, int piece) throws IOException {
        try (var files = new PackedFiles()) {
            for (int at = 0; at < archive.length; at += piece) {
                files.write(archive, at, Math.min(piece, archive.length - at));
            }
            return files.finish();
        }
    }

    private static void refused(byte[] archive, String why) {
        for (int piece : List.of(1, 700, 1 << 20)) {
            assertThatThrownBy(() -> read(archive, piece))
                    .isInstanceOf(UnfitArchive.class)
                    .hasMessageContaining(why);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 511, 512, 513, 1 << 20})
    void listsFilesHoweverTheyCome(int piece) throws IOException {
        String longName = "d/" + "n".repeat(150);
        byte[] archive = new Tar()
                .entry('5', "./a/", "")
                .file("./a/SKILL.md", "one")
                .entry('0', "empty", new byte[0], header -> text(header, 100, "0000644"))
                .entry('x', "PaxHeader", pax("path", "pax/é.md") + pax("mtime", "1.5"))
                .file("ignored", "two")
                .entry('L', "././@LongLink", longName + "\0")
                .file("short", "x".repeat(1_000))
                .entry('g', "global", pax("comment", "c"))
                .entry('0', "name", utf8("three"), header -> text(header, 345, "prefix/of"))
                .end();

        var files = read(archive, piece);

        assertThat(files)
                .extracting(file -> file.path().value())
                .containsExactly("a/SKILL.md", "empty", "pax/é.md", longName, "prefix/of/name");
        assertThat(files.getFirst())
                .isEqualTo(new PackedFile(files.getFirst().path(), 0755, Digest.sha256(utf8("one")), 3));
        assertThat(files.getFirst().isExecutable()).isTrue();
        assertThat(files.get(1).isExecutable()).isFalse();
        assertThat(files.get(1).digest()).isEqualTo(Digest.sha256(new byte[0]));
        assertThat(files.get(3).size()).isEqualTo(1_000);
    }

    @Test
    void handsOverContents() throws IOException {
        var taken = new StringBuilder();
        try (var files = new PackedFiles((file, content) ->
                taken.append(file.path()).append('=').append(new String(content, StandardCharsets.UTF_8)))) {
            files.write(new Tar().file("a", "one").file("b", "").end());
            files.finish();
        }
        assertThat(taken).hasToString("a=oneb=");
    }

    @Test
    void linksAndDevicesAreRefused() {
        for (char type : new char[] {'1', '2'}) {
            refused(new Tar().file("a", "x").entry(type, "link", "").end(), "has a link");
        }
        for (char type : new char[] {'3', '4', '6', '7', 'S', 'K', 'M', 'V', 'X', 'z'}) {
            refused(new Tar().entry(type, "odd", "").end(), "neither file nor folder");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/etc/passwd", "../up", "a/../../up", "a//b", "a\\b", "C:x", "a/./b", ".git/config", "a.", "con"
            })
    void pathsThatLeadElsewhereAreRefused(String path) {
        refused(new Tar().file(path, "x").end(), "path");
        refused(new Tar().entry('x', "p", pax("path", path)).file("good", "x").end(), "path");
    }

    @Test
    void pathsThatClashAreRefused() {
        refused(new Tar().file("a", "1").file("a", "2").end(), "clash");
        refused(new Tar().file("a", "1").file("A", "2").end(), "clash");
        refused(new Tar().file("a", "1").file("a/b", "2").end(), "clash");
        refused(new Tar().file("x/.wh.a", "").end(), "removes other files");
    }

    @Test
    void headersThatContradictAreRefused() {
        refused(new Tar().entry('x', "p", pax("size", "9")).file("a", "1").end(), "two different sizes");
        refused(
                new Tar()
                        .entry('x', "p", pax("GNU.sparse.major", "1"))
                        .file("a", "1")
                        .end(),
                "GNU.sparse.major");
        refused(new Tar().entry('x', "p", "99999 path=a\n").file("a", "1").end(), "extended header");
        refused(new Tar().entry('x', "p", "0 path=a\n").file("a", "1").end(), "extended header");
        refused(new Tar().entry('x', "p", "-5 path=a\n").file("a", "1").end(), "extended header");
        refused(new Tar().entry('g', "p", pax("path", "all")).file("a", "1").end(), "for all files");
        refused(new Tar().entry('x', "p", "x".repeat(70_000)).end(), "too long");
        refused(new Tar().entry('5', "d/", "content").end(), "folder with content");
        refused(
                new Tar()
                        .entry('0', "a", new byte[0], header -> header[124] = (byte) 0x80)
                        .end(),
                "");
        refused(
                new Tar()
                        .entry('0', "a", new byte[0], header -> text(header, 124, "-0000000001"))
                        .end(),
                "number");
    }

    @Test
    void bombsAreCut() {
        var many = new Tar();
        for (int i = 0; i <= PackedFiles.MAX_FILES; i++) {
            many.file("f" + i, "");
        }
        refused(many.end(), "more than 1000 files");
        var folders = new Tar();
        for (int i = 0; i < 5_000; i++) {
            folders.entry('5', "d" + i + "/", "");
        }
        refused(folders.end(), "entries");
        refused(
                new Tar()
                        .entry('0', "big", new byte[0], header -> text(header, 124, "77777777777"))
                        .end(),
                "bytes");
        assertThatThrownBy(() -> read(gzip(new byte[80 << 20]), 1 << 20))
                .isInstanceOf(UnfitArchive.class)
                .hasMessageContaining("unpacks to more");
    }

    @Test
    void whatIsBrokenIsRefused() {
        byte[] good = new Tar().file("a", "content").end();
        for (int length = 0; length < good.length; length++) {
            refused(Arrays.copyOf(good, length), "");
        }
        refused(utf8("no gzip at all"), "is not gzip");
        byte[] changed = good.clone();
        changed[good.length - 6] ^= 1;
        refused(changed, "checksum");
        refused(Arrays.copyOf(good, good.length + 1), "after its end");
        refused(gzip(new byte[512]), "too early");
        byte[] header = new byte[512];
        text(header, 0, "a");
        refused(gzip(Arrays.copyOf(header, 2048)), "checksum");
    }
}
