package dev.sheaf.model.archive;

import dev.sheaf.model.text.Quoted;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Checks what [ZippedFiles] leaves open (APPNOTE.TXT of PKWARE): the entries follow each other without a gap, in the
/// order of the directory; both headers of an entry are equal; and there is nothing else.
final class PlainZip {
    private static final int END_LENGTH = 22;
    private static final int END = 0x06054b50;
    private static final int ZIP64_LOCATOR = 0x07064b50;
    private static final int ZIP64_LOCATOR_LENGTH = 20;
    private static final int LOCAL = 0x04034b50;
    private static final int LOCAL_LENGTH = 30;
    private static final int ENTRY_LENGTH = 46;
    private static final int COMMON = 24; // bytes that both headers have in the same order, up to the name's length
    private static final int VERSION = 20;
    private static final int UTF_8 = 1 << 11;
    private static final int LEVEL = 6; // bits of the flags: how hard the packer tried
    private static final int TIMES = 0x5455;
    private static final int OWNER = 0x7875;
    private static final int UNIX = 3;
    private static final int TYPE = 0170000;
    private static final int FOLDER = 0040000;
    private static final int SPECIAL = 07000;
    private static final int EXECUTES = 0111;
    private static final int DOS_FOLDER = 0x10;
    private static final int DOS_PLAIN = 0x21; // read-only, archive

    private final byte[] archive;
    private final ByteBuffer bytes;
    private final PlainNames names = new PlainNames();

    private PlainZip(byte[] archive) {
        this.archive = archive;
        this.bytes = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
    }

    static List<PlainFile> read(byte[] archive, Runnable step) throws UnfitArchive {
        var zip = ZippedFiles.open(archive, PlainArchive.MAX_ENTRIES, PlainArchive.MAX_BYTES);
        var own = new PlainZip(archive);
        own.check();
        var paths = new PlainNames();
        var files = new ArrayList<PlainFile>();
        for (var entry : zip.entries()) {
            step.run();
            files.add(new PlainFile(paths.file(entry.name()), entry.isExecutable(), zip.content(entry)));
        }
        return files;
    }

    private void check() throws UnfitArchive {
        int end = archive.length - END_LENGTH;
        if (bytes.getInt(end) != END || u2(end + 20) != 0) {
            throw new UnfitArchive("has a comment, or something after its end");
        }
        if (end >= ZIP64_LOCATOR_LENGTH && bytes.getInt(end - ZIP64_LOCATOR_LENGTH) == ZIP64_LOCATOR) {
            throw new UnfitArchive("has a part of Zip64, which is not supported");
        }
        int start = bytes.getInt(end + 16);
        int at = start;
        int place = 0;
        for (int left = u2(end + 10); left > 0; left--) {
            place = entry(at, place, start);
            at += ENTRY_LENGTH + u2(at + 28) + u2(at + 30) + u2(at + 32);
        }
        if (place != start) {
            throw new UnfitArchive("has something between its last file and its directory");
        }
        names.finish();
    }

    /// Checks an entry.
    ///
    /// @param at where it is in the directory
    /// @param place where its own header must be
    /// @param start where the directory begins
    /// @return where the next one must be
    private int entry(int at, int place, int start) throws UnfitArchive {
        int length = u2(at + 28);
        String name = new String(archive, at + ENTRY_LENGTH, length, StandardCharsets.UTF_8);
        String quoted = Quoted.of(name);
        if (bytes.getInt(at + 42) != place || place + LOCAL_LENGTH + length > start || bytes.getInt(place) != LOCAL) {
            throw new UnfitArchive(
                    "has something before " + quoted + ", or has it in another place than its order says");
        }
        boolean isSame = Arrays.equals(archive, at + 6, at + 6 + COMMON, archive, place + 4, place + 4 + COMMON)
                && Arrays.equals(
                        archive,
                        at + ENTRY_LENGTH,
                        at + ENTRY_LENGTH + length,
                        archive,
                        place + LOCAL_LENGTH,
                        place + LOCAL_LENGTH + length);
        if (!isSame) {
            throw new UnfitArchive("has two headers of " + quoted + " that differ");
        }
        int flags = u2(at + 8);
        if ((flags & ~(UTF_8 | LEVEL)) != 0 || u2(at + 6) > VERSION) {
            throw new UnfitArchive("has " + quoted + " encrypted, or in a form other than plain zip");
        }
        if ((flags & UTF_8) == 0 && name.chars().anyMatch(c -> c >= 0x80)) {
            throw new UnfitArchive("does not say that the name " + quoted + " is UTF-8");
        }
        if (u2(at + 32) != 0 || u2(at + 34) != 0) {
            throw new UnfitArchive("has a comment of " + quoted);
        }
        int extra = u2(place + 28);
        long next = (long) place + LOCAL_LENGTH + length + extra + Integer.toUnsignedLong(bytes.getInt(at + 20));
        if (next > start) {
            throw new UnfitArchive("is broken: " + quoted + " does not end before the directory");
        }
        extras(at + ENTRY_LENGTH + length, u2(at + 30), quoted);
        extras(place + LOCAL_LENGTH + length, extra, quoted);
        kind(at, name, quoted);
        return (int) next;
    }

    /// Checks that extra fields are times and owners; others change names, sizes or links.
    private void extras(int at, int length, String quoted) throws UnfitArchive {
        int end = at + length;
        int field = at;
        while (field + 4 <= end) {
            int tag = u2(field);
            if (tag != TIMES && tag != OWNER) {
                break;
            }
            field += 4 + u2(field + 2);
        }
        if (field != end) {
            throw new UnfitArchive("has an extra field of " + quoted + " that is not a time or an owner");
        }
    }

    /// Checks that the entry is a file or a folder by its name and by its mode. Only Unix keeps modes that all programs
    /// read alike.
    private void kind(int at, String name, String quoted) throws UnfitArchive {
        boolean isNamedFolder = name.endsWith("/");
        int host = archive[at + 5] & 0xff;
        int mode = u2(at + 40);
        boolean isUnix = host == UNIX;
        if (!isUnix && (host != 0 || (mode & EXECUTES) != 0 && !isNamedFolder)) {
            throw new UnfitArchive("has a mode of " + quoted + " that is not of Unix");
        }
        boolean isOddDos = !isUnix
                && ((archive[at + 38] & ~(DOS_FOLDER | DOS_PLAIN)) != 0
                        || name.chars().anyMatch(c -> c >= 0x80));
        if (isOddDos) { // volume labels are skipped, and names are read in a code page
            throw new UnfitArchive("has " + quoted + " with attributes or a name that not all programs read alike");
        }
        int type = mode & TYPE;
        boolean isFolder = type == FOLDER || type == 0 && isNamedFolder;
        boolean isDosFolder = (archive[at + 38] & DOS_FOLDER) != 0;
        if (isFolder != isNamedFolder || isDosFolder && !isNamedFolder || (mode & SPECIAL) != 0) {
            throw new UnfitArchive("has " + quoted + ", which is not a plain file or folder");
        }
        if (isNamedFolder) {
            if (u2(at + 10) != 0 || bytes.getInt(at + 16) != 0 || bytes.getInt(at + 20) != 0) {
                throw new UnfitArchive("has a folder with content, " + quoted);
            }
            names.folder(name.substring(0, name.length() - 1));
        } else {
            names.file(name);
        }
    }

    private int u2(int at) {
        return Short.toUnsignedInt(bytes.getShort(at));
    }
}
