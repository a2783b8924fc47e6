package dev.sheaf.model.archive;

import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.text.Utf8Text;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// The files of a zip archive in memory, read through its central directory. Unlike the JDK's library, it
/// reports links and which files are executable. It accepts only plain files and folders, stored or deflated,
/// and checks their number and sizes before it unpacks any. It does not check names: check them before you
/// write files. Immutable.
public final class ZippedFiles {
    private static final int END = 0x06054b50;
    private static final int END_LENGTH = 22;
    private static final int MAX_COMMENT = 0xFFFF;
    private static final int ENTRY = 0x02014b50;
    private static final int ENTRY_LENGTH = 46;
    private static final int LOCAL = 0x04034b50;
    private static final int LOCAL_LENGTH = 30;
    private static final int ENCRYPTED = 1;
    private static final int STORED = 0;
    private static final int DEFLATED = 8;
    private static final int MOST_DEFLATED = 1_032; // the highest ratio, according to zlib's documentation
    private static final int TYPE = 0xF000;
    private static final int FOLDER = 0x4000;
    private static final int PLAIN = 0x8000;
    private static final int LINK = 0xA000;
    private static final int OWNER_EXECUTES = 0100;

    private final byte[] archive;
    private final List<Entry> entries;

    /// A file in the archive.
    ///
    /// @param name the name in the central directory, unchecked
    /// @param size the unpacked size, in bytes
    /// @param packed the compressed size, in bytes
    /// @param crc the CRC-32 of the unpacked content
    /// @param place the offset of the compressed content in the archive
    public record Entry(String name, boolean isExecutable, long size, long packed, int method, long crc, long place) {}

    private ZippedFiles(byte[] archive, List<Entry> entries) {
        this.archive = archive;
        this.entries = List.copyOf(entries);
    }

    /// Opens an archive.
    ///
    /// @param archive must not be changed afterwards
    /// @param maxFiles the limit for the number of files and folders
    /// @param maxBytes the limit for the unpacked size of all files together
    /// @throws UnfitArchive if it is not a zip archive, or contains something other than plain files and folders
    public static ZippedFiles open(byte[] archive, int maxFiles, long maxBytes) throws UnfitArchive {
        var bytes = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
        int end = end(bytes);
        int count = u2(bytes, end + 10);
        long size = u4(bytes, end + 12);
        long start = u4(bytes, end + 16);
        if (count == 0xFFFF || size == 0xFFFFFFFFL || start == 0xFFFFFFFFL) {
            throw new UnfitArchive("is a Zip64 file, for more than 65,534 files or 4 GiB, which is not supported");
        }
        if (count > maxFiles) {
            throw new UnfitArchive("has " + count + " entries; at most " + maxFiles);
        }
        if (u2(bytes, end + 4) != 0 || u2(bytes, end + 6) != 0 || u2(bytes, end + 8) != count) {
            throw new UnfitArchive("is only one part of an archive");
        }
        if (start + size != end) {
            throw new UnfitArchive("is broken: its directory is not at the offset that it states");
        }
        var entries = new ArrayList<Entry>();
        int at = (int) start;
        for (int i = 0; i < count; i++) {
            at = read(bytes, at, end, entries);
        }
        if (at != end) {
            throw new UnfitArchive("is broken: it does not have the " + count + " entries that it declares");
        }
        check(entries, start, maxBytes);
        return new ZippedFiles(archive, entries);
    }

    /// Returns the offset of the end record: the last such record that is followed only by its own comment.
    private static int end(ByteBuffer bytes) throws UnfitArchive {
        int last = bytes.limit() - END_LENGTH;
        for (int at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
            if (bytes.getInt(at) == END && at + END_LENGTH + u2(bytes, at + 20) == bytes.limit()) {
                return at;
            }
        }
        throw new UnfitArchive("is not a zip file, or is incomplete");
    }

    /// @return the offset of the next entry
    private static int read(ByteBuffer bytes, int at, int end, List<Entry> into) throws UnfitArchive {
        if (end - at < ENTRY_LENGTH || bytes.getInt(at) != ENTRY) {
            throw new UnfitArchive("is broken: its directory ends too early");
        }
        int name = u2(bytes, at + 28);
        long next = (long) at + ENTRY_LENGTH + name + u2(bytes, at + 30) + u2(bytes, at + 32);
        if (next > end) {
            throw new UnfitArchive("is broken: its directory ends too early");
        }
        String path = text(bytes, at + ENTRY_LENGTH, name);
        int mode = u2(bytes, at + 40);
        int type = mode & TYPE;
        long size = u4(bytes, at + 24);
        if (type == LINK) {
            throw new UnfitArchive("has a link, " + quoted(path));
        }
        if (type != 0 && type != PLAIN && type != FOLDER) {
            throw new UnfitArchive("has an entry that is neither file nor folder, " + quoted(path));
        }
        if (type == FOLDER || path.endsWith("/")) {
            if (size != 0) {
                throw new UnfitArchive("has a folder with content, " + quoted(path));
            }
            return (int) next;
        }
        into.add(entry(bytes, at, path, (mode & OWNER_EXECUTES) != 0));
        return (int) next;
    }

    private static Entry entry(ByteBuffer bytes, int at, String path, boolean isExecutable) throws UnfitArchive {
        int method = u2(bytes, at + 10);
        long packed = u4(bytes, at + 20);
        long size = u4(bytes, at + 24);
        if ((u2(bytes, at + 8) & ENCRYPTED) != 0) {
            throw new UnfitArchive("is encrypted, at least " + quoted(path));
        }
        if (method != STORED && method != DEFLATED) {
            throw new UnfitArchive("has " + quoted(path) + " compressed with an unsupported method: " + method);
        }
        if (method == STORED ? packed != size : size > MOST_DEFLATED * (packed + 1)) {
            throw new UnfitArchive("states an impossible size for " + quoted(path));
        }
        long local = u4(bytes, at + 42);
        if (local + LOCAL_LENGTH > at || bytes.getInt((int) local) != LOCAL) {
            throw new UnfitArchive("is broken: " + quoted(path) + " is not at the offset that its directory states");
        }
        int name = u2(bytes, (int) local + 26);
        long place = local + LOCAL_LENGTH + name + u2(bytes, (int) local + 28);
        if (place > at || !text(bytes, (int) local + LOCAL_LENGTH, name).equals(path)) {
            throw new UnfitArchive("has a different name for " + quoted(path) + " in the file's own header");
        }
        return new Entry(path, isExecutable, size, packed, method, u4(bytes, at + 16), place);
    }

    /// Checks that the contents come before the directory and do not overlap. Files that share bytes could
    /// unpack to many times the size of the archive.
    private static void check(List<Entry> entries, long start, long maxBytes) throws UnfitArchive {
        long all = 0;
        for (var entry : entries) {
            all += entry.size();
        }
        if (all > maxBytes) {
            throw new UnfitArchive("unpacks to " + all + " bytes; at most " + maxBytes);
        }
        long before = 0;
        for (var entry :
                entries.stream().sorted(Comparator.comparingLong(Entry::place)).toList()) {
            if (entry.place() < before || entry.place() + entry.packed() > start) {
                throw new UnfitArchive(
                        "is broken: the content of " + quoted(entry.name()) + " overlaps with something else");
            }
            before = entry.place() + entry.packed();
        }
    }

    /// Returns all files, in the order of the directory.
    public List<Entry> entries() {
        return entries;
    }

    /// Returns the unpacked size of all files, in bytes.
    public long size() {
        return entries.stream().mapToLong(Entry::size).sum();
    }

    /// Returns the content of one of [#entries].
    ///
    /// @throws UnfitArchive if the content does not match the directory
    public byte[] content(Entry entry) throws UnfitArchive {
        var content = new byte[(int) entry.size()];
        if (entry.method() == STORED) {
            System.arraycopy(archive, (int) entry.place(), content, 0, content.length);
        } else {
            inflate(entry, content);
        }
        var sum = new CRC32();
        sum.update(content);
        if (sum.getValue() != entry.crc()) {
            throw broken(entry);
        }
        return content;
    }

    private void inflate(Entry entry, byte[] content) throws UnfitArchive {
        var inflater = new Inflater(true);
        try {
            inflater.setInput(archive, (int) entry.place(), (int) entry.packed());
            int length = 0;
            for (int more = 1; more > 0 && length < content.length; length += more) {
                more = inflater.inflate(content, length, content.length - length);
            }
            boolean isMore = inflater.inflate(new byte[1]) > 0;
            if (length != content.length || isMore || !inflater.finished() || inflater.getRemaining() > 0) {
                throw broken(entry);
            }
        } catch (DataFormatException e) {
            throw broken(entry);
        } finally {
            inflater.end();
        }
    }

    private static UnfitArchive broken(Entry entry) {
        return new UnfitArchive(
                "is broken: the content of " + quoted(entry.name()) + " does not match its size or checksum");
    }

    private static String text(ByteBuffer bytes, int at, int length) throws UnfitArchive {
        return Utf8Text.of(bytes.slice(at, length))
                .orElseThrow(() -> new UnfitArchive(
                        "has a name that is not UTF-8; pack it with a program that writes UTF-8 names"));
    }

    private static String quoted(String name) {
        return Quoted.of(name);
    }

    private static int u2(ByteBuffer bytes, int at) {
        return Short.toUnsignedInt(bytes.getShort(at));
    }

    private static long u4(ByteBuffer bytes, int at) {
        return Integer.toUnsignedLong(bytes.getInt(at));
    }
}
