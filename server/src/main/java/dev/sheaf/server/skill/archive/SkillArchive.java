package dev.sheaf.server.skill.archive;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.Digest;
import dev.sheaf.model.PathRules;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32;

/// An archive of some files. It is never in memory as a whole: it is assembled for each request, always with
/// the same bytes. Immutable.
public final class SkillArchive {
    private static final long UNKNOWN = -1;

    private final ArchiveForm form;
    private final List<ArchiveFile> files;
    private final long length;
    private final Digest key;

    private SkillArchive(ArchiveForm form, List<ArchiveFile> files) {
        this.form = form;
        this.files = files;
        this.length = form == ArchiveForm.ZIP ? ZipWriter.length(files) : StoredGzip.length(TarWriter.length(files));
        this.key = key(form, files);
    }

    /// @param files at least one
    /// @throws IllegalArgumentException if the format cannot hold their paths
    public static SkillArchive of(ArchiveForm form, List<ArchiveFile> files) {
        if (form == ArchiveForm.TAR_GZ && !TarWriter.holds(files)) {
            throw new IllegalArgumentException("a tar archive cannot hold these paths");
        }
        return new SkillArchive(form, sorted(files));
    }

    /// Returns whether the format can hold the paths of these files, so that every program unpacks them alike.
    public static boolean isPossible(ArchiveForm form, List<ArchiveFile> files) {
        return form == ArchiveForm.ZIP
                ? files.stream().noneMatch(file -> PathRules.isNumbered(file.path()))
                : TarWriter.holds(files);
    }

    /// Sorts by the bytes of the paths.
    private static List<ArchiveFile> sorted(List<ArchiveFile> files) {
        return files.stream()
                .sorted(Comparator.comparing(
                        (ArchiveFile file) -> file.path().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned))
                .toList();
    }

    private static Digest key(ArchiveForm form, List<ArchiveFile> files) {
        var text = new StringBuilder(form.ending()).append('\n');
        for (var file : files) {
            text.append(file.mode())
                    .append(' ')
                    .append(file.digest())
                    .append(' ')
                    .append(file.path())
                    .append('\n');
        }
        return Digest.sha256(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /// The digest and sizes of an archive, known after all of it was read.
    ///
    /// @param sums its CRC-32 checksums: of the whole for gzip, of each file for zip
    public record Facts(Digest digest, long size, List<Long> sums) {
        public Facts {
            sums = List.copyOf(sums);
        }
    }

    public ArchiveForm form() {
        return form;
    }

    /// Returns the length in bytes.
    public long length() {
        return length;
    }

    /// Returns a key for its contents and format: archives with the same key have the same bytes.
    public Digest key() {
        return key;
    }

    /// Reads all files to compute the facts. The caller's thread reads the bytes, piece by piece; the threads
    /// of the pool process them.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [CpuPool#run]
    public Facts derive(FileContents contents, CpuPool cpu) throws IOException {
        var hash = Digest.Algorithm.SHA256.newHash();
        List<Long> sums;
        if (form == ArchiveForm.ZIP) {
            sums = sums(contents, cpu);
            try (var pieces = new PieceWriter(new Hashing(hash), cpu)) {
                ZipWriter.write(files, sums, contents, pieces);
            }
        } else {
            var gzip = new StoredGzip(new Hashing(hash), TarWriter.length(files), UNKNOWN);
            try (var pieces = new PieceWriter(gzip, cpu)) {
                TarWriter.write(files, contents, pieces);
            }
            sums = List.of(gzip.sum());
        }
        return new Facts(Digest.finish(Digest.Algorithm.SHA256, hash.digest()), length, sums);
    }

    /// Returns the SHA-256 of the tar archive before compression.
    public Digest plainDigest(FileContents contents, CpuPool cpu) throws IOException {
        var hash = Digest.Algorithm.SHA256.newHash();
        try (var pieces = new PieceWriter(new Hashing(hash), cpu)) {
            TarWriter.write(files, contents, pieces);
        }
        return Digest.finish(Digest.Algorithm.SHA256, hash.digest());
    }

    private List<Long> sums(FileContents contents, CpuPool cpu) throws IOException {
        var sums = new ArrayList<Long>();
        for (var file : files) {
            var sum = new CRC32();
            try (var pieces = new PieceWriter(new Summing(sum), cpu)) {
                contents.writeTo(file, pieces);
            }
            sums.add(sum.getValue());
        }
        return sums;
    }

    /// Writes the archive.
    public void writeTo(OutputStream out, Facts facts, FileContents contents) throws IOException {
        if (form == ArchiveForm.ZIP) {
            ZipWriter.write(files, facts.sums(), contents, out);
        } else {
            try (var gzip =
                    new StoredGzip(out, TarWriter.length(files), facts.sums().getFirst())) {
                TarWriter.write(files, contents, gzip);
            }
        }
    }

    /// Returns all bytes of a short archive.
    public byte[] bytes(Facts facts, FileContents contents) throws IOException {
        var out = new ByteArrayOutputStream(Math.toIntExact(length));
        writeTo(out, facts, contents);
        return out.toByteArray();
    }

    private static final class Hashing extends OutputStream {
        private final MessageDigest hash;

        Hashing(MessageDigest hash) {
            this.hash = hash;
        }

        @Override
        public void write(int value) {
            hash.update((byte) value);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {
            hash.update(bytes, offset, count);
        }
    }

    private static final class Summing extends OutputStream {
        private final CRC32 sum;

        Summing(CRC32 sum) {
            this.sum = sum;
        }

        @Override
        public void write(int value) {
            sum.update(value);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {
            sum.update(bytes, offset, count);
        }
    }
}
