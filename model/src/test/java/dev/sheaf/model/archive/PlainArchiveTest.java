package dev.sheaf.model.archive;

import static dev.sheaf.model.archive.ZipBytes.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.archive.PlainArchive.Form;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which archives are plain.
class PlainArchiveTest {
    private static Map<String, String> files(Form form, byte[] archive) throws UnfitArchive {
        return PlainArchive.read(form, archive, () -> {}).stream()
                .collect(Collectors.toMap(
                        file -> file.path() + (file.isExecutable() ? "*" : ""),
                        file -> new String(file.content(), StandardCharsets.UTF_8)));
    }

    private static void isRefused(Form form, byte[] archive, String why) {
        assertThatThrownBy(() -> PlainArchive.read(form, archive, () -> {}))
                .isInstanceOf(UnfitArchive.class)
                .hasMessageContaining(why);
    }

    // --- zip ---

    private static byte[] zip(Consumer<ZipBytes.Entry> change) {
        var entry = new ZipBytes.Entry("a.md", "content");
        change.accept(entry);
        return new ZipBytes().file("first", "1").entry(entry).file("last", "3").end();
    }

    private static void isRefusedZip(Consumer<ZipBytes.Entry> change, String why) {
        isRefused(Form.ZIP, zip(change), why);
    }

    @Test
    void readsPlainZip() throws Exception {
        var folder = new ZipBytes.Entry("d/", "");
        folder.mode = 0040755;
        var script = new ZipBytes.Entry("d/größe.sh", "x".repeat(1_000));
        script.mode = 0100755;
        script.method = 8;
        script.flags |= 2;
        script.localExtra = new byte[] {'U', 'T', 1, 0, 7};
        script.extra = new byte[] {'U', 'T', 1, 0, 7, 'u', 'x', 0, 0};
        var windows = new ZipBytes.Entry("w.md", "w");
        windows.host = 0;
        windows.mode = 0100666;
        windows.attributes = 0x20;

        byte[] archive = new ZipBytes()
                .entry(folder)
                .entry(script)
                .entry(windows)
                .file("empty", "")
                .end();

        assertThat(files(Form.ZIP, archive))
                .isEqualTo(Map.of("d/größe.sh*", "x".repeat(1_000), "w.md", "w", "empty", ""));
        assertThat(PlainArchive.size(Form.ZIP, archive)).isEqualTo(1_001);
    }

    @Test
    void refusesWhatIsBesideTheEntriesOfAZip() {
        isRefused(Form.ZIP, new ZipBytes().file("a", "1").end("comment"), "comment");
        byte[] plain = new ZipBytes().file("a", "1").end();
        isRefused(Form.ZIP, Arrays.copyOf(plain, plain.length + 1), "");
        isRefused(Form.ZIP, new byte[0], "not a zip file");
        isRefusedZip(entry -> entry.before = new byte[] {1}, "has something before \"a.md\"");
        isRefusedZip(entry -> entry.comment = new byte[] {1}, "comment");
        var first = new ZipBytes.Entry("a", "1");
        first.before = utf8("#!/bin/sh\n");
        isRefused(Form.ZIP, new ZipBytes().entry(first).end(), "has something before \"a\"");
        var slack = new ZipBytes.Entry("a", "1");
        slack.method = 8;
        slack.slack = new byte[] {0, 0};
        isRefused(Form.ZIP, new ZipBytes().entry(slack).end(), "does not match its size");
    }

    @Test
    void refusesEntriesThatProgramsReadDifferently() {
        isRefusedZip(entry -> entry.localName = "b.md", "\"a.md\"");
        isRefusedZip(entry -> entry.name = entry.localName = "first", "\"first\" twice");
        isRefusedZip(entry -> entry.name = entry.localName = "a.md;1", "which unzip leaves out");
        isRefusedZip(
                entry -> {
                    entry.host = 0;
                    entry.mode = 0100666;
                    entry.attributes = 0x28;
                },
                "not all programs read alike");
        isRefusedZip(entry -> entry.flags = 1 << 3, "encrypted, or in a form");
        isRefusedZip(entry -> entry.flags |= 1, "encrypted");
        isRefusedZip(entry -> entry.needed = 45, "plain zip");
        isRefusedZip(
                entry -> {
                    entry.name = entry.localName = "größe";
                    entry.flags = 0;
                },
                "UTF-8");
        isRefusedZip(entry -> entry.extra = new byte[] {0x75, 0x70, 0, 0}, "extra field");
        isRefusedZip(entry -> entry.localExtra = new byte[] {1, 0, 0, 0}, "extra field");
        isRefusedZip(entry -> entry.extra = new byte[] {'U', 'T', 9, 0}, "extra field");
        isRefusedZip(entry -> entry.method = 12, "unsupported method");
    }

    @Test
    void refusesWhatIsNoFileOrFolderInAZip() {
        isRefusedZip(entry -> entry.mode = 0120777, "has a link, \"a.md\"");
        isRefusedZip(entry -> entry.mode = 0020644, "neither file nor folder");
        isRefusedZip(entry -> entry.mode = 0104755, "not a plain file");
        isRefusedZip(
                entry -> {
                    entry.mode = 0040755;
                    entry.content = new byte[0];
                },
                "not a plain file");
        isRefusedZip(entry -> entry.name = entry.localName = "a/", "folder with content");
        isRefusedZip(
                entry -> {
                    entry.host = 0;
                    entry.mode = 0100755;
                },
                "not of Unix");
        isRefusedZip(entry -> entry.host = 7, "not of Unix");
        isRefusedZip(entry -> entry.attributes = 0x10, "not a plain file");
    }

    @ParameterizedTest
    @CsvSource({"/etc/passwd", "../a", "a/../../b", "./a", "a//b", "C:/a", "'a\\b'", "first/a", "FIRST", ".git/config"})
    void refusesPathsThatABundleCannotHave(String path) {
        isRefusedZip(entry -> entry.name = entry.localName = path, "");
        isRefused(Form.TAR_GZ, new TarBytes().file("first", "1").file(path, "2").end(), "");
    }

    @Test
    void anEmptyFolderClashesLikeAFullOne() {
        var folder = new ZipBytes.Entry("FIRST/", "");
        folder.mode = 0040755;
        isRefused(Form.ZIP, new ZipBytes().file("first", "1").entry(folder).end(), "clash");
    }

    // --- tar ---

    /// Writes tar archives header by header.
    private static final class TarBytes {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        TarBytes entry(char type, String name, byte[] content, Consumer<byte[]> change) {
            var header = new byte[512];
            text(header, 0, name);
            text(header, 100, "0000644");
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

        TarBytes entry(char type, String name, String content) {
            return entry(type, name, utf8(content), header -> {});
        }

        TarBytes file(String name, String content) {
            return entry('0', name, content);
        }

        byte[] bytes(int zeros) {
            out.writeBytes(new byte[zeros]);
            return out.toByteArray();
        }

        byte[] end() {
            return gzip(bytes(1_024));
        }
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

    private static void isRefusedTar(TarBytes tar, String why) {
        isRefused(Form.TAR_GZ, tar.end(), why);
    }

    private static void isRefusedTar(Consumer<byte[]> change, String why) {
        isRefusedTar(new TarBytes().file("first", "1").entry('0', "a.md", utf8("content"), change), why);
    }

    @Test
    void readsPlainTar() throws Exception {
        byte[] archive = new TarBytes()
                .entry('5', "d/", "")
                .entry('0', "d/a.sh", utf8("x".repeat(700)), header -> text(header, 100, "0000755"))
                .entry('x', "pax", pax("path", "d/größe") + pax("mtime", "1.5") + pax("size", "3"))
                .file("short", "two")
                .entry('0', "name", utf8("three"), header -> text(header, 345, "prefix/of"))
                .end();

        assertThat(files(Form.TAR_GZ, archive))
                .isEqualTo(Map.of("d/a.sh*", "x".repeat(700), "d/größe", "two", "prefix/of/name", "three"));
        byte[] padded = gzip(new TarBytes().file("a", "1").bytes(10_240 - 1_024));
        assertThat(files(Form.TAR_GZ, padded)).isEqualTo(Map.of("a", "1"));
    }

    @Test
    void refusesOtherFormsOfTar() {
        isRefusedTar(header -> text(header, 257, "ustar  "), "--format=ustar");
        isRefusedTar(header -> header[156] = 0, "neither file nor folder");
        isRefusedTar(header -> header[156] = '7', "neither file nor folder");
        isRefusedTar(header -> header[156] = '2', "has a link, \"a.md\"");
        isRefusedTar(header -> header[156] = '5', "folder with content");
        isRefusedTar(header -> text(header, 100, "0004755"), "special mode");
        isRefusedTar(header -> text(header, 108, "x"), "invalid number");
        isRefusedTar(
                new TarBytes()
                        .entry('x', "x", pax("mtime", "1 hdrcharset=BINARY"))
                        .file("a", "1"),
                "extended header");
        isRefusedTar(new TarBytes().entry('L', "././@LongLink", "name").file("a", "1"), "neither file nor folder");
        isRefusedTar(new TarBytes().entry('g', "g", pax("comment", "c")).file("a", "1"), "neither file nor folder");
        isRefusedTar(new TarBytes().entry('x', "x", pax("linkpath", "c")).file("a", "1"), "linkpath");
        isRefusedTar(new TarBytes().entry('x', "x", pax("SCHILY.xattr.a", "c")).file("a", "1"), "extended header");
        isRefusedTar(
                new TarBytes()
                        .entry('x', "x", pax("path", "b") + pax("path", "c"))
                        .file("a", "1"),
                "twice");
        isRefusedTar(new TarBytes().entry('x', "x", pax("size", "2")).file("a", "1"), "two different sizes");
        isRefusedTar(
                new TarBytes()
                        .entry('x', "x", pax("path", "b"))
                        .entry('x', "x", pax("path", "c"))
                        .file("a", "1"),
                "two extended headers");
        isRefusedTar(new TarBytes().file("a", "1").entry('x', "x", pax("path", "b")), "ends with an extended header");
        isRefusedTar(new TarBytes().file("a", "1").file("a", "2"), "\"a\" twice");
    }

    @Test
    void refusesWhatIsBesideTheEntriesOfATar() {
        isRefused(Form.TAR_GZ, gzip(new TarBytes().file("a", "1").bytes(512)), "two empty blocks");
        isRefused(Form.TAR_GZ, gzip(new TarBytes().file("a", "1").bytes(1_025)), "two empty blocks");
        byte[] tar = new TarBytes().file("a", "1").bytes(2_048);
        tar[tar.length - 1] = 1;
        isRefused(Form.TAR_GZ, gzip(tar), "two empty blocks");
        byte[] behind = new TarBytes().file("a", "1").bytes(1_024);
        behind[512 + 100] = 1;
        isRefused(Form.TAR_GZ, gzip(behind), "has something behind \"a\"");
        isRefused(Form.TAR_GZ, gzip(Arrays.copyOf(tar, 600)), "ends too early");
    }

    @Test
    void refusesGzipOfOtherForms() {
        byte[] archive = new TarBytes().file("a", "1").end();
        var two = new ByteArrayOutputStream();
        two.writeBytes(archive);
        two.writeBytes(archive);
        isRefused(Form.TAR_GZ, two.toByteArray(), "continues after its end");
        isRefused(Form.TAR_GZ, Arrays.copyOf(archive, archive.length - 1), "");
        isRefused(Form.TAR_GZ, new byte[] {1, 2, 3}, "not gzip");
        byte[] lies = archive.clone();
        lies[lies.length - 4] = 1; // states less than it has
        lies[lies.length - 3] = 0;
        isRefused(Form.TAR_GZ, lies, "unpacks to more than");
        byte[] huge = archive.clone();
        huge[huge.length - 1] = 0x7f;
        isRefused(Form.TAR_GZ, huge, "unpacks to");
    }

    @Test
    void limitsFiles() {
        var many = new ZipBytes();
        for (int i = 0; i <= PlainArchive.MAX_FILES; i++) {
            many.file("f" + i, "");
        }
        isRefused(Form.ZIP, many.end(), "1001 files; at most 1000");
    }

    @Test
    void theWorkCanBeEnded() {
        byte[] archive = new TarBytes().file("a", "1").end();
        assertThatThrownBy(() -> PlainArchive.read(Form.TAR_GZ, archive, () -> {
                    throw new IllegalStateException("enough");
                }))
                .hasMessage("enough");
    }
}
