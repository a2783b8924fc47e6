package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.ServerCertificates;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.testing.SelfSigned;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A client that uses its streams to the full.
@Timeout(100)
class Http2StreamsTest {
    private static final int END_STREAM = 1;
    private static final int HEADERS_OF_A_REQUEST = 5; // the flags of a block that is complete, and so is the request
    private static final int REFUSED_STREAM = 7; // RFC 9113, section 7: the client may repeat the request
    private static final int REQUESTS = 3_000;

    @TempDir
    private Path folder;

    /// The library counts a stream for a moment after its end.
    @Test
    void aStreamMayBeginAsSoonAsAnotherHasEnded() throws Exception {
        var own = SelfSigned.shared();
        var certificates = new ServerCertificates(
                Files.writeString(folder.resolve("chain.pem"), own.chain()),
                Files.writeString(folder.resolve("key.pem"), own.secret()));
        var route = new Route(RouteMethod.GET, "/", RoutePermission.NONE, call -> Answer.ok(Map.of("a", 1)));
        try (var server = new TinyServer(
                        folder,
                        8 << 20,
                        HttpServer.Times.USUAL,
                        new TinyServer.Protocols(Optional.of(certificates), true),
                        List.of(route));
                var socket = connected(own, server.port())) {
            assertThat(answeredAtTheLimit(socket)).isEqualTo(REQUESTS);
        }
    }

    /// As many requests run as connections are allowed: every connection may have one, and none may have more.
    @Test
    void refusesFurtherStreamsWhileAsManyRequestsRunAsConnectionsAreAllowed() throws Exception {
        var own = SelfSigned.shared();
        var certificates = new ServerCertificates(
                Files.writeString(folder.resolve("chain.pem"), own.chain()),
                Files.writeString(folder.resolve("key.pem"), own.secret()));
        var started = new CountDownLatch(TinyServer.CONNECTIONS);
        var more = new CountDownLatch(TinyServer.CONNECTIONS + 1);
        var answer = new CompletableFuture<String>();
        var route = new Route(RouteMethod.GET, "/", RoutePermission.NONE, call -> {
            started.countDown();
            more.countDown();
            return Answer.ok(Map.of("a", answer.join()));
        });
        try (var server = new TinyServer(
                        folder,
                        8 << 20,
                        HttpServer.Times.USUAL,
                        new TinyServer.Protocols(Optional.of(certificates), true),
                        List.of(route));
                var greedy = connected(own, server.port());
                var other = connected(own, server.port())) {
            for (int i = 0; i < TinyServer.CONNECTIONS; i++) {
                request(greedy, 2 * i + 1);
            }
            started.await();
            request(other, 1);
            more.await();
            try {
                request(other, 3);

                assertThat(refused(other)).isEqualTo(3);
            } finally {
                answer.complete("b");
            }
        }
    }

    private static void request(SSLSocket socket, int stream) throws Exception {
        socket.getOutputStream()
                .write(Http2Frames.frame(Http2Frames.HEADERS, HEADERS_OF_A_REQUEST, stream, Http2Frames.GET));
    }

    /// Returns the stream that the server refuses first.
    private static int refused(SSLSocket socket) throws Exception {
        var in = new DataInputStream(socket.getInputStream());
        while (true) {
            int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
            int type = in.readUnsignedByte();
            in.readUnsignedByte();
            int stream = in.readInt();
            byte[] payload = in.readNBytes(length);
            if (type == Http2Frames.RST_STREAM) {
                assertThat(ByteBuffer.wrap(payload).getInt()).isEqualTo(REFUSED_STREAM);
                return stream;
            }
        }
    }

    private static SSLSocket connected(SelfSigned own, int port) throws Exception {
        var socket = (SSLSocket) own.trusting().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        var parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(Http2Frames.PREFACE);
        socket.getOutputStream().write(Http2Frames.frame(Http2Frames.SETTINGS, 0, 0, new byte[0]));
        return socket;
    }

    /// Returns how many requests are answered before the server ends the connection, if it does.
    private static int answeredAtTheLimit(SSLSocket socket) throws Exception {
        var in = new DataInputStream(socket.getInputStream());
        int begun = 0;
        int answered = 0;
        while (answered < REQUESTS) {
            int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            byte[] payload = in.readNBytes(length);
            int may = 0;
            if (type == Http2Frames.SETTINGS && flags == 0) {
                may = streams(payload);
            } else if (type == Http2Frames.GOAWAY) {
                return answered;
            } else if (stream > 0 && (flags & END_STREAM) != 0) {
                answered++;
                may = 1;
            }
            for (; may > 0 && begun < REQUESTS; may--) {
                byte[] request =
                        Http2Frames.frame(Http2Frames.HEADERS, HEADERS_OF_A_REQUEST, 2 * begun++ + 1, Http2Frames.GET);
                socket.getOutputStream().write(request);
            }
        }
        return answered;
    }

    /// Returns the setting SETTINGS_MAX_CONCURRENT_STREAMS.
    private static int streams(byte[] settings) {
        var entries = ByteBuffer.wrap(settings);
        while (entries.hasRemaining()) {
            int name = entries.getShort();
            int value = entries.getInt();
            if (name == 3) {
                return value;
            }
        }
        throw new AssertionError("the server announces no limit");
    }
}
