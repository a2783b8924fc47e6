package dev.sheaf.server.git.history;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.BlobContent;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jgit.lib.ObjectId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Computes git's ids of contents. Bytes are read on the caller's thread and hashed in the pool: many small
/// contents at a time, or a large one in pieces, so that never more than a few megabytes are in memory.
/// Thread-safe.
final class BlobIds {
    private static final Logger LOG = LoggerFactory.getLogger(BlobIds.class);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final long SMALL = 256 << 10;
    private static final int PIECE = 1 << 20;
    private static final long TOGETHER = 4 << 20;
    private static final int MANY = 64;
    private static final long RETRY_SECONDS = 60;

    private final AssetBytes contents;
    private final CpuPool cpu;

    BlobIds(AssetBytes contents, CpuPool cpu) {
        this.contents = contents;
        this.cpu = cpu;
    }

    /// A content of the repository.
    record Wanted(Digest digest, long size) {}

    private record Read(Wanted wanted, BlobContent content) {}

    /// Computes the git objects of some contents.
    ///
    /// @param checkTime called before each piece of work; throws if the time is over
    /// @param made receives each object
    /// @throws ProblemException service-unavailable if bytes are damaged or missing; those of [CpuPool#run]
    void of(Repository repository, List<Wanted> wanted, Runnable checkTime, Consumer<GitObject> made) {
        var small = new ArrayList<Read>();
        long together = 0;
        for (var next : wanted) {
            checkTime.run();
            var content = open(repository, next);
            if (next.size() > SMALL) {
                made.accept(GitObject.blob(streamed(next, content, checkTime), next.size(), next.digest()));
                continue;
            }
            small.add(new Read(next, content));
            together += next.size() + 1_000;
            if (together > TOGETHER || small.size() == MANY) {
                hashed(small).forEach(made);
                small.clear();
                together = 0;
            }
        }
        hashed(small).forEach(made);
    }

    BlobContent open(Repository repository, Wanted wanted) {
        try {
            return contents.open(repository, wanted.digest(), wanted.size());
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.BlobUnknown) {
                throw unreadable(wanted);
            }
            throw e;
        }
    }

    private static ProblemException unreadable(Wanted wanted) {
        return new Problem.Unavailable(
                        "the bytes of " + wanted.digest()
                                + " are damaged or cannot be read now, so the history for git cannot be made; ask the"
                                + " registry's operator",
                        RETRY_SECONDS)
                .raise();
    }

    private List<GitObject> hashed(List<Read> small) {
        if (small.isEmpty()) {
            return List.of();
        }
        var bytes = small.stream().map(read -> read.content().bytes()).toList();
        return cpu.run(LIMIT, budget -> {
            var made = new ArrayList<GitObject>(bytes.size());
            for (int i = 0; i < bytes.size(); i++) {
                budget.check();
                var wanted = small.get(i).wanted();
                var hash = GitObject.hash(GitObject.Kind.BLOB, wanted.size());
                hash.update(bytes.get(i));
                made.add(GitObject.blob(ObjectId.fromRaw(hash.digest()), wanted.size(), wanted.digest()));
            }
            return made;
        });
    }

    private ObjectId streamed(Wanted wanted, BlobContent content, Runnable checkTime) {
        var hash = GitObject.hash(GitObject.Kind.BLOB, wanted.size());
        try (var out = new Pieces(hash, checkTime)) {
            content.writeTo(out, 0, wanted.size());
        } catch (IOException e) {
            LOG.error("cannot read {}: {}", wanted.digest(), e.toString());
            LOG.debug("where it failed", e);
            throw unreadable(wanted);
        }
        return ObjectId.fromRaw(hash.digest());
    }

    /// Collects the written bytes and hashes them piece by piece.
    private final class Pieces extends OutputStream {
        private final MessageDigest hash;
        private final Runnable checkTime;
        private final byte[] piece = new byte[PIECE];
        private int length;

        Pieces(MessageDigest hash, Runnable checkTime) {
            this.hash = hash;
            this.checkTime = checkTime;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {
            for (int done = 0; done < count; ) {
                int more = Math.min(count - done, PIECE - length);
                System.arraycopy(bytes, offset + done, piece, length, more);
                length += more;
                done += more;
                if (length == PIECE) {
                    flush();
                }
            }
        }

        @Override
        public void flush() {
            checkTime.run();
            int filled = length;
            length = 0;
            cpu.run(LIMIT, budget -> {
                hash.update(piece, 0, filled);
                return filled;
            });
        }

        @Override
        public void close() {
            flush();
        }
    }
}
