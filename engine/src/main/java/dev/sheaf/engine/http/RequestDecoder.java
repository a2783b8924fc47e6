package dev.sheaf.engine.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/// Decodes one request of HTTP/1 at a time: what follows it stays undecoded until it was answered. Bound to its loop's
/// thread.
final class RequestDecoder extends HttpRequestDecoder {
    static final int PIECE = 256 << 10; // the most bytes of a body that are passed on together
    private static final int BEGINNING = 200;
    private static final Pattern PATH = Pattern.compile("[!-~]+ (/[A-Za-z0-9/._:~-]*)");

    private boolean paused;

    RequestDecoder() {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(HeadRules.MAX_LINE)
                .setMaxHeaderSize(HeadRules.MAX_FIELDS)
                .setMaxChunkSize(PIECE));
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
        if (paused) {
            return;
        }
        int first = in.readerIndex();
        super.decode(context, in, out);
        if (out.isEmpty()) {
            return;
        }
        var last = out.getLast();
        if (last instanceof HttpRequest request && request.decoderResult().isFailure()) {
            paused = true;
            recognize(request, in, first);
        } else if (last instanceof LastHttpContent) {
            paused = true;
        }
    }

    /// Gives a request whose first line cannot be decoded the beginning of its path, so that the right surface answers.
    private static void recognize(HttpRequest request, ByteBuf in, int first) {
        if (!request.uri().equals("/bad-request")) {
            return; // only a header cannot be decoded
        }
        String beginning = in.toString(
                        first, Math.min(in.writerIndex() - first, BEGINNING), StandardCharsets.ISO_8859_1)
                .stripLeading();
        var path = PATH.matcher(beginning);
        request.setUri(path.lookingAt() ? path.group(1) : "/");
        if (beginning.startsWith("HEAD ")) {
            request.setMethod(HttpMethod.HEAD);
        }
    }

    /// Returns how many bytes wait to be decoded.
    int waiting() {
        return actualReadableBytes();
    }

    /// Decodes the next request, if its bytes are there already.
    void resume(ChannelHandlerContext its) throws Exception {
        paused = false;
        if (waiting() > 0) {
            channelRead(its, Unpooled.EMPTY_BUFFER);
            its.fireChannelReadComplete();
        }
    }

    /// The client sends nothing more, but what it has sent is answered.
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent) {
            context.fireUserEventTriggered(event);
        } else {
            super.userEventTriggered(context, event);
        }
    }
}
