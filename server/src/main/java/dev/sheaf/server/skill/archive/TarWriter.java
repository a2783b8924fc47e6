package dev.sheaf.server.skill.archive;

import dev.sheaf.model.skill.UstarName;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Writes tar archives (POSIX.1-1988, ustar). They contain only files, without owners and times.
final class TarWriter {
    private static final int BLOCK = 512;
    private static final byte[] END = new byte[2 * BLOCK];
    private static final byte[] PADDING = new byte[BLOCK];

    private TarWriter() {}

    /// Returns whether every path fits into a header.
    static boolean holds(List<ArchiveFile> files) {
        return files.stream().allMatch(file -> UstarName.of(file.path()).isPresent());
    }

    static long length(List<ArchiveFile> files) {
        long length = END.length;
        for (var file : files) {
            length += BLOCK + (file.size() + BLOCK - 1) / BLOCK * BLOCK;
        }
        return length;
    }

    static void write(List<ArchiveFile> files, FileContents contents, OutputStream out) throws IOException {
        for (var file : files) {
            out.write(header(file));
            contents.writeTo(file, out);
            int over = (int) (file.size() % BLOCK);
            if (over > 0) {
                out.write(PADDING, 0, BLOCK - over);
            }
        }
        out.write(END);
    }

    private static byte[] header(ArchiveFile file) {
        var header = new byte[BLOCK];
        UstarName.of(file.path()).orElseThrow().writeTo(header);
        octal(header, 100, 7, file.mode());
        octal(header, 108, 7, 0); // uid
        octal(header, 116, 7, 0); // gid
        octal(header, 124, 11, file.size());
        octal(header, 136, 11, 0); // time
        Arrays.fill(header, 148, 156, (byte) ' '); // the checksum field counts as spaces
        header[156] = '0';
        text(header, 257, "ustar\0" + "00");
        int sum = 0;
        for (byte value : header) {
            sum += value & 0xff;
        }
        octal(header, 148, 6, sum);
        header[154] = 0;
        return header;
    }

    private static void octal(byte[] header, int at, int digits, long value) {
        String text = Long.toOctalString(value);
        text(header, at, "0".repeat(digits - text.length()) + text);
    }

    private static void text(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
