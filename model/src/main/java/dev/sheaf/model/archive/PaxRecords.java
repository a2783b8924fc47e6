package dev.sheaf.model.archive;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The supported records of an extended header (POSIX.1-2001, pax). Records that change the content of a file
/// are refused, since programs differ in which of them they support.
///
/// @param all each as `key=value`, in their order
record PaxRecords(@Nullable String path, @Nullable Long size, List<String> all) {
    static PaxRecords read(byte[] bytes) throws IOException {
        String path = null;
        Long size = null;
        var all = new ArrayList<String>();
        for (int at = 0; at < bytes.length; ) {
            int space = at;
            while (space < bytes.length && bytes[space] != ' ') {
                space++;
            }
            int end = at + length(bytes, at, space);
            if (end <= space + 1 || end > bytes.length || bytes[end - 1] != '\n') {
                throw broken();
            }
            String record = TarHeader.utf8(bytes, space + 1, end - space - 2);
            int equals = record.indexOf('=');
            if (equals < 1) {
                throw broken();
            }
            String key = record.substring(0, equals);
            String value = record.substring(equals + 1);
            if (key.startsWith("GNU.sparse") || key.equals("linkpath") || key.equals("hdrcharset")) {
                throw new UnfitArchive("has an extended header " + key + ", which is not supported");
            }
            all.add(record);
            path = key.equals("path") ? value : path;
            size = key.equals("size") ? Long.valueOf(number(value)) : size;
            at = end;
        }
        return new PaxRecords(path, size, all);
    }

    private static int length(byte[] bytes, int from, int to) throws IOException {
        return (int) number(TarHeader.utf8(bytes, from, Math.min(to - from, 10)));
    }

    private static long number(String text) throws IOException {
        if (!text.matches("[0-9]{1,9}")) {
            throw broken();
        }
        return Long.parseLong(text);
    }

    private static UnfitArchive broken() {
        return new UnfitArchive("has an extended header that cannot be read");
    }
}
