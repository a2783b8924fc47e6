package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bodies that are longer than what the server holds of one, so that it stops and goes on reading many times.
@Timeout(100)
@SuppressWarnings("NullAway.Init") // set by JUnit
class LongBodiesTest {
    private static final int SIZE = 24 << 20;

    private final byte[] content = new byte[SIZE];
    private TinyServer server;

    @BeforeEach
    void open(@TempDir Path folder) {
        new Random(1).nextBytes(content);
        server = new TinyServer(
                folder, 1 << 20, List.of(new Route(RouteMethod.PUT, "/{size}", RoutePermission.NONE, call -> {
                    var sum = new CRC32();
                    var piece = new byte[Integer.parseInt(call.parameter("size"))];
                    try (var body = call.body()) {
                        for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
                            sum.update(piece, 0, read);
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return Answer.ok(sum.getValue());
                })));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "1000, true",
        "1000, false",
        "70000, true",
        "70000, false",
        "300000, true",
        "300000, false",
        "3000000, true"
    })
    void arriveAsTheyAre(int size, boolean chunked) throws Exception {
        var sum = new CRC32();
        sum.update(content);
        var whole = BodyPublishers.ofByteArray(content);

        var reply = server.send(server.request("/" + size).PUT(chunked ? BodyPublishers.fromPublisher(whole) : whole));

        assertThat(reply.body()).isEqualTo(Long.toString(sum.getValue()));
    }
}
