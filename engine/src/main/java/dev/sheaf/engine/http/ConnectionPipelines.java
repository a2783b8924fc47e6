package dev.sheaf.engine.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Builds what reads and writes the bytes of a connection, and limits their sizes.
final class ConnectionPipelines extends ChannelInitializer<SocketChannel> {
    private static final int STREAMS = 100;
    private static final int STREAM_WINDOW = 64 << 10; // bytes that a client may send before they are read
    private static final Duration GRACE = Duration.ofSeconds(30); // for the streams of a connection that leaves
    private static final Executor HANDSHAKES =
            task -> Thread.ofVirtual().name("tls").start(task);

    private final HttpServer server;
    private final Connections connections;
    private final @Nullable ServerCertificates certificates;
    private final boolean http2;

    ConnectionPipelines(
            HttpServer server, Connections connections, @Nullable ServerCertificates certificates, boolean http2) {
        this.server = server;
        this.connections = connections;
        this.certificates = certificates;
        this.http2 = http2;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        var connection = connections.accepted(channel);
        if (connection == null) {
            channel.close();
            return;
        }
        var receive = new ReceiveSize(certificates != null);
        channel.config().setRecvByteBufAllocator(receive);
        if (certificates == null) {
            channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
            http1(channel.pipeline(), connection, receive);
            return;
        }
        var tls = certificates.context(http2).newHandler(channel.alloc(), HANDSHAKES);
        tls.setHandshakeTimeoutMillis(0); // the limit of heads covers it
        channel.pipeline().addLast(tls, new Negotiation(connection, receive));
    }

    private final class Negotiation extends ApplicationProtocolNegotiationHandler {
        private final ClientConnection connection;
        private final ReceiveSize receive;

        Negotiation(ClientConnection connection, ReceiveSize receive) {
            super(ApplicationProtocolNames.HTTP_1_1);
            this.connection = connection;
            this.receive = receive;
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext context, String protocol) {
            if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
                http2(context.pipeline(), connection, receive);
            } else {
                http1(context.pipeline(), connection, receive);
            }
        }

        @Override
        protected void handshakeFailure(ChannelHandlerContext context, Throwable cause) {
            context.close(); // clients can cause it
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private void http1(ChannelPipeline pipeline, ClientConnection connection, ReceiveSize receive) {
        var decoder = new RequestDecoder();
        var http = new HttpConnection(connection, server, decoder, receive);
        connection.http1 = http;
        pipeline.addLast(decoder, new HttpResponseEncoder(), http);
    }

    private void http2(ChannelPipeline pipeline, ClientConnection connection, ReceiveSize receive) {
        var codec = Http2FrameCodecBuilder.forServer()
                .initialSettings(Http2Settings.defaultSettings()
                        .maxConcurrentStreams(STREAMS)
                        .maxHeaderListSize(HeadRules.MAX_FIELDS)
                        .initialWindowSize(STREAM_WINDOW))
                .gracefulShutdownTimeoutMillis(GRACE.toMillis())
                .build();
        var streams = new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.pipeline()
                        .addLast(
                                new Http2StreamFrameToHttpObjectCodec(true),
                                new HttpConnection(connection, server, null, receive));
            }
        };
        pipeline.addLast(new FrameCount(System::nanoTime), codec, new Http2MultiplexHandler(streams));
    }
}
