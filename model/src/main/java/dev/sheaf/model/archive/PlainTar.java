package dev.sheaf.model.archive;

import dev.sheaf.model.text.Quoted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads plain tar archives in gzip.
final class PlainTar {
    private static final int BLOCK = TarHeader.BLOCK;
    private static final int GZIP_LEAST = 18;
    private static final int HEADER_SUM = 2; // FHCRC (RFC 1952, section 2.3.1)
    private static final int MAX_EXTENDED = 64 << 10;
    private static final long MAX_UNPACKED = PlainArchive.MAX_BYTES + (16L << 20); // with headers and padding
    private static final byte[] USTAR = {'u', 's', 't', 'a', 'r', 0, '0', '0'};

    /// Records of paths, sizes, and times, which libraries write for files.
    private static final Pattern RECORD =
            Pattern.compile("(?s)path=.+|size=[0-9]+|[mac]time=-?[0-9]{1,11}(?:\\.[0-9]{1,20})?");

    /// The places and lengths of all numbers in a header. A reader may end at one that it cannot read.
    private static final int[][] NUMBERS = {{108, 8}, {116, 8}, {136, 12}, {329, 8}, {337, 8}};

    private final byte[] tar;
    private final Runnable step;
    private final PlainNames names = new PlainNames();
    private final List<PlainFile> files = new ArrayList<>();
    private int at;
    private int entries;
    private long bytes;
    private @Nullable PaxRecords pax;

    private PlainTar(byte[] tar, Runnable step) {
        this.tar = tar;
        this.step = step;
    }

    /// Returns the unpacked size in the trailer of the gzip (RFC 1952, section 2.3.1).
    static long size(byte[] archive) throws UnfitArchive {
        if (archive.length < GZIP_LEAST) {
            throw new UnfitArchive("is not gzip");
        }
        long size = 0;
        for (int i = 1; i <= 4; i++) {
            size = size << 8 | archive[archive.length - i] & 0xff;
        }
        if (size > MAX_UNPACKED) {
            throw new UnfitArchive("unpacks to " + size + " bytes; at most " + MAX_UNPACKED);
        }
        return size;
    }

    static List<PlainFile> read(byte[] archive, Runnable step) throws UnfitArchive {
        long size = size(archive);
        if ((archive[3] & HEADER_SUM) != 0) {
            throw new UnfitArchive("has a checksum of the gzip header, which not all programs check");
        }
        var unpacked = new ByteArrayOutputStream((int) size);
        var gzip = new GzipReader(unpacked, size);
        try {
            for (int from = 0; from < archive.length; from += MAX_EXTENDED) {
                step.run();
                gzip.write(archive, from, Math.min(MAX_EXTENDED, archive.length - from));
            }
            gzip.close();
            var own = new PlainTar(unpacked.toByteArray(), step);
            own.entries();
            return own.files;
        } catch (UnfitArchive e) {
            throw e;
        } catch (IOException e) {
            throw new IllegalStateException("memory can always be written", e);
        } finally {
            gzip.release();
        }
    }

    private void entries() throws IOException {
        while (at + BLOCK <= tar.length && !isZero(at, at + BLOCK)) {
            step.run();
            if (++entries > 2 * PlainArchive.MAX_ENTRIES) {
                throw new UnfitArchive("has more than " + 2 * PlainArchive.MAX_ENTRIES + " entries");
            }
            entry();
        }
        if (pax != null) {
            throw new UnfitArchive("ends with an extended header");
        }
        if (tar.length % BLOCK != 0 || tar.length - at < 2 * BLOCK || !isZero(at, tar.length)) {
            throw new UnfitArchive("does not end with two empty blocks and nothing else");
        }
        names.finish();
    }

    private boolean isZero(int from, int to) {
        for (int i = from; i < to; i++) {
            if (tar[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private void entry() throws IOException {
        byte[] block = Arrays.copyOfRange(tar, at, at + BLOCK);
        var header = TarHeader.of(block);
        String name = Quoted.of(header.path());
        if (!Arrays.equals(block, 257, 265, USTAR, 0, USTAR.length)) {
            throw new UnfitArchive("has a header of " + name
                    + " that is not of POSIX; pack it with tar --format=ustar or --format=pax");
        }
        for (int[] number : NUMBERS) {
            TarHeader.octal(block, number[0], number[1]);
        }
        if (block[124] == 0 || block[124] == ' ') {
            throw new UnfitArchive("has no size of " + name);
        }
        if (TarHeader.special(block) != 0) {
            throw new UnfitArchive("has a special mode of " + name);
        }
        int from = at + BLOCK;
        long end = from + (header.size() + BLOCK - 1) / BLOCK * BLOCK;
        if (end > tar.length) {
            throw new UnfitArchive("is broken: " + name + " ends too early");
        }
        int last = from + (int) header.size();
        if (!isZero(last, (int) end)) {
            throw new UnfitArchive("has something behind " + name);
        }
        at = (int) end;
        switch (block[156]) {
            case 'x' -> extended(name, from, last);
            case '0' -> file(header, from, last);
            case '5' -> folder(header, name);
            case '1', '2' -> throw new UnfitArchive("has a link, " + name);
            default -> throw new UnfitArchive("has an entry that is neither file nor folder, " + name);
        }
    }

    private void extended(String name, int from, int to) throws IOException {
        if (pax != null || to - from > MAX_EXTENDED) {
            throw new UnfitArchive("has two extended headers of one entry, or one that is too long: " + name);
        }
        var records = PaxRecords.read(Arrays.copyOfRange(tar, from, to));
        pax = records;
        var keys = new HashSet<String>();
        boolean isPlain = records.all().stream()
                .allMatch(record ->
                        RECORD.matcher(record).matches() && keys.add(record.substring(0, record.indexOf('='))));
        if (!isPlain) {
            throw new UnfitArchive(
                    "has an extended header that is not of path, size and times, or has one twice: " + name);
        }
    }

    private void file(TarHeader header, int from, int to) throws IOException {
        bytes += header.size();
        if (bytes > PlainArchive.MAX_BYTES) {
            throw new UnfitArchive("unpacks to more than " + PlainArchive.MAX_BYTES + " bytes");
        }
        var path = names.file(path(header));
        files.add(new PlainFile(path, (header.mode() & 0100) != 0, Arrays.copyOfRange(tar, from, to)));
    }

    private void folder(TarHeader header, String name) throws IOException {
        String path = path(header);
        if (header.size() != 0) {
            throw new UnfitArchive("has a folder with content, " + name);
        }
        names.folder(path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    }

    /// Returns the path of an entry: of the extended header before it, else its own.
    private String path(TarHeader header) throws UnfitArchive {
        var extended = pax;
        pax = null;
        if (extended != null && extended.size() != null && extended.size() != header.size()) {
            throw new UnfitArchive("has two different sizes of " + Quoted.of(header.path()));
        }
        return extended == null || extended.path() == null ? header.path() : extended.path();
    }
}
