package dev.sheaf.server.git.pack;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.git.history.GitObject;
import dev.sheaf.server.git.history.HistoryRows;
import dev.sheaf.server.registry.Repository;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/// Sends a pack. Objects are looked up in batches and blobs are read while they are sent, so that a pack of any
/// size takes little memory. Each object is sent as a whole, without deltas; content that does not compress is
/// stored uncompressed. Immutable.
public final class PackStream {
    private static final int TOGETHER = 64;
    private static final int SMALL = 64 << 10; // in bytes; a larger tree or commit is looked up alone

    private final PackPlan plan;
    private final Repository repository;
    private final Database database;
    private final AssetBytes contents;
    private final CpuPool cpu;

    public PackStream(PackPlan plan, Repository repository, Database database, AssetBytes contents, CpuPool cpu) {
        this.plan = plan;
        this.repository = repository;
        this.database = database;
        this.contents = contents;
        this.cpu = cpu;
    }

    /// @param notices lines for the user, which git prints after `remote:`; lost on a client without a side band
    /// @throws IOException if the client stops reading, or an object cannot be read any more; the client gets
    ///     the error if it supports that
    public void writeTo(OutputStream out, List<String> notices) throws IOException {
        out.write(plan.start());
        if (plan.payload() == 0) {
            pack(out);
            return;
        }
        var band = new SideBand(out, plan.payload());
        for (String notice : notices) {
            band.say(notice);
        }
        try {
            pack(band);
        } catch (ProblemException e) {
            band.fail(e.problem().detail());
            throw new IOException("an object cannot be read", e);
        }
        band.end();
    }

    private void pack(OutputStream out) throws IOException {
        var hash = sha1();
        hash.update(plan.header());
        var hashed = new DigestOutputStream(out, hash);
        for (int from = 0; from < plan.objects(); from += TOGETHER) {
            int to = Math.min(from + TOGETHER, plan.objects());
            var found = found(from, to);
            for (int i = from; i < to; i++) {
                write(whole(found.get(plan.id(i))), hashed);
            }
        }
        out.write(hash.digest());
        out.flush();
    }

    private Map<ObjectId, GitObject> found(int from, int to) {
        var names = new ArrayList<String>(to - from);
        for (int i = from; i < to; i++) {
            names.add(plan.id(i).name());
        }
        var found = new HashMap<ObjectId, GitObject>();
        database.read(tx -> HistoryRows.find(tx, repository.id(), names, SMALL))
                .forEach(object -> found.put(object.id(), object));
        return found;
    }

    /// Returns the object with its bytes, unless it is a blob.
    private GitObject whole(@Nullable GitObject found) {
        if (found == null) {
            throw changed();
        }
        return found.kind() == GitObject.Kind.BLOB || found.packed() != null
                ? found
                : database.read(tx ->
                                HistoryRows.find(tx, repository.id(), found.id().name()))
                        .orElseThrow(PackStream::changed);
    }

    private static ProblemException changed() {
        return new Problem.Conflict("the bundle was changed during the fetch; fetch again").raise();
    }

    private void write(GitObject object, OutputStream out) throws IOException {
        head(object, out);
        byte[] packed = object.packed();
        var digest = object.digest();
        if (packed != null) {
            out.write(packed);
        } else if (digest != null) {
            var content = contents.open(repository, digest, object.size());
            var deflater = new Deflater(Deflater.BEST_SPEED);
            try (var zlib = new Packing(out, deflater, cpu)) {
                content.writeTo(zlib, 0, object.size());
            } finally {
                deflater.end();
            }
        }
    }

    /// Writes the header of an object: four bits of the size next to the kind, seven in each following byte
    /// (gitformat-pack).
    private static void head(GitObject object, OutputStream out) throws IOException {
        long left = object.size() >>> 4;
        int next = object.kind().number() << 4 | (int) (object.size() & 15);
        while (left != 0) {
            out.write(next | 0x80);
            next = (int) (left & 0x7f);
            left >>>= 7;
        }
        out.write(next);
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    /// Wraps output in packets that start with a number for their kind: 1 for the pack, 2 for a
    /// message, 3 for an error
    /// (gitprotocol-pack, "Packfile Data").
    private static final class SideBand extends OutputStream {
        private static final int PACK = 1;
        private static final int MESSAGE = 2;
        private static final int ERROR = 3;
        private static final byte[] END = "0000".getBytes(StandardCharsets.US_ASCII);

        private final OutputStream out;
        private final byte[] piece;
        private int length;

        SideBand(OutputStream out, int payload) {
            this.out = out;
            this.piece = new byte[payload];
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            for (int done = 0; done < count; ) {
                int more = Math.min(count - done, piece.length - length);
                System.arraycopy(bytes, offset + done, piece, length, more);
                length += more;
                done += more;
                if (length == piece.length) {
                    flush();
                }
            }
        }

        @Override
        public void flush() throws IOException {
            if (length > 0) {
                packet(PACK, piece, length);
                length = 0;
            }
        }

        private void packet(int channel, byte[] bytes, int count) throws IOException {
            byte[] packet = new byte[count + 5];
            byte[] head = "%04x".formatted(count + 5).getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(head, 0, packet, 0, head.length);
            packet[4] = (byte) channel;
            System.arraycopy(bytes, 0, packet, 5, count);
            out.write(packet);
        }

        void say(String line) throws IOException {
            byte[] words = (line + "\n").getBytes(StandardCharsets.UTF_8);
            packet(MESSAGE, words, Math.min(words.length, piece.length));
        }

        void fail(String why) throws IOException {
            byte[] words = why.getBytes(StandardCharsets.UTF_8);
            packet(ERROR, words, Math.min(words.length, piece.length));
            out.write(END);
        }

        void end() throws IOException {
            flush();
            out.write(END);
        }
    }
}
