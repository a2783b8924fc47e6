package dev.sheaf.model.archive;

import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import dev.sheaf.model.ProblemException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the files of a gzipped tar archive that is written to it piece by piece. It accepts only files and
/// folders: no links, devices or sparse files, no paths outside of the archive's root, and no duplicate paths.
/// Memory and the unpacked size are limited. Not thread-safe.
public final class PackedFiles extends OutputStream {
    /// The limit for the number of files.
    public static final int MAX_FILES = 1_000;
    /// The limit for all files together.
    public static final long MAX_BYTES = 50L << 20;

    private static final int MAX_HEADERS = 4 * MAX_FILES;
    private static final int MAX_EXTENDED = 64 << 10;
    private static final long MAX_UNPACKED = MAX_BYTES + (16L << 20); // headers, padding, extended headers
    private static final String WHITEOUT = ".wh.";

    /// The annotation by which oras marks a layer as the archive of a folder.
    public static final String UNPACK = "io.deis.oras.content.unpack";
    private static final Set<String> TYPES = Set.of(
            "application/vnd.agentskills.skill.content.v1.tar+gzip",
            "application/vnd.oci.image.layer.v1.tar+gzip",
            "application/vnd.redhat.agentskill.layer.v1.tar+gzip");

    /// Returns whether a layer, if it is the only layer of its manifest, is an archive of the bundle's files.
    public static boolean isPacked(String mediaType, Map<String, String> annotations) {
        return TYPES.contains(mediaType) || "true".equals(annotations.get(UNPACK));
    }

    /// Receives the content of each file, once it is complete.
    public interface Taker {
        void take(PackedFile file, byte[] content) throws IOException;
    }

    private final GzipReader gzip = new GzipReader(new Tar(), MAX_UNPACKED);
    private final @Nullable Taker taker;
    private final List<PackedFile> files = new ArrayList<>();

    /// Creates a reader that only lists the files.
    public PackedFiles() {
        this(null);
    }

    /// Creates a reader that also passes on the contents.
    ///
    /// @param taker receives the contents; null to discard them
    public PackedFiles(@Nullable Taker taker) {
        this.taker = taker;
    }

    @Override
    public void write(int value) throws IOException {
        gzip.write(value);
    }

    /// @throws UnfitArchive if the archive contains something other than plain files and folders
    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        gzip.write(bytes, offset, count);
    }

    /// Returns all files, in the order of the archive.
    ///
    /// @throws UnfitArchive if the archive is incomplete, or paths clash
    public List<PackedFile> finish() throws IOException {
        gzip.close();
        var clashes = PathRules.clashes(files.stream().map(PackedFile::path).toList());
        if (!clashes.isEmpty()) {
            throw new UnfitArchive("has paths that clash: " + clashes.getFirst().detail());
        }
        return List.copyOf(files);
    }

    /// Releases the buffers. Call it always, even after errors.
    @Override
    public void close() {
        gzip.release();
    }

    private final class Tar extends OutputStream {
        private final byte[] block = new byte[TarHeader.BLOCK];
        private int filled;
        private int headers;
        private int zeros;
        private long bytes;
        private long left; // bytes of the current content
        private @Nullable TarHeader header;
        private @Nullable PaxRecords pax;
        private @Nullable String longName;
        private @Nullable MessageDigest hash;
        private @Nullable ByteArrayOutputStream content;

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int count) throws IOException {
            int at = offset;
            while (at < offset + count) {
                int some = Math.min(TarHeader.BLOCK - filled, offset + count - at);
                System.arraycopy(from, at, block, filled, some);
                at += some;
                filled += some;
                if (filled == TarHeader.BLOCK) {
                    filled = 0;
                    block();
                }
            }
        }

        private void block() throws IOException {
            if (left > 0) {
                int some = (int) Math.min(left, TarHeader.BLOCK);
                left -= some;
                if (hash != null) {
                    hash.update(block, 0, some);
                }
                if (content != null) {
                    content.write(block, 0, some);
                }
                if (left == 0) {
                    end();
                }
            } else if (isZero()) {
                zeros++;
            } else if (zeros > 0) {
                throw new UnfitArchive("continues after its end");
            } else {
                begin(TarHeader.of(block));
            }
        }

        private boolean isZero() {
            for (byte value : block) {
                if (value != 0) {
                    return false;
                }
            }
            return true;
        }

        private void begin(TarHeader next) throws IOException {
            if (++headers > MAX_HEADERS) {
                throw new UnfitArchive("has more than " + MAX_HEADERS + " entries");
            }
            header = next;
            left = next.size();
            hash = null;
            content = null;
            switch (next.type()) {
                case '0' -> beginFile(next);
                case '5' -> {
                    if (next.size() != 0) {
                        throw new UnfitArchive("has a folder with content");
                    }
                    path(next);
                }
                case 'x', 'g', 'L' -> {
                    if (next.size() > MAX_EXTENDED) {
                        throw new UnfitArchive("has an extended header that is too long");
                    }
                    content = new ByteArrayOutputStream();
                }
                case '1', '2' -> throw new UnfitArchive("has a link, " + next.path());
                default -> throw new UnfitArchive("has an entry that is neither file nor folder, " + next.path());
            }
            if (left == 0) {
                end();
            }
        }

        private void beginFile(TarHeader next) throws IOException {
            bytes += next.size();
            if (files.size() == MAX_FILES || bytes > MAX_BYTES) {
                throw new UnfitArchive("has more than " + MAX_FILES + " files or " + MAX_BYTES + " bytes");
            }
            hash = Digest.Algorithm.SHA256.newHash();
            content = taker == null ? null : new ByteArrayOutputStream();
        }

        /// Returns the path of the entry: from the extended header before it, else from its own header.
        private String path(TarHeader of) throws IOException {
            var extended = pax;
            String given = longName;
            if (extended != null && extended.size() != null && extended.size() != of.size()) {
                throw new UnfitArchive("has two different sizes for " + of.path());
            }
            if (extended != null && extended.path() != null) {
                given = extended.path();
            }
            pax = null;
            longName = null;
            return given == null ? of.path() : given;
        }

        private void end() throws IOException {
            var of = header;
            if (of == null) {
                return;
            }
            header = null;
            byte[] whole = content == null ? new byte[0] : content.toByteArray();
            switch (of.type()) {
                case '0' -> endFile(of, whole);
                case 'x' -> pax = PaxRecords.read(whole);
                case 'g' -> {
                    var all = PaxRecords.read(whole);
                    if (all.path() != null || all.size() != null) {
                        throw new UnfitArchive("sets one path or size for all files");
                    }
                }
                case 'L' -> longName = TarHeader.utf8(whole, 0, lengthOfText(whole));
                default -> {} // a folder
            }
        }

        private static int lengthOfText(byte[] bytes) {
            int length = bytes.length;
            while (length > 0 && bytes[length - 1] == 0) {
                length--;
            }
            return length;
        }

        private void endFile(TarHeader of, byte[] whole) throws IOException {
            String path = path(of);
            var digest = Digest.finish(Digest.Algorithm.SHA256, hash == null ? new byte[0] : hash.digest());
            try {
                var file = new PackedFile(
                        LogicalPath.parse(path.startsWith("./") ? path.substring(2) : path),
                        of.mode(),
                        digest,
                        of.size());
                if (file.path().value().startsWith(WHITEOUT)
                        || file.path().value().contains("/" + WHITEOUT)) {
                    throw new UnfitArchive("has a whiteout file, which removes other files: " + path);
                }
                files.add(file);
                if (taker != null) {
                    taker.take(file, whole);
                }
            } catch (ProblemException e) {
                throw new UnfitArchive(
                        "has a path that is not allowed: " + e.problem().detail());
            }
        }

        @Override
        public void close() throws IOException {
            if (left > 0 || filled > 0 || zeros < 2) {
                throw new UnfitArchive("is broken: it ends too early");
            }
        }
    }
}
