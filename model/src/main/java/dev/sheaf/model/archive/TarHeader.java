package dev.sheaf.model.archive;

import dev.sheaf.model.text.Utf8Text;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A header of a tar archive (POSIX.1-1988, POSIX.1-2001, or GNU).
///
/// @param type `0` a file, `5` a folder, `x` and `g` an extended header, `L` a long name
/// @param path the path in the header, unchecked
record TarHeader(char type, String path, int mode, long size) {
    static final int BLOCK = 512;

    /// Parses a block of 512 bytes.
    ///
    /// @throws UnfitArchive if it is not a header
    static TarHeader of(byte[] block) throws IOException {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += i >= 148 && i < 156 ? ' ' : block[i] & 0xff;
        }
        if (octal(block, 148, 8) != sum) {
            throw new UnfitArchive("is broken: the checksum of a header is wrong");
        }
        boolean isPosix = text(block, 257, 6).equals("ustar");
        String prefix = isPosix && block[263] == '0' ? text(block, 345, 155) : "";
        String name = text(block, 0, 100);
        char type = block[156] == 0 ? '0' : (char) (block[156] & 0xff);
        return new TarHeader(
                type,
                prefix.isEmpty() ? name : prefix + "/" + name,
                (int) (octal(block, 100, 8) & 0777),
                octal(block, 124, 12));
    }

    /// Returns the bits of the mode besides the permissions, such as setuid.
    static int special(byte[] block) throws IOException {
        return (int) (octal(block, 100, 8) & 07000);
    }

    static long octal(byte[] block, int at, int length) throws IOException {
        String text = text(block, at, length);
        if (!text.matches(" *[0-7]{0,11} *")) {
            throw new UnfitArchive("has an invalid number, or one that is too large");
        }
        return text.isBlank() ? 0 : Long.parseLong(text.strip(), 8);
    }

    private static String text(byte[] block, int at, int length) throws IOException {
        int end = at;
        while (end < at + length && block[end] != 0) {
            end++;
        }
        return utf8(block, at, end - at);
    }

    static String utf8(byte[] bytes, int offset, int count) throws IOException {
        return Utf8Text.of(ByteBuffer.wrap(bytes, offset, count))
                .orElseThrow(() -> new UnfitArchive("has a name that is not UTF-8"));
    }
}
