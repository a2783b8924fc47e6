package dev.sheaf.server.skill.archive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Writes zip archives (APPNOTE.TXT of PKWARE). Files are stored without compression, with names in UTF-8 and
/// their modes; the time is the earliest one that the format has. For fewer than 65,536 files and less than 4
/// GiB.
final class ZipWriter {
    private static final int LOCAL = 30;
    private static final int CENTRAL = 46;
    private static final int END = 22;
    private static final int VERSION = 20;
    private static final int UNIX = 3 << 8;
    private static final int UTF_8 = 1 << 11;
    private static final int FIRST_DAY = 1 << 5 | 1; // 1980-01-01
    private static final long REGULAR_FILE = 0100000;

    private ZipWriter() {}

    static long length(List<ArchiveFile> files) {
        long length = END;
        for (var file : files) {
            length += LOCAL + CENTRAL + 2L * name(file).length + file.size();
        }
        return length;
    }

    private static byte[] name(ArchiveFile file) {
        return file.path().getBytes(StandardCharsets.UTF_8);
    }

    /// @param sums the CRC-32 of each file
    static void write(List<ArchiveFile> files, List<Long> sums, FileContents contents, OutputStream out)
            throws IOException {
        var directory = new ByteArrayOutputStream();
        long offset = 0;
        for (int i = 0; i < files.size(); i++) {
            var file = files.get(i);
            byte[] name = name(file);
            var local = new Fields(LOCAL);
            local.add(0x04034b50, 4).add(VERSION, 2);
            common(local, file, sums.get(i), name).add(0, 2);
            out.write(local.bytes);
            out.write(name);
            contents.writeTo(file, out);

            var central = new Fields(CENTRAL);
            central.add(0x02014b50, 4).add(UNIX | VERSION, 2).add(VERSION, 2);
            common(central, file, sums.get(i), name).add(0, 2);
            central.add(0, 2).add(0, 2).add(0, 2); // comment, disk, internal attributes
            central.add((REGULAR_FILE | file.mode()) << 16, 4).add(offset, 4);
            directory.writeBytes(central.bytes);
            directory.writeBytes(name);
            offset += LOCAL + name.length + file.size();
        }
        directory.writeTo(out);
        var end = new Fields(END);
        end.add(0x06054b50, 4).add(0, 2).add(0, 2);
        end.add(files.size(), 2).add(files.size(), 2).add(directory.size(), 4).add(offset, 4);
        out.write(end.bytes);
    }

    private static Fields common(Fields to, ArchiveFile file, long sum, byte[] name) {
        return to.add(UTF_8, 2)
                .add(0, 2) // stored
                .add(0, 2)
                .add(FIRST_DAY, 2)
                .add(sum, 4)
                .add(file.size(), 4)
                .add(file.size(), 4)
                .add(name.length, 2);
    }

    /// Encodes numbers one after the other, lowest byte first.
    private static final class Fields {
        private final byte[] bytes;
        private int filled;

        Fields(int length) {
            this.bytes = new byte[length];
        }

        Fields add(long value, int count) {
            StoredGzip.little(bytes, filled, value, count);
            filled += count;
            return this;
        }
    }
}
