package dev.sheaf.model.archive;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// Writes zip archives field by field, so that a test may change any of them.
final class ZipBytes {
    private final ByteArrayOutputStream files = new ByteArrayOutputStream();
    private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
    private int count;

    /// The fields of an entry, as a packer on Unix writes them.
    static final class Entry {
        String name;
        byte[] content = new byte[0];
        int needed = 20;
        int host = 3;
        int flags = 1 << 11;
        int method;
        int mode = 0100644;
        int attributes;
        byte[] extra = new byte[0];
        byte[] localExtra = new byte[0];
        byte[] comment = new byte[0];
        String localName;
        byte[] before = new byte[0];
        byte[] slack = new byte[0];

        Entry(String name, String content) {
            this.name = name;
            this.localName = name;
            this.content = utf8(content);
        }

        byte[] packed() {
            if (method == 0) {
                return content;
            }
            var deflater = new Deflater(6, true);
            deflater.setInput(content);
            deflater.finish();
            var buffer = new byte[content.length + 100];
            int length = deflater.deflate(buffer);
            deflater.end();
            var out = new ByteArrayOutputStream();
            out.write(buffer, 0, length);
            out.writeBytes(slack);
            return out.toByteArray();
        }
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    ZipBytes file(String name, String content) {
        return entry(new Entry(name, content));
    }

    ZipBytes entry(Entry entry) {
        byte[] packed = entry.packed();
        var sum = new CRC32();
        sum.update(entry.content);
        files.writeBytes(entry.before);
        int place = files.size();
        number(files, 0x04034b50, 4);
        common(files, entry, sum.getValue(), packed.length, utf8(entry.localName).length);
        number(files, entry.localExtra.length, 2);
        files.writeBytes(utf8(entry.localName));
        files.writeBytes(entry.localExtra);
        files.writeBytes(packed);
        number(directory, 0x02014b50, 4);
        number(directory, entry.host << 8 | 20, 2);
        common(directory, entry, sum.getValue(), packed.length, utf8(entry.name).length);
        number(directory, entry.extra.length, 2);
        number(directory, entry.comment.length, 2);
        number(directory, 0, 4);
        number(directory, Integer.toUnsignedLong(entry.mode << 16 | entry.attributes), 4);
        number(directory, place, 4);
        directory.writeBytes(utf8(entry.name));
        directory.writeBytes(entry.extra);
        directory.writeBytes(entry.comment);
        count++;
        return this;
    }

    private static void common(ByteArrayOutputStream to, Entry entry, long sum, int packed, int nameLength) {
        number(to, entry.needed, 2);
        number(to, entry.flags, 2);
        number(to, entry.method, 2);
        number(to, 0, 2);
        number(to, 33, 2);
        number(to, sum, 4);
        number(to, packed, 4);
        number(to, entry.content.length, 4);
        number(to, nameLength, 2);
    }

    static void number(ByteArrayOutputStream to, long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            to.write((int) (value >>> (8 * i)));
        }
    }

    byte[] end() {
        return end("");
    }

    byte[] end(String comment) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(files.toByteArray());
        out.writeBytes(directory.toByteArray());
        number(out, 0x06054b50, 4);
        number(out, 0, 4);
        number(out, count, 2);
        number(out, count, 2);
        number(out, directory.size(), 4);
        number(out, files.size(), 4);
        number(out, comment.length(), 2);
        out.writeBytes(utf8(comment));
        return out.toByteArray();
    }
}
