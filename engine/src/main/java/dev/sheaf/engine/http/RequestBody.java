package dev.sheaf.engine.http;

import dev.sheaf.model.Problem;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A request's body. The loop puts pieces in, the request's thread takes them out. If much is held, the loop stops
/// reading, and TCP or the window of the stream stops the client.
final class RequestBody extends InputStream {
    static final int MOST = 512 << 10;
    private static final int FEW = 16 << 10;
    /// Smaller pieces are copied together: each would keep an object, and the whole buffer of its read.
    private static final int SMALL = 8 << 10;
    /// The bytes that all bodies hold. If they are many, each may hold a few only.
    private static final AtomicLong ALL = new AtomicLong();
    private static final long MANY = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 8);

    private final HttpExchange exchange;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final ArrayDeque<ByteBuf> pieces = new ArrayDeque<>();
    private @Nullable ByteBuf gathered; // the latest small pieces, if they are among the pieces
    private int held;
    private boolean waits;
    private boolean complete; // all of it has arrived
    private boolean dropped;
    private boolean stopped; // the loop reads no more
    private boolean read; // to its end, or to its failure
    private @Nullable Exception failure;

    RequestBody(HttpExchange exchange) {
        this.exchange = exchange;
    }

    /// Returns how many bytes a body may hold.
    static int most() {
        return ALL.get() > MANY ? FEW : MOST;
    }

    // --- on the loop ---

    /// Takes a piece over.
    ///
    /// @return whether the loop must stop reading until [HttpConnection#goOnReading]
    boolean put(ByteBuf piece) {
        lock.lock();
        try {
            if (dropped) {
                piece.release();
                return false;
            }
            int bytes = piece.readableBytes();
            if (bytes < SMALL) {
                gather(piece);
            } else {
                pieces.add(piece);
            }
            held += bytes;
            ALL.addAndGet(bytes);
            if (held >= most()) {
                stopped = true; // until the reader says otherwise, also if it has taken some bytes since
            }
            if (stopped) {
                wake();
            }
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    private void gather(ByteBuf piece) {
        var last = pieces.peekLast();
        if (last == null || last != gathered || last.maxWritableBytes() < piece.readableBytes()) {
            last = piece.alloc().buffer(piece.readableBytes(), SMALL);
            pieces.add(last);
            gathered = last;
        }
        last.writeBytes(piece);
        piece.release();
    }

    /// Returns the number of buffers that it holds.
    int buffers() {
        lock.lock();
        try {
            return pieces.size();
        } finally {
            lock.unlock();
        }
    }

    /// The bytes that have arrived are all for now.
    void batch() {
        lock.lock();
        try {
            if (held > 0) {
                wake();
            }
        } finally {
            lock.unlock();
        }
    }

    void complete() {
        lock.lock();
        try {
            complete = true;
            wake();
        } finally {
            lock.unlock();
        }
    }

    /// @param why a [RequestPayload.BrokenException], or the problem of malformed chunks
    void fail(Exception why) {
        lock.lock();
        try {
            if (!complete && failure == null) {
                failure = why;
                wake();
            }
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        if (waits) {
            waits = false;
            arrived.signal();
        }
    }

    // --- on the request's thread ---

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length == 0) {
            return 0;
        }
        exchange.bodyWanted();
        int count = 0;
        boolean goOn = false;
        lock.lock();
        try {
            if (!isDone()) {
                await();
            }
            while (count < length && !pieces.isEmpty()) {
                var piece = pieces.element();
                int part = Math.min(length - count, piece.readableBytes());
                piece.readBytes(buffer, offset + count, part);
                count += part;
                if (!piece.isReadable()) {
                    gathered = piece == gathered ? null : gathered; // the allocator may use the object again
                    pieces.remove().release();
                }
            }
            held -= count;
            ALL.addAndGet(-count);
            if (stopped && held <= MOST / 2) {
                stopped = false;
                goOn = true;
            }
            if (count == 0) {
                read = true;
                throwFailure();
                return -1;
            }
        } finally {
            lock.unlock();
        }
        if (goOn) {
            exchange.goOnReading();
        }
        exchange.received(count);
        return count;
    }

    private boolean isDone() {
        return !pieces.isEmpty() || complete || failure != null || dropped;
    }

    private void await() throws IOException {
        long since = exchange.receive();
        try {
            while (!isDone()) {
                waits = true;
                arrived.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            read = true;
            throw new RequestPayload.BrokenException("the wait for the body was interrupted", e);
        } finally {
            waits = false;
            exchange.receivedAfter(since);
        }
    }

    private void throwFailure() throws IOException {
        switch (failure) {
            case null -> {}
            case dev.sheaf.model.ProblemException malformed -> throw malformed;
            case Exception e -> throw new RequestPayload.BrokenException("the body ended early", e);
        }
    }

    static Exception malformed(Throwable cause) {
        return new Problem.BadRequest("the chunked body is malformed: "
                        + (cause instanceof io.netty.handler.codec.TooLongFrameException
                                ? "one of its lines is too long"
                                : "a chunk does not begin with its size, or does not end after it"))
                .raise();
    }

    @Override
    public int available() {
        lock.lock();
        try {
            return held;
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether it was read to its end.
    boolean hasEnded() {
        lock.lock();
        try {
            return read || complete && pieces.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// Releases what nobody has read; called at the end of the exchange.
    void drop() {
        lock.lock();
        try {
            dropped = true;
            ALL.addAndGet(-held);
            held = 0;
            gathered = null;
            pieces.forEach(ByteBuf::release);
            pieces.clear();
            wake();
        } finally {
            lock.unlock();
        }
    }
}
