package dev.sheaf.engine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sheaf.server.http.TinyServer;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that take their time, on the wire. What a test does not wait for has so much time that no machine is too
/// slow for it.
@Timeout(60)
@SuppressWarnings("NullAway.Init") // set by JUnit
class TimeoutsTest {
    private static final Duration BRIEF = Duration.ofMillis(600);
    private static final Duration WHILE = Duration.ofSeconds(2); // within which the machine itself does its part
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int BEAT_MILLIS = 40;

    @TempDir
    private Path folder;

    private final CountDownLatch never = new CountDownLatch(1);
    private final CountDownLatch brokeOff = new CountDownLatch(1);
    private TinyServer server;
    private Socket socket;
    private long begun;

    private void open(Duration api, Duration transfer) throws IOException {
        open(api, transfer, HttpServer.Pace.USUAL);
    }

    private void open(Duration api, Duration transfer, HttpServer.Pace pace) throws IOException {
        server = new TinyServer(
                folder,
                1 << 20,
                new HttpServer.Times(api, transfer, pace),
                List.of(
                        new Route(RouteMethod.GET, "/quick", RoutePermission.NONE, call -> Answer.ok(Map.of())),
                        new Route(RouteMethod.GET, "/nothing", RoutePermission.NONE, call -> Answer.empty(204)),
                        new Route(RouteMethod.GET, "/hang", RoutePermission.NONE, call -> hang()),
                        new Route(RouteMethod.GET, "/compute", RoutePermission.NONE, this::compute),
                        new Route(RouteMethod.GET, "/endless", RoutePermission.NONE, call -> endless()),
                        new Route(
                                RouteMethod.PUT,
                                "/body",
                                RoutePermission.NONE,
                                call -> Answer.ok(Map.of("bytes", call.bytes("the body", 1_000).length)))));
        begun = System.nanoTime();
        socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        server.close();
    }

    private Answer hang() {
        try {
            never.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return Answer.empty(204);
    }

    /// Work that heeds no interrupt.
    private Answer compute(Call call) {
        return call.computed(Long.MAX_VALUE, budget -> {
            try {
                while (true) {
                    budget.check();
                }
            } finally {
                brokeOff.countDown();
            }
        });
    }

    private Answer endless() {
        return Answer.content(200, "application/octet-stream", Long.MAX_VALUE, out -> {
            var piece = new byte[1 << 20];
            try {
                while (true) {
                    out.write(piece);
                }
            } catch (IOException | RuntimeException e) {
                brokeOff.countDown();
                throw e;
            }
        });
    }

    @Test
    void theLimitHoldsForWorkThatKeepsAProcessorBusy() throws Exception {
        open(BRIEF, LONG);
        send("GET /compute HTTP/1.1\r\nHost: h\r\n\r\n");

        assertThat(answer()).startsWith("HTTP/1.1 503 ");
        assertThat(brokeOff.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aConnectionWithoutARequestIsClosed() throws IOException {
        open(LONG, BRIEF);

        assertThat(tillClosed("")).isGreaterThanOrEqualTo(BRIEF);
    }

    @Test
    void aHeaderThatComesByteByByteHasAnEnd() throws IOException {
        open(LONG, BRIEF);
        send("GET /quick HTTP/1.1\r\nHost: h\r\nX: ");

        assertThat(tillClosed("a")).isGreaterThanOrEqualTo(BRIEF);
    }

    @Test
    void aConnectionThatIsKeptAliveIsClosedInTheEnd() throws IOException {
        open(LONG, WHILE);
        send("GET /quick HTTP/1.1\r\nHost: h\r\n\r\n");
        assertThat(answer()).startsWith("HTTP/1.1 200 ");

        assertThat(tillClosed("")).isGreaterThanOrEqualTo(WHILE);
    }

    @Test
    void anUploadThatStandsStillIsCutOff() throws IOException {
        open(LONG, BRIEF);
        send("PUT /body HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc");

        assertThat(tillClosed("")).isGreaterThanOrEqualTo(BRIEF);
    }

    @Test
    void anUploadThatMovesMayTakeLonger() throws IOException {
        open(LONG, WHILE);
        int beats = (int) (WHILE.plus(BRIEF).toMillis() / BEAT_MILLIS);
        send("PUT /body HTTP/1.1\r\nHost: h\r\nContent-Length: " + beats + "\r\n\r\n");
        for (int i = 0; i < beats; i++) {
            assertThat(isClosedAfterABeat()).isFalse();
            send("a");
        }

        assertThat(answer()).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void anUploadThatDribblesIsCutOff() throws IOException {
        open(LONG, LONG, new HttpServer.Pace(1_000, BRIEF));
        send("PUT /body HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n");

        assertThat(tillClosed("a")).isGreaterThanOrEqualTo(BRIEF);
    }

    @Test
    void aBodyThatNobodyWantsIsNotReadToItsEnd() throws IOException {
        open(LONG, LONG);
        send("PUT /unwanted HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000000\r\n\r\n");
        var piece = new byte[1 << 20];
        int sent = 0;
        try {
            for (; sent < 900; sent++) {
                socket.getOutputStream().write(piece);
            }
        } catch (SocketException e) {
            // closed, as it should be
        }

        assertThat(sent).as("MiB").isLessThan(100);
    }

    @Test
    void aDownloadThatNobodyReadsIsCutOff() throws Exception {
        open(LONG, BRIEF);
        send("GET /endless HTTP/1.1\r\nHost: h\r\n\r\n");

        assertThat(brokeOff.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aDownloadThatIsReadByteByByteIsCutOff() throws Exception {
        open(LONG, LONG, new HttpServer.Pace(8 << 20, BRIEF));
        send("GET /endless HTTP/1.1\r\nHost: h\r\n\r\n");
        socket.setSoTimeout(20_000);
        while (!brokeOff.await(BEAT_MILLIS, TimeUnit.MILLISECONDS)) {
            assertThat(socket.getInputStream().read()).isNotNegative();
        }

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(BRIEF);
    }

    @Test
    void aDownloadThatIsReadAtThePaceGoesOn() throws Exception {
        open(LONG, BRIEF, new HttpServer.Pace(64 << 10, BRIEF));
        send("GET /endless HTTP/1.1\r\nHost: h\r\n\r\n");
        long end = System.nanoTime() + WHILE.plus(WHILE).toNanos();
        while (System.nanoTime() < end) {
            assertThat(socket.getInputStream().readNBytes(256 << 10)).hasSize(256 << 10);
            assertThat(brokeOff.await(BEAT_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
        }
    }

    @Test
    void aClientThatTakesNoAnswersIsCutOffThoughTheyHaveNoBodies() throws Exception {
        open(LONG, BRIEF);
        String many = "GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n".repeat(1_000);

        assertThatExceptionOfType(SocketException.class).isThrownBy(() -> {
            while (true) {
                send(many);
            }
        });
    }

    @Test
    void aRequestThatTakesTooLongIsAnsweredSo() throws IOException {
        open(WHILE, LONG);
        send("GET /hang HTTP/1.1\r\nHost: h\r\n\r\n");
        assertThat(answer())
                .startsWith("HTTP/1.1 503 ")
                .contains("Retry-After: 5", "service-unavailable", "too long (api-timeout)", "\"throttle\":\"time\"");

        send("GET /quick HTTP/1.1\r\nHost: h\r\n\r\n");
        assertThat(answer()).as("on the same connection and thread").startsWith("HTTP/1.1 200 ");
    }

    private void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// What comes next, as far as the `}` of its JSON.
    private String answer() throws IOException {
        socket.setSoTimeout(20_000);
        var answer = new StringBuilder();
        for (int c = 0; c >= 0 && c != '}'; ) {
            c = socket.getInputStream().read();
            answer.append((char) c);
        }
        return answer.toString();
    }

    /// How long the connection was open when the server closed it, while the text is sent again and again.
    private Duration tillClosed(String again) throws IOException {
        while (!isClosedAfterABeat()) {
            try {
                send(again);
            } catch (SocketException e) {
                break;
            }
        }
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private boolean isClosedAfterABeat() throws IOException {
        socket.setSoTimeout(BEAT_MILLIS);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true;
        }
    }
}
