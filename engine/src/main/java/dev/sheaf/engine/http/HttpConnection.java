package dev.sheaf.engine.http;

import dev.sheaf.engine.blob.OncePerMinute;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The requests of a connection of HTTP/1, one after another, or the request of a stream of HTTP/2. Runs on its loop's
/// thread.
///
/// An answer may come before the end of the body. The rest of the body is then read within limits and dropped, because
/// closing a connection with unread bytes resets it, and the client may lose the answer (RFC 9112, section 9.6).
final class HttpConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
    private static final OncePerMinute FAULTS = new OncePerMinute();
    static final long LINGER_BYTES = 32 << 20;
    private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int UNREAD = 16 << 10; // bytes of further requests that may wait

    private final ClientConnection connection;
    private final HttpServer server;
    private final @Nullable RequestDecoder decoder; // null over HTTP/2
    private final ReceiveSize receive;
    private @Nullable ChannelHandlerContext context;
    private @Nullable HttpExchange current;
    private boolean bodyOver = true; // of the latest request
    private boolean malformed; // nobody knows where the next request begins
    private boolean closing;
    private volatile boolean inputEnded;
    private long left; // bytes of the body that are still to come, if known
    private long unsent;
    private long dropped;
    private long lingerEnd; // 0 if it does not linger

    /// Learns whether a piece was sent.
    interface Sent {
        void done(boolean sent);
    }

    HttpConnection(
            ClientConnection connection, HttpServer server, @Nullable RequestDecoder decoder, ReceiveSize receive) {
        this.connection = connection;
        this.server = server;
        this.decoder = decoder;
        this.receive = receive;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext its) {
        context = its;
    }

    private ChannelHandlerContext context() {
        return java.util.Objects.requireNonNull(context);
    }

    // --- for other threads ---

    void execute(Runnable task) {
        try {
            context().executor().execute(task);
        } catch (java.util.concurrent.RejectedExecutionException e) {
            LOG.debug("the server has stopped", e);
        }
    }

    /// Runs a task on the loop after its next look at all connections. [#execute] may run it before: for up to
    /// a second a loop runs tasks that add tasks, and reads nothing meanwhile.
    void executeInTurn(Runnable task) {
        try {
            context().executor().schedule(task, 0, TimeUnit.NANOSECONDS);
        } catch (java.util.concurrent.RejectedExecutionException e) {
            LOG.debug("the server has stopped", e);
        }
    }

    ByteBuf buffer(int bytes) {
        return context().alloc().directBuffer(bytes);
    }

    ClientConnection connection() {
        return connection;
    }

    boolean isHttp1() {
        return decoder != null;
    }

    boolean isSecure() {
        return server.isSecure();
    }

    boolean isInputEnded() {
        return inputEnded;
    }

    // --- requests ---

    @Override
    public void channelRead(ChannelHandlerContext its, Object message) {
        if (message instanceof HttpRequest head && !closing) {
            begin(head);
        }
        if (message instanceof HttpContent content) {
            content(content);
        } else if (!(message instanceof HttpRequest)) {
            if (message instanceof ByteBuf bytes) {
                drop(bytes.readableBytes());
            }
            ReferenceCountUtil.release(message);
        }
    }

    private void begin(HttpRequest head) {
        if (!isHttp1() && server.isCrowded(connection)) {
            closing = true;
            context().writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM)); // clients may repeat it
            return;
        }
        var fault = isHttp1() ? HeadRules.fault(head) : null;
        boolean hasBody = fault == null
                && !(head instanceof LastHttpContent)
                && (HttpUtil.isTransferEncodingChunked(head) || lengthOf(head) > 0);
        bodyOver = !hasBody;
        malformed = fault != null;
        left = hasBody ? Math.max(0, lengthOf(head)) : 0;
        var exchange = new HttpExchange(this, server.times(), head, fault, hasBody);
        current = exchange;
        connection.begin(this);
        server.begin();
        if (hasBody) {
            receive.expect(left == 0 ? RequestDecoder.PIECE : left);
        }
        exchange.start(() -> server.requests().handle(exchange));
    }

    /// Returns the announced length; 0 if it is not valid, which the rules or the HTTP/2 codec have refused.
    private static long lengthOf(HttpRequest head) {
        try {
            return HttpUtil.getContentLength(head, 0L);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private void content(HttpContent content) {
        var body = current == null ? null : current.received();
        boolean isLast = content instanceof LastHttpContent;
        if (content.decoderResult().isFailure()) {
            content.release();
            malformed = true;
            if (body != null) {
                body.fail(RequestBody.malformed(content.decoderResult().cause()));
            }
            return;
        }
        int bytes = content.content().readableBytes();
        if (left > 0) {
            left -= bytes;
            receive.expect(left);
        }
        if (body == null || bodyOver || closing) {
            content.release();
            drop(bytes);
        } else if (bytes == 0) {
            content.release();
        } else if (body.put(content.content())) {
            context().channel().config().setAutoRead(false);
        }
        if (!isLast || bodyOver) {
            return;
        }
        bodyOver = true;
        receive.expect(0);
        if (body != null) {
            body.complete();
        } else if (!closing) {
            execute(this::next); // the answer came first
        }
    }

    private void drop(int bytes) {
        dropped += bytes;
        if (lingerEnd != 0 && dropped > LINGER_BYTES) {
            connection.cut();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext its) {
        var body = current == null ? null : current.received();
        if (body != null && !bodyOver) {
            body.batch();
        } else if (decoder != null && decoder.waiting() > UNREAD && current != null && !closing) {
            its.channel().config().setAutoRead(false); // until the next request is its turn
        }
    }

    /// Goes on after the request's thread has taken bytes of the body.
    void goOnReading(HttpExchange exchange) {
        if (current == exchange) {
            context().channel().config().setAutoRead(true);
        }
    }

    void sendContinue(HttpExchange exchange) {
        if (current == exchange && !bodyOver) {
            context()
                    .writeAndFlush(new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
    }

    // --- answers ---

    /// Sends a piece of an answer.
    ///
    /// @param head before the piece, if it is the first one
    /// @param end after the piece
    /// @param last whether the answer ends with it
    void write(
            HttpExchange exchange,
            @Nullable HttpResponse head,
            Object message,
            @Nullable LastHttpContent end,
            long bytes,
            boolean last,
            Sent then) {
        if (current != exchange) {
            ReferenceCountUtil.release(message);
            exchange.sent(bytes, new ClosedChannelException());
            then.done(false);
            return;
        }
        long weight = Math.max(1, bytes); // also an answer without a body waits for the client
        if (unsent > 0) {
            exchange.took(System.nanoTime(), 0, unsent + weight);
        } else {
            exchange.sending(System.nanoTime(), weight);
        }
        unsent += weight;
        if (head != null) {
            context().write(head);
        }
        var future = context().write(message);
        if (end != null) {
            future = context().write(end);
        }
        context().flush();
        if (future.isSuccess()) {
            sent(future, exchange, bytes, weight, last, then);
        } else {
            future.addListener((ChannelFuture done) -> sent(done, exchange, bytes, weight, last, then));
        }
    }

    private void sent(ChannelFuture done, HttpExchange exchange, long bytes, long weight, boolean last, Sent then) {
        unsent -= weight;
        exchange.took(System.nanoTime(), weight, unsent);
        exchange.sent(bytes, done.cause());
        if (!done.isSuccess()) {
            context().close();
        } else if (last && current == exchange) {
            finish(exchange);
        }
        then.done(done.isSuccess());
    }

    private void finish(HttpExchange exchange) {
        boolean isWhole = bodyOver && !malformed;
        end(exchange);
        if (decoder == null) {
            if (!bodyOver) { // the client need not send the rest (RFC 9113, section 8.1)
                closing = true;
                context().writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
            }
        } else if (exchange.endsConnection() || malformed) {
            if (inputEnded || isWhole && decoder.waiting() == 0) {
                context().close();
            } else {
                linger();
            }
        } else if (bodyOver) {
            next();
        } else if (inputEnded) {
            context().close();
        } else {
            lingerEnd = System.nanoTime() + LINGER_NANOS;
            context().channel().config().setAutoRead(true);
        }
    }

    private void end(HttpExchange exchange) {
        current = null;
        unsent = 0;
        connection.end(this);
        server.end();
        var body = exchange.received();
        if (body != null) {
            body.drop();
        }
    }

    /// Closes the connection for the client's reading, and drops what it still sends.
    private void linger() {
        closing = true;
        lingerEnd = System.nanoTime() + LINGER_NANOS;
        var tls = context().pipeline().get(SslHandler.class);
        context().pipeline().remove(RequestDecoder.class);
        if (tls == null) {
            connection.channel.shutdownOutput();
        } else {
            tls.closeOutbound();
        }
        receive.expect(RequestDecoder.PIECE);
        context().channel().config().setAutoRead(true);
    }

    /// Begins the next request.
    private void next() {
        if (current != null || closing || decoder == null) {
            return;
        }
        lingerEnd = 0;
        dropped = 0;
        receive.expect(0);
        if (!context().channel().config().isAutoRead()) {
            context().channel().config().setAutoRead(true);
        }
        try {
            decoder.resume(context().pipeline().context(decoder));
        } catch (Exception e) {
            exceptionCaught(context(), e);
        }
        if (inputEnded && current == null) {
            context().close();
        }
    }

    /// Ends the connection or the stream if the answer cannot be completed.
    void abort(HttpExchange exchange) {
        if (current == exchange) {
            context().close();
        }
    }

    // --- the end ---

    @Override
    public void userEventTriggered(ChannelHandlerContext its, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            var exchange = current;
            if (exchange == null) {
                its.close();
            } else if (!bodyOver && exchange.received() != null) {
                exchange.received()
                        .fail(new RequestPayload.BrokenException("the client has closed the connection", null));
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext its) {
        closing = true;
        var exchange = current;
        if (exchange != null) {
            exchange.close(new ClosedChannelException());
            end(exchange);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext its, Throwable cause) {
        if (cause instanceof IOException || cause instanceof DecoderException || cause instanceof Http2Exception) {
            LOG.debug("{}: closed", connection.remote, cause); // clients can cause these
        } else if (FAULTS.isDue(cause.getClass().getName())) {
            LOG.warn(
                    "{}: closed, because of a defect of this server, or because it has no memory left",
                    connection.remote,
                    cause);
        }
        its.close();
        if (!isHttp1()) {
            connection.failedStream();
        }
    }

    // --- time ---

    void check(long now) {
        var exchange = current;
        if (exchange != null && exchange.isTooSlow(now, unsent > 0)) {
            LOG.debug("{}: closed, because its transfer stands still or is too slow", connection.remote);
            connection.cut();
        }
    }

    void checkLinger(long now) {
        if (lingerEnd != 0 && now - lingerEnd > 0) {
            connection.cut();
        }
    }

    /// Returns whether a request has begun to come.
    boolean hasUnread() {
        return decoder != null && decoder.waiting() > 0;
    }
}
