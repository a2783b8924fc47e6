package dev.sheaf.engine.http;

import dev.sheaf.model.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request's body, and the memory that the request holds. Bound to its thread.
public final class RequestPayload {
    private static final int FIRST_BYTES = 4 << 10;
    private static final long SHORT = 64 << 10; // a connection's own memory suffices for such answers
    private static final byte[] NOTHING = {};

    /// Thrown if the body of a request cannot be read: the client or its connection is gone, so it gets no answer. A
    /// handler may wrap it. All other failures of reading and writing are those of the server, which answers them.
    static final class BrokenException extends IOException {
        private static final long serialVersionUID = 1;

        BrokenException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    private final HttpExchange request;
    private final MemoryBudget budget;
    private final Supplier<MemoryBudget.Account> holder;
    private MemoryBudget.@Nullable Account account;
    private long arrived;
    private long borrowed;
    private byte @Nullable [] kept;

    /// @param holder returns who holds the memory; called when memory is first taken
    public RequestPayload(HttpExchange request, MemoryBudget budget, Supplier<MemoryBudget.Account> holder) {
        this.holder = holder;
        this.request = request;
        this.budget = budget;
    }

    public InputStream stream() {
        return kept == null ? request.body() : new ByteArrayInputStream(kept);
    }

    /// Returns whether the body of a request could not be read, and this is the reason of the failure.
    public static boolean isBroken(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BrokenException) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether the request has a body.
    public boolean isSent() {
        return request.hasBody();
    }

    /// Returns whether the client may still send a part of the body.
    public boolean isUnread() {
        return kept == null && !request.isBodyRead();
    }

    /// Returns whether the connection must be closed after the answer. This is the case if the beginning of the
    /// next request is uncertain: the client waited for `100 Continue` and got an answer instead, so it may or
    /// may not send the body; or the body is chunked; or the request was malformed. It is also the case if the
    /// rest of the body is too long to read.
    public boolean endsConnection() {
        return request.isSpare()
                || request.fault() != null
                || request.isHeldBack()
                || request.isChunked()
                || isUnread() && request.contentLength().orElse(0) > HttpConnection.LINGER_BYTES;
    }

    /// @param most the refusal of a longer body
    /// @throws dev.sheaf.model.ProblemException payload-too-large, rate-limited
    public byte[] whole(Problem.PayloadTooLarge most) {
        byte[] whole = kept;
        if (whole == null) {
            return read(most);
        }
        if (whole.length > most.limit()) {
            throw most.raise();
        }
        return whole;
    }

    /// Returns the whole body, which can be read again.
    public byte[] keep(Problem.PayloadTooLarge most) {
        byte[] whole = read(most);
        kept = whole;
        return whole;
    }

    private byte[] read(Problem.PayloadTooLarge most) {
        long announced = request.contentLength().orElse(-1);
        if (announced > most.limit()) {
            throw most.raise();
        }
        try (InputStream in = stream()) {
            return read(in, announced, most);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads the body. Takes memory as the bytes arrive, at most twice their number, because the client may
    /// send less than it announced.
    private byte[] read(InputStream in, long announced, Problem.PayloadTooLarge most) throws IOException {
        byte[] whole = {};
        int length = 0;
        for (int read = 0; read >= 0 && length != announced; ) {
            if (length == whole.length) {
                long longest = announced < 0 ? most.limit() + 1 : announced;
                whole = Arrays.copyOf(whole, (int) Math.min(longest, Math.max(FIRST_BYTES, 2L * length)));
                arrived(whole.length - length);
            }
            read = in.read(whole, length, whole.length - length);
            length += Math.max(0, read);
            if (length > most.limit()) {
                throw most.raise();
            }
        }
        return length == whole.length ? whole : Arrays.copyOf(whole, length);
    }

    private void arrived(long bytes) {
        budget.take(account(), bytes, arrived + borrowed);
        arrived += bytes;
    }

    /// Returns the bytes of the largest body of which so many copies can be in memory on this node.
    public long largest(int copies) {
        return budget.largest(copies);
    }

    /// Reserves memory for bytes that the request holds until [#worked].
    public void borrow(MemoryBudget.Work what) {
        budget.takeForWork(account(), what, arrived + borrowed);
        borrowed += what.total();
    }

    /// Releases all memory except the memory of bytes that are still to be sent. Takes memory for the rest of a long
    /// answer. Call it when the answer is made; the body cannot be read afterwards.
    ///
    /// @param unsent how many bytes of the answer are still to be sent
    /// @param mayRefuse false if the request has changed something, so that its answer must be sent
    /// @throws dev.sheaf.model.ProblemException rate-limited, payload-too-large
    public void worked(long unsent, boolean mayRefuse) {
        if (kept != null) {
            kept = NOTHING;
        }
        if (account != null) {
            long still = Math.min(borrowed, unsent);
            budget.giveBack(account, arrived, borrowed - still);
            arrived = 0;
            borrowed = still;
        }
        if (mayRefuse && unsent > borrowed && unsent > SHORT) {
            borrow(new MemoryBudget.Work("the answer", unsent - borrowed, 1));
        }
    }

    private MemoryBudget.Account account() {
        if (account == null) {
            account = holder.get();
        }
        return account;
    }

    public void close() {
        worked(0, false);
    }
}
