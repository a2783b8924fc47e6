package dev.sheaf.model.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/// Archives of any bytes: the result is their files, within the limits, or a refusal. The files do not depend on
/// how the bytes are split. The message for a broken archive may: of two faults, the first one found depends on
/// the pieces.
class ParsersFuzz {
    private static List<Object> read(byte[] archive, int piece) throws IOException {
        try (var files = new PackedFiles()) {
            for (int at = 0; at < archive.length; at += piece) {
                files.write(archive, at, Math.min(piece, archive.length - at));
            }
            var found = files.finish();
            assertThat(found).hasSizeLessThanOrEqualTo(PackedFiles.MAX_FILES);
            assertThat(found.stream().mapToLong(PackedFile::size).sum()).isLessThanOrEqualTo(PackedFiles.MAX_BYTES);
            return new ArrayList<>(found);
        } catch (UnfitArchive e) {
            assertThat(e.getMessage()).isNotBlank();
            return List.of("refused");
        }
    }

    private static void isOne(byte[] archive) throws IOException {
        assertThat(read(archive, 7)).isEqualTo(read(archive, 1 << 16));
    }

    @FuzzTest
    void gzip(byte[] data) throws IOException {
        isOne(data);
    }

    @FuzzTest
    void zip(byte[] data) {
        try {
            var zip = ZippedFiles.open(data, PackedFiles.MAX_FILES, PackedFiles.MAX_BYTES);
            assertThat(zip.entries()).hasSizeLessThanOrEqualTo(PackedFiles.MAX_FILES);
            assertThat(zip.size()).isBetween(0L, PackedFiles.MAX_BYTES);
            for (var entry : zip.entries()) {
                assertThat(zip.content(entry)).hasSize((int) entry.size());
            }
        } catch (UnfitArchive e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    @FuzzTest
    void tar(byte[] data) throws IOException {
        isOne(gzipped(data));
    }

    private static byte[] gzipped(byte[] data) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(data);
        }
        return packed.toByteArray();
    }

    /// A plain archive is one that the other readers take too, with the same files.
    private static void isPlainOrRefused(PlainArchive.Form form, byte[] archive) throws IOException {
        try {
            var plain = PlainArchive.read(form, archive, () -> {});
            assertThat(plain.stream().mapToLong(file -> file.content().length).sum())
                    .isLessThanOrEqualTo(PlainArchive.size(form, archive));
            if (form == PlainArchive.Form.TAR_GZ) {
                assertThat(read(archive, 1 << 16)).hasSameSizeAs(plain);
            }
        } catch (UnfitArchive e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    @FuzzTest
    void plainZip(byte[] data) throws IOException {
        isPlainOrRefused(PlainArchive.Form.ZIP, data);
    }

    @FuzzTest
    void plainTar(byte[] data) throws IOException {
        isPlainOrRefused(PlainArchive.Form.TAR_GZ, data);
        isPlainOrRefused(PlainArchive.Form.TAR_GZ, gzipped(data));
    }
}
