package dev.sheaf.server.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/// Writes zip archives like those of APM's client: modes of Unix, no extra fields, sizes before the content.
public final class PlainZip {
    private final ByteArrayOutputStream files = new ByteArrayOutputStream();
    private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
    private int count;

    public PlainZip file(String name, String content) {
        return file(name, content.getBytes(StandardCharsets.UTF_8), 0100644);
    }

    /// @param mode with the type, as `stat` says
    public PlainZip file(String name, byte[] content, int mode) {
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        var sum = new CRC32();
        sum.update(content);
        int place = files.size();
        number(files, 0x04034b50, 4);
        common(files, path, content, sum.getValue());
        number(files, 0, 2);
        files.writeBytes(path);
        files.writeBytes(content);
        number(directory, 0x02014b50, 4);
        number(directory, 3 << 8 | 20, 2);
        common(directory, path, content, sum.getValue());
        number(directory, 0, 8);
        number(directory, (long) mode << 16, 4);
        number(directory, place, 4);
        directory.writeBytes(path);
        count++;
        return this;
    }

    private static void common(ByteArrayOutputStream to, byte[] path, byte[] content, long sum) {
        number(to, 20, 2);
        number(to, 1 << 11, 2);
        number(to, 0, 4);
        number(to, 33, 2);
        number(to, sum, 4);
        number(to, content.length, 4);
        number(to, content.length, 4);
        number(to, path.length, 2);
    }

    private static void number(ByteArrayOutputStream to, long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            to.write((int) (i < 8 ? value >>> (8 * i) : 0));
        }
    }

    public byte[] end() {
        var out = new ByteArrayOutputStream();
        out.writeBytes(files.toByteArray());
        out.writeBytes(directory.toByteArray());
        number(out, 0x06054b50, 4);
        number(out, 0, 4);
        number(out, count, 2);
        number(out, count, 2);
        number(out, directory.size(), 4);
        number(out, files.size(), 4);
        number(out, 0, 2);
        return out.toByteArray();
    }
}
