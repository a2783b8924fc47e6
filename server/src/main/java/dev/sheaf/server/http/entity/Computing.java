package dev.sheaf.server.http.entity;

import dev.sheaf.model.ProblemException;
import dev.sheaf.server.cpu.Budget;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.cpu.Results;
import java.time.Duration;
import java.util.Optional;

/// What requests and answers take of the processors. What is small is done at once; the rest on the threads for it, in
/// turn with others, so that large bodies of some keep nobody waiting whose request is small. Thread-safe.
public final class Computing {
    private static final byte[] NOTHING = {};
    private static final int SMALL = 32 << 10;
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration CODING_LIMIT = Duration.ofSeconds(2);
    private static final long KEPT = 16 << 20;

    private final CpuPool cpu;
    private final Results<Key, Coded> coded;

    /// @param etag of the bytes without coding
    private record Key(String etag, Coding coding) {}

    /// Bytes in a coding; empty where they do not get smaller.
    private static final class Coded {
        final byte[] bytes;

        Coded(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    public Computing(CpuPool cpu) {
        this.cpu = cpu;
        this.coded = new Results<>(cpu, CODING_LIMIT, KEPT, (key, value) -> value.bytes.length + 200);
    }

    /// Computes with so many bytes.
    ///
    /// @throws ProblemException as [CpuPool#run]
    public <T> T run(long bytes, CpuPool.Work<T> work) {
        return bytes <= SMALL ? work.run(Budget.of(LIMIT)) : cpu.run(LIMIT, work);
    }

    /// The entity tag of bytes. Nobody is refused for it: an answer is there already.
    public String digest(byte[] bytes) {
        return bytes.length <= SMALL
                ? EntityTag.of(bytes)
                : cpu.offer(LIMIT, budget -> EntityTag.of(bytes)).orElseGet(() -> EntityTag.of(bytes));
    }

    /// The bytes in a coding; empty where they would not get smaller, or the caller has had enough of the processors:
    /// the plain form is always right.
    ///
    /// @param etag of the bytes
    public Optional<byte[]> coded(Coding coding, byte[] bytes, String etag) {
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

    private static byte[] encoded(Coding coding, byte[] bytes, Budget budget) {
        return Coding.shrinks(bytes)
                ? smaller(coding.encode(bytes, budget), bytes).orElse(NOTHING)
                : NOTHING;
    }

    private static Optional<byte[]> smaller(byte[] made, byte[] bytes) {
        return made.length < bytes.length ? Optional.of(made) : Optional.empty();
    }
}
