package dev.sheaf.server.http.entity;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.cpu.ResultCache;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.heap.HeapShare;
import java.time.Duration;
import java.util.Optional;

/// Runs the computations of requests and answers. Small work runs immediately, on the caller's thread. Larger
/// work runs in the pool and takes turns with other callers, so that large bodies do not delay small requests.
/// Thread-safe.
public final class RequestComputing {
    private static final byte[] NOTHING = {};
    private static final int SMALL = 32 << 10;
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration CODING_LIMIT = Duration.ofSeconds(2);

    private final CpuPool cpu;
    private final ResultCache<Key, Coded> coded;

    /// @param etag the entity tag of the plain bytes
    private record Key(String etag, ContentCoding coding) {}

    /// Encoded bytes; empty if encoding does not make them smaller.
    private static final class Coded {
        final byte[] bytes;

        Coded(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    public RequestComputing(CpuPool cpu) {
        this.cpu = cpu;
        this.coded = new ResultCache<>(
                cpu,
                CODING_LIMIT,
                HeapShare.COMPRESSED_ANSWERS.bytes(),
                (key, value) -> HeapShare.ofArray(value.bytes.length) + HeapShare.ENTRY);
    }

    /// Runs work immediately or in the pool, depending on its size.
    ///
    /// @param bytes how many bytes the work processes
    /// @throws ProblemException those of [CpuPool#run]
    public <T> T run(long bytes, CpuPool.Work<T> work) {
        return bytes <= SMALL ? work.run(Budget.of(LIMIT)) : cpu.run(LIMIT, work);
    }

    /// Returns the entity tag of bytes. If the pool refuses the work, this thread does it, because the answer
    /// exists already.
    public String digest(byte[] bytes) {
        return bytes.length <= SMALL
                ? EntityTag.of(bytes)
                : cpu.offer(LIMIT, budget -> EntityTag.of(bytes)).orElseGet(() -> EntityTag.of(bytes));
    }

    /// Returns the encoded bytes. Empty if they would not be smaller, or if the pool refuses the work; the
    /// caller then sends the plain form.
    ///
    /// @param etag the entity tag of the bytes
    public Optional<byte[]> coded(ContentCoding coding, byte[] bytes, String etag) {
        if (bytes.length <= SMALL) {
            return smaller(coding.encode(bytes, Budget.of(CODING_LIMIT)), bytes);
        }
        try {
            byte[] made = coded.get(new Key(etag, coding), budget -> new Coded(encoded(coding, bytes, budget))).bytes;
            return made.length == 0 ? Optional.empty() : Optional.of(made);
        } catch (ProblemException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private static byte[] encoded(ContentCoding coding, byte[] bytes, Budget budget) {
        return ContentCoding.shrinks(bytes)
                ? smaller(coding.encode(bytes, budget), bytes).orElse(NOTHING)
                : NOTHING;
    }

    private static Optional<byte[]> smaller(byte[] made, byte[] bytes) {
        return made.length < bytes.length ? Optional.of(made) : Optional.empty();
    }
}
