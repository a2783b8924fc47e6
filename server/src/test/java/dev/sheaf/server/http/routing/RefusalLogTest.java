package dev.sheaf.server.http.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.net.RateHolder;
import dev.sheaf.model.Problem;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What somebody finds in the log who has the id of a request that was refused.
class RefusalLogTest {
    private static final String MISTYPED = "shf_mistyped00000000000000000000000000";

    private static RateHolder network(int number) throws UnknownHostException {
        return RateHolder.of(InetAddress.getByAddress(new byte[] {10, 0, (byte) (number >> 8), (byte) number}));
    }

    @Test
    void oneNetworkHasAFewLinesAMinuteAndAllTogetherMore() throws UnknownHostException {
        var clock = new AtomicLong();
        var log = new RefusalLog(clock::get);

        long ofOne = IntStream.range(0, 1_000).filter(i -> lets(log, 1)).count();
        long ofMany = IntStream.range(2, 5_000).filter(i -> lets(log, i)).count();

        assertThat(ofOne).isEqualTo(RefusalLog.MOST_OF_ONE);
        assertThat(ofMany).isEqualTo(RefusalLog.MOST - RefusalLog.MOST_OF_ONE);
        clock.addAndGet(60_000_000_000L);
        assertThat(lets(log, 1)).isTrue();
    }

    @Test
    void aRefusalForNowHasItsMessage() {
        var readOnly = new Problem.Unavailable("the registry is read-only now: a\nb\u202e; try again later", 60);

        assertThat(RefusalLog.reason(readOnly))
                .isEqualTo("service-unavailable (the registry is read-only now: a?b?; try again later)");
        assertThat(RefusalLog.reason(new Problem.Unavailable("x".repeat(1_000), 60)))
                .hasSizeLessThan(200);
    }

    private static boolean lets(RefusalLog log, int network) {
        try {
            return log.mayWrite(network(network));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void send(ServerProcess server, String id, String path, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(server.url() + path)).header("X-Request-Id", id);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (var http = HttpClient.newHttpClient()) {
            http.send(request.build(), HttpResponse.BodyHandlers.discarding());
        }
    }

    @Test
    void eachRefusalHasALineWithoutSecrets(@TempDir Path data) throws IOException, InterruptedException {
        List<String> log;
        String key;
        try (var server = ServerProcess.start(data)) {
            key = server.adminKey().expose();
            send(server, "id-missing", "/v1/namespaces/acme/bundles/none?q=hush", "Authorization", "Bearer " + key);
            send(server, "id-bad-key", "/v1/me", "Authorization", "Bearer " + MISTYPED);
            send(server, "id-no-key", "/v1/me");
            send(server, "id-invalid", "/v1/namespaces/" + key + "/bundles");
            send(server, "id-encoded", "/v1/namespaces/%73" + key.substring(1) + "/bundles");
            send(server, "id-good", "/v1/limits");
            send(server, "id-challenge", "/v2/");
            for (int i = 0; i < 100; i++) {
                send(server, "id-flood", "/v1/me");
            }
            log = server.stop();
        }

        assertThat(log)
                .anySatisfy(line -> assertThat(line)
                        .matches(".* id-missing GET /v1/namespaces/acme/bundles/none 404 bundle-not-found,"
                                + " key:[0-9a-f-]{36} from 127.0.0.1"))
                .anySatisfy(line -> assertThat(line)
                        .contains(" id-no-key GET /v1/me 401 unauthenticated (missing), anonymous from 127.0.0.1"))
                .anySatisfy(line -> assertThat(line).contains(" id-bad-key ", " 401 unauthenticated ("))
                .anySatisfy(line -> assertThat(line).contains(" id-invalid GET /v1/namespaces/***/bundles 422 "))
                .anySatisfy(line -> assertThat(line).contains(" id-encoded GET /v1/namespaces/***/bundles 422 "))
                .noneSatisfy(line -> assertThat(line)
                        .containsAnyOf("id-good", "id-challenge", "hush", key, key.substring(1), MISTYPED));
        assertThat(log.stream().filter(line -> line.contains("id-flood"))).hasSizeBetween(1, RefusalLog.MOST_OF_ONE);
    }
}
