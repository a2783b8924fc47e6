package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.blob.FileSink;
import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.ServerCertificates;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.testing.SelfSigned;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Answers that are parts of files, which the operating system sends where nothing is encrypted.
@Timeout(100)
@SuppressWarnings("NullAway.Init") // set by JUnit
class FileBodiesTest {
    private static final int BEFORE = 1_000; // bytes that come from memory
    private static final int SIZE = 1_500_000;

    @TempDir
    private Path folder;

    private final byte[] content = new byte[SIZE];
    private Path file;
    private SelfSigned own;

    @BeforeEach
    void write() throws Exception {
        new Random(1).nextBytes(content);
        file = Files.write(folder.resolve("content"), content);
        own = SelfSigned.shared();
    }

    private Answer answer(boolean known) {
        return Answer.content(200, "application/octet-stream", known ? SIZE : -1, out -> {
            out.write(content, 0, BEFORE);
            try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
                ((FileSink) out).send(channel, BEFORE, SIZE - BEFORE);
            }
        });
    }

    private TinyServer server(boolean secure, boolean http2) throws Exception {
        var certificates = secure
                ? Optional.of(new ServerCertificates(
                        Files.writeString(folder.resolve("chain.pem"), own.chain()),
                        Files.writeString(folder.resolve("key.pem"), own.secret())))
                : Optional.<ServerCertificates>empty();
        return new TinyServer(
                folder,
                1 << 20,
                HttpServer.Times.USUAL,
                new TinyServer.Protocols(certificates, http2),
                List.of(
                        new Route(RouteMethod.GET, "/known", RoutePermission.NONE, call -> answer(true)),
                        new Route(RouteMethod.GET, "/unknown", RoutePermission.NONE, call -> answer(false))));
    }

    @ParameterizedTest
    @CsvSource({"false, HTTP_1_1", "true, HTTP_1_1", "true, HTTP_2"})
    void arriveAsTheyAre(boolean secure, HttpClient.Version version) throws Exception {
        try (var server = server(secure, version == HttpClient.Version.HTTP_2);
                var client = HttpClient.newBuilder()
                        .version(version)
                        .sslContext(own.trusting())
                        .build()) {
            for (String path : List.of("/known", "/unknown", "/known")) {
                var uri = URI.create((secure ? "https" : "http") + "://127.0.0.1:" + server.port() + path);
                var reply = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray());

                assertThat(reply.version()).isEqualTo(version);
                assertThat(Arrays.equals(reply.body(), content)).as(path).isTrue();
            }
        }
    }

    @Test
    void manyAtOnceTakeTurns() throws Exception {
        try (var server = server(false, false);
                var client = HttpClient.newHttpClient()) {
            var uri = URI.create("http://127.0.0.1:" + server.port() + "/known");
            var replies = new ArrayList<CompletableFuture<byte[]>>();
            for (int i = 0; i < 20; i++) {
                replies.add(client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray())
                        .thenApply(reply -> reply.body()));
            }

            for (var reply : replies) {
                assertThat(Arrays.equals(reply.get(), content)).isTrue();
            }
        }
    }
}
