package dev.sheaf.engine.http;

import dev.sheaf.model.Problem;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A request and its answer, as a handler sees them. Runs on a virtual thread, except for the methods under "on the
/// loop". A request whose handler works for longer than the limit is interrupted; the time of transfers does not count.
public final class HttpExchange {
    private static final Logger LOG = LoggerFactory.getLogger(HttpExchange.class);
    private static final ThreadFactory THREADS =
            Thread.ofVirtual().name("request").factory();
    private static final int QUEUED = 128 << 10; // bytes of an answer that may wait to be sent
    private static final int FEW_QUEUED = 16 << 10;
    /// The bytes of all answers that wait in memory. If they are many, each may have a few only.
    private static final AtomicLong WAITING = new AtomicLong();

    private static final long MANY = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 8);
    /// Characters that some clients send in a target, although it must not contain them.
    private static final String RAW = "\"<>\\^`{|}";

    private static final int WORKING = 0;
    private static final int INTERRUPTING = 1;
    private static final int INTERRUPTED = 2;
    private static final int DONE = 3;

    private final HttpConnection connection;
    private final HttpServer.Times times;
    private final HttpRequest request;
    private final @Nullable Problem fault;
    private final @Nullable RequestBody body;
    private final ResponseHead head = new ResponseHead();
    private @Nullable String target;
    private boolean begun;
    private boolean bodyOpened;
    private volatile boolean ends; // the connection, with this answer

    private volatile @Nullable Thread worker;
    private volatile long deadline;
    private volatile boolean timed;
    private volatile boolean moving;
    private volatile boolean resting;
    private volatile long movingSince;
    private final AtomicInteger state = new AtomicInteger(WORKING);
    private final MinimumPace in;
    private final MinimumPace out;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long queued; // bytes that the loop has not sent yet
    private @Nullable Throwable broken;
    private boolean gone;
    private @Nullable Thread rests;

    HttpExchange(
            HttpConnection connection,
            HttpServer.Times times,
            HttpRequest request,
            @Nullable Problem fault,
            boolean hasBody) {
        this.connection = connection;
        this.times = times;
        this.request = request;
        this.fault = fault;
        this.body = hasBody ? new RequestBody(this) : null;
        this.deadline = System.nanoTime() + times.api().toNanos();
        this.in = new MinimumPace(times.pace(), times.transfer());
        this.out = new MinimumPace(times.pace(), times.transfer());
    }

    // --- head ---

    public String method() {
        return request.method().name();
    }

    /// Returns the target without the query, encoded properly where the client has not done so.
    public String target() {
        int query = whole().indexOf('?');
        return query < 0 ? whole() : whole().substring(0, query);
    }

    /// Returns the query, still encoded; empty if there is none.
    public String query() {
        int query = whole().indexOf('?');
        return query < 0 ? "" : whole().substring(query + 1);
    }

    private String whole() {
        if (target == null) {
            String sent = request.uri();
            int fragment = sent.indexOf('#');
            target = encoded(fragment < 0 ? sent : sent.substring(0, fragment));
        }
        return target;
    }

    private static String encoded(String sent) {
        int first = 0;
        while (first < sent.length() && !isRaw(sent.charAt(first))) {
            first++;
        }
        if (first == sent.length()) {
            return sent;
        }
        var encoded = new StringBuilder(sent.length() + 16).append(sent, 0, first);
        for (char c : sent.substring(first).toCharArray()) {
            if (isRaw(c)) {
                encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) c));
            } else {
                encoded.append(c);
            }
        }
        return encoded.toString();
    }

    /// Returns whether the byte must be encoded in a target; some clients send it as it is.
    private static boolean isRaw(char c) {
        return c > 0x7f || RAW.indexOf(c) >= 0;
    }

    /// Returns the first line of a header.
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.headers().get(name));
    }

    /// Returns all values of a header from repeated lines, in order, not split at commas.
    public List<String> headers(String name) {
        return request.headers().getAll(name);
    }

    public boolean hasHeader(String name) {
        return request.headers().contains(name);
    }

    /// Returns the names of all headers, in lower case.
    public Set<String> headerNames() {
        return request.headers().names().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /// Returns the announced length of the body; empty if there is none.
    public OptionalLong contentLength() {
        String text = request.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        try {
            return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /// Returns why the request is refused, before anything else is looked at; null if it is not.
    public @Nullable Problem fault() {
        return fault;
    }

    public boolean isHttp1() {
        return connection.isHttp1();
    }

    public boolean isSecure() {
        return connection.isSecure();
    }

    public InetSocketAddress remote() {
        return connection.connection().remote;
    }

    public InetSocketAddress local() {
        return connection.connection().local;
    }

    /// Returns whether the connection only gets answers about health, see [ConnectionLimit].
    public boolean isSpare() {
        return connection.connection().slot == ConnectionLimit.Slot.SPARE;
    }

    // --- body ---

    boolean hasBody() {
        return body != null;
    }

    boolean isChunked() {
        return isHttp1() && request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
    }

    InputStream body() {
        return body == null ? InputStream.nullInputStream() : body;
    }

    /// Returns whether the body was read to its end.
    boolean isBodyRead() {
        return body == null || body.hasEnded();
    }

    /// Returns whether the client still waits for `100 Continue`.
    boolean isHeldBack() {
        return !bodyOpened && expectsContinue();
    }

    private boolean expectsContinue() {
        return request.protocolVersion() == HttpVersion.HTTP_1_1
                && request.headers().contains(HttpHeaderNames.EXPECT);
    }

    /// The first read of the body asks for it.
    void bodyWanted() {
        if (!bodyOpened) {
            bodyOpened = true;
            if (expectsContinue() && !begun) {
                connection.execute(() -> connection.sendContinue(this));
            }
        }
    }

    void goOnReading() {
        connection.execute(() -> connection.goOnReading(this));
    }

    /// Records that a wait for bytes of the body begins.
    ///
    /// @return the value to pass to [#receivedAfter]
    long receive() {
        long now = move();
        in.await(now, 0);
        return now;
    }

    /// Records that the wait is over.
    void receivedAfter(long since) {
        in.moved(System.nanoTime(), 0);
        moved(since);
    }

    /// Records that the handler has taken bytes of the body.
    void received(int bytes) {
        long now = System.nanoTime();
        in.await(now, 0);
        in.moved(now, bytes);
    }

    // --- answer ---

    public ResponseHead response() {
        return head;
    }

    /// Returns whether a part of the answer may have been sent.
    public boolean hasBegun() {
        return begun;
    }

    /// Begins the answer again, if nothing was sent.
    public boolean reset() {
        if (!begun) {
            head.clear();
        }
        return !begun;
    }

    /// Sends the head alone.
    public void send() {
        int status = head.status().code();
        boolean isEmpty = status == 204 || status == 304 || method().equals("HEAD");
        if (!isEmpty) {
            head.contentLength(0);
        }
        sendWhole(Unpooled.EMPTY_BUFFER, false);
    }

    /// Sends the head with a whole body.
    ///
    /// @param bytes not copied; must not be modified
    /// @param certain whether to wait until it was sent
    /// @throws DisconnectedException if it cannot be sent
    public void send(byte[] bytes, boolean certain) {
        head.contentLength(bytes.length);
        sendWhole(Unpooled.wrappedBuffer(bytes), certain || bytes.length > QUEUED);
    }

    private void sendWhole(ByteBuf content, boolean certain) {
        prepare();
        begun = true;
        var response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, head.status(), content, head.headers(), EmptyHttpHeaders.INSTANCE);
        enqueue(null, response, content.readableBytes(), true);
        if (certain) {
            awaitQueue(0);
        }
    }

    /// Returns a stream for the body of the answer.
    ///
    /// @param length the length in bytes; negative if it is unknown
    /// @param atItsEnd runs just before the last bytes are sent, if the length is known
    public ResponseStream stream(long length, Runnable atItsEnd) {
        if (length >= 0) {
            head.contentLength(length);
        }
        return new ResponseStream(this, length, atItsEnd);
    }

    private void prepare() {
        var headers = head.headers();
        headers.set("Date", HttpDate.now());
        if (!isHttp1()) {
            headers.remove(HttpHeaderNames.CONNECTION);
            return;
        }
        ends = fault != null
                || !HttpUtil.isKeepAlive(request)
                || headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)
                || request.protocolVersion() == HttpVersion.HTTP_1_0;
        if (ends) {
            headers.set("Connection", "close");
        }
    }

    /// Returns the head before the first piece; null before later ones.
    private @Nullable HttpResponse beginning() {
        if (begun) {
            return null;
        }
        prepare();
        begun = true;
        var headers = head.headers();
        if (isHttp1()
                && !headers.contains(HttpHeaderNames.CONTENT_LENGTH)
                && request.protocolVersion() == HttpVersion.HTTP_1_1) {
            headers.set("Transfer-Encoding", "chunked");
        }
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, head.status(), headers);
    }

    /// Sends a piece of the body, which is copied; waits while much is queued.
    void send(byte[] bytes, int offset, int count, boolean last) {
        awaitRoom(count);
        send(count == 0 ? Unpooled.EMPTY_BUFFER : connection.buffer(count).writeBytes(bytes, offset, count), last);
    }

    /// Sends a piece of a file, which is copied; waits while much is queued.
    ///
    /// @throws EOFException if the file ends before
    void sendCopy(FileChannel file, long offset, int count, boolean last) throws IOException {
        awaitRoom(count);
        var content = connection.buffer(count);
        try {
            while (content.readableBytes() < count) {
                int done = content.readableBytes();
                if (content.writeBytes(file, offset + done, count - done) < 0) {
                    throw new EOFException("the file ended " + (count - done) + " bytes early");
                }
            }
        } catch (IOException | RuntimeException e) {
            content.release();
            throw e;
        }
        send(content, last);
    }

    private void awaitRoom(int count) {
        awaitQueue(Math.max(0, mostQueued() - count));
    }

    /// Returns how many bytes of an answer may wait in memory.
    static int mostQueued() {
        return WAITING.get() > MANY ? FEW_QUEUED : QUEUED;
    }

    private void send(ByteBuf content, boolean last) {
        HttpObject message = last ? last(content) : new DefaultHttpContent(content);
        enqueue(beginning(), message, content.readableBytes(), last);
    }

    private static LastHttpContent last(ByteBuf content) {
        return content.isReadable()
                ? new DefaultLastHttpContent(content, EmptyHttpHeaders.INSTANCE)
                : LastHttpContent.EMPTY_LAST_CONTENT;
    }

    /// Sends a part of a file and waits until it was sent. Only where the length is known and nothing is encrypted.
    void send(FileChannel file, long offset, long count, boolean last) {
        awaitQueue(QUEUED);
        var parts = new FileParts(connection, this, file, offset, count, last, piece(), beginning());
        queue(count);
        connection.execute(parts);
        awaitQueue(0);
    }

    /// Waits until everything was sent.
    void awaitSent() {
        awaitQueue(0);
    }

    private void enqueue(@Nullable HttpResponse first, HttpObject message, long bytes, boolean last) {
        queue(bytes);
        WAITING.addAndGet(bytes);
        connection.execute(
                () -> connection.write(this, first, message, null, bytes, last, sent -> WAITING.addAndGet(-bytes)));
    }

    private void queue(long bytes) {
        lock.lock();
        try {
            queued += bytes;
        } finally {
            lock.unlock();
        }
    }

    private void awaitQueue(long most) {
        lock.lock();
        try {
            if (queued > most && broken == null) {
                long since = move();
                try {
                    while (queued > most && broken == null) {
                        changed.await();
                    }
                } finally {
                    moved(since);
                }
            }
            if (broken != null) {
                throw new DisconnectedException("the answer cannot be sent", broken);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DisconnectedException("the answer was interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /// Returns the limit of bytes of an answer that are sent together.
    int piece() {
        return MinimumPace.piece(times.pace(), times.transfer().toNanos());
    }

    /// Ends the connection, or over HTTP/2 its stream, because the answer cannot be completed.
    public void abort() {
        connection.execute(() -> connection.abort(this));
    }

    // --- time ---

    /// Applies the time limit to this request, counted from its beginning.
    public void limit() {
        timed = times.api().isPositive();
    }

    /// Records that the handler has returned or thrown.
    ///
    /// @return whether it was interrupted for taking too long
    public boolean done() {
        if (state.compareAndSet(WORKING, DONE)) {
            return false;
        }
        while (state.get() == INTERRUPTING) {
            Thread.onSpinWait();
        }
        Thread.interrupted();
        return true;
    }

    /// Records that the handler continues after a wait; its time limit begins again.
    public void again() {
        worker = Thread.currentThread();
        deadline = System.nanoTime() + times.api().toNanos();
        state.compareAndSet(DONE, WORKING);
    }

    private long move() {
        long now = System.nanoTime();
        movingSince = now;
        moving = true;
        return now;
    }

    private void moved(long since) {
        moving = false;
        deadline += System.nanoTime() - since;
    }

    /// Waits for other callers. This time counts neither as work nor as standing still. The wait is interrupted if the
    /// client has gone.
    public void rest(Runnable waiting) {
        long since = System.nanoTime();
        lock.lock();
        try {
            if (gone) {
                return;
            }
            rests = Thread.currentThread();
            resting = true;
        } finally {
            lock.unlock();
        }
        try {
            waiting.run();
        } finally {
            lock.lock();
            try {
                rests = null;
                resting = false;
                deadline += System.nanoTime() - since;
                if (gone) {
                    Thread.interrupted(); // it was only for the wait
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// Returns whether the connection or the stream has ended.
    public boolean isEnded() {
        lock.lock();
        try {
            return gone;
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether the client has closed the connection, at least for sending, or over HTTP/2 has reset the stream.
    public boolean isGone() {
        return connection.isInputEnded() || isEnded();
    }

    /// Starts the work of the request on a thread of its own. After a wait, a new thread continues, because a virtual
    /// thread keeps the memory of the deepest stack with which it ever waited.
    public void start(Runnable work) {
        THREADS.newThread(() -> {
                    worker = Thread.currentThread();
                    try {
                        work.run();
                    } catch (RuntimeException | Error e) {
                        LOG.error("{} {} was cut off", method(), target(), e);
                        abort();
                    }
                })
                .start();
    }

    // --- on the loop ---

    @Nullable
    RequestBody received() {
        return body;
    }

    boolean endsConnection() {
        return ends;
    }

    /// Bytes of the answer are about to be sent.
    ///
    /// @param all with those that are not sent yet
    void sending(long now, long all) {
        movingSince = now;
        out.await(now, all);
    }

    /// The other side, or a buffer before it, has taken bytes.
    void took(long now, long bytes, long left) {
        movingSince = now;
        out.moved(now, bytes);
        if (left > 0) {
            out.await(now, left);
        }
    }

    /// Bytes were sent, or cannot be.
    void sent(long bytes, @Nullable Throwable failure) {
        lock.lock();
        try {
            queued -= bytes;
            if (failure != null && broken == null) {
                broken = failure;
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /// The connection or stream is closed.
    void close(Throwable why) {
        lock.lock();
        try {
            gone = true;
            if (broken == null) {
                broken = why;
            }
            changed.signal();
            if (rests != null) {
                rests.interrupt();
            }
        } finally {
            lock.unlock();
        }
        if (body != null) {
            body.fail(new RequestPayload.BrokenException("the connection has ended", why));
        }
    }

    /// Returns whether its transfer stands still or is too slow. Interrupts a handler that takes too long.
    ///
    /// @param unsent whether bytes of the answer wait for the client
    boolean isTooSlow(long now, boolean unsent) {
        if (resting && !unsent) {
            return false;
        }
        if (moving || unsent) {
            return now - movingSince > times.transfer().toNanos() || in.isTooSlow(now) || out.isTooSlow(now);
        }
        var its = worker;
        if (timed && its != null && now - deadline > 0 && state.compareAndSet(WORKING, INTERRUPTING)) {
            its.interrupt();
            state.set(INTERRUPTED);
        }
        return false;
    }
}
