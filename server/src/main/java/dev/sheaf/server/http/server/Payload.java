package dev.sheaf.server.http.server;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.http.wire.Http1Bytes;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request's body, and the memory that the request takes. Bound to its thread.
public final class Payload {
    private static final int FIRST_BYTES = 4 << 10;
    private static final long LINGER_BYTES = 32 << 20;
    private static final byte[] NOTHING = {};
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final ServerRequest request;
    private final MemoryBudget budget;
    private final Timeouts.Work work;
    private final Supplier<MemoryBudget.Account> holder;
    private MemoryBudget.@Nullable Account account;
    private long arrived;
    private long borrowed;
    private byte @Nullable [] kept;
    private boolean isInner;
    private @Nullable Body body;

    /// @param holder who takes the memory; asked when the first is taken
    public Payload(
            ServerRequest request, MemoryBudget budget, Timeouts.Work work, Supplier<MemoryBudget.Account> holder) {
        this.holder = holder;
        this.request = request;
        this.budget = budget;
        this.work = work;
    }

    /// The body of a request that is made within the process while this one is answered. Its memory is on this one's
    /// account.
    public Payload within(byte[] whole) {
        var inner = new Payload(request, budget, work, this::account);
        inner.kept = whole;
        inner.isInner = true;
        return inner;
    }

    public InputStream stream() {
        if (kept != null) {
            return new ByteArrayInputStream(kept);
        }
        if (!request.content().hasEntity()) {
            return InputStream.nullInputStream();
        }
        body = new Body(request.content().inputStream(), work);
        return body;
    }

    /// Whether the request has a body.
    public boolean isSent() {
        return isInner ? kept != null && kept.length > 0 : request.content().hasEntity();
    }

    /// Whether the client sends, or may send, more than was read.
    public boolean isUnread() {
        return kept == null && request.content().hasEntity() && (body == null || !body.hasEnded());
    }

    /// Whether what follows this request cannot be told from its body: the client was to wait for a word before it
    /// sends that, and got an answer instead, whatever it does now; or the body is chunked, see [Dispatcher]; or
    /// the request could not be read. Or more is to come of the body than is worth the connection.
    public boolean endsConnection() {
        return work.isSpare()
                || isHeldBack()
                || isUnread() && request.headers().contentLength().orElse(0) > LINGER_BYTES
                || request.headers().contains(HeaderNames.TRANSFER_ENCODING)
                || work.wire() instanceof Http1Bytes wire && wire.isOver();
    }

    /// Whether the client waits for a word before it sends, and got none.
    private boolean isHeldBack() {
        return body == null && request.headers().contains(HeaderNames.EXPECT);
    }

    /// Reads on what still comes of a body that was not wanted, within bounds, before its connection is closed: a
    /// connection that is closed on unread bytes is reset, and the client may lose the answer (RFC 9112, section
    /// 9.6).
    public void linger() {
        if (isHeldBack()) {
            return;
        }
        long end = System.nanoTime() + LINGER.toNanos();
        work.linger(LINGER);
        var rest = new byte[8 << 10];
        try {
            var in = body == null ? stream() : body;
            for (long read = 0; read < LINGER_BYTES && System.nanoTime() < end; ) {
                int more = in instanceof Body sent && sent.hasEnded() ? -1 : in.read(rest);
                if (more < 0) {
                    break;
                }
                read += more;
            }
        } catch (IOException | ProblemException e) {
            // the client is gone, or sends what is no body
        } finally {
            work.lingered();
        }
        if (work.wire() instanceof Http1Bytes wire && wire.isOver()) {
            work.discard(LINGER_BYTES, LINGER);
        }
    }

    /// @throws dev.sheaf.model.ProblemException payload-too-large, rate-limited
    public byte[] whole(String what, long limit) {
        byte[] whole = kept;
        if (whole == null) {
            return read(what, limit);
        }
        if (whole.length > limit) {
            throw new Problem.PayloadTooLarge(what, limit).raise();
        }
        return whole;
    }

    /// The whole body, which can be read again.
    public byte[] keep(String what, long limit) {
        byte[] whole = read(what, limit);
        kept = whole;
        return whole;
    }

    private byte[] read(String what, long limit) {
        long announced = request.headers().contentLength().orElse(-1);
        if (announced > limit) {
            throw new Problem.PayloadTooLarge(what, limit).raise();
        }
        try (InputStream in = stream()) {
            return read(in, announced, what, limit);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Takes memory as the bytes come, at most twice as many of it: what is announced has not come, and may never.
    private byte[] read(InputStream in, long announced, String what, long limit) throws IOException {
        byte[] whole = {};
        int length = 0;
        for (int read = 0; read >= 0 && length != announced; ) {
            if (length == whole.length) {
                long most = announced < 0 ? limit + 1 : announced;
                whole = Arrays.copyOf(whole, (int) Math.min(most, Math.max(FIRST_BYTES, 2L * length)));
                arrived(whole.length - length);
            }
            read = in.read(whole, length, whole.length - length);
            length += Math.max(0, read);
            if (length > limit) {
                throw new Problem.PayloadTooLarge(what, limit).raise();
            }
        }
        return length == whole.length ? whole : Arrays.copyOf(whole, length);
    }

    private void arrived(long bytes) {
        budget.take(account(), bytes, arrived + borrowed);
        arrived += bytes;
    }

    /// Counts bytes that the request holds in memory until [#worked].
    public void borrow(MemoryBudget.Work what) {
        budget.takeForWork(account(), what, arrived + borrowed);
        borrowed += what.total();
    }

    /// The work is done, and its answer made: all is given back but what is still to be sent. The body cannot be read
    /// any more.
    ///
    /// @param unsent bytes
    public void worked(long unsent) {
        if (kept != null) {
            kept = NOTHING;
        }
        if (account != null) {
            long still = Math.min(borrowed, unsent);
            budget.giveBack(account, arrived, borrowed - still);
            arrived = 0;
            borrowed = still;
        }
    }

    private MemoryBudget.Account account() {
        if (account == null) {
            account = holder.get();
        }
        return account;
    }

    public void close() {
        worked(0);
    }
}
