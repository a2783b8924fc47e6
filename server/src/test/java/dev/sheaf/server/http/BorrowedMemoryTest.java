package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// How long a request holds the memory of its work.
@Timeout(60)
class BorrowedMemoryTest {
    private static final int MEMORY = 1 << 20;

    @TempDir
    private Path folder;

    @Test
    void onlyWhatIsStillToBeSentIsHeldWhileItIsSent() throws Exception {
        var held = new AtomicLong(-1);
        var seen = new AtomicReference<TinyServer>();
        try (var tiny = TinyServer.get(folder, "/work", call -> {
            call.borrow("the work", 100_000, 4);
            return Answer.ok("x".repeat(50_000))
                    .sending(() -> held.set(seen.get().memory.used()));
        })) {
            seen.set(tiny);
            var reply = tiny.get("/work");

            assertThat(reply.statusCode()).isEqualTo(200);
            assertThat(held.get()).isEqualTo(50_002);
        }
    }

    @Test
    void whoReadsSlowlyHoldsNothingOfTheWork() throws Exception {
        var isSending = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var server = new TinyServer(
                        folder,
                        MEMORY,
                        List.of(
                                new Route(RouteMethod.GET, "/slow", RoutePermission.NONE, call -> {
                                    call.borrow("the work", MEMORY / 2, 1);
                                    return Answer.content(200, "text/plain", 1, out -> {
                                        isSending.countDown();
                                        wait(mayEnd);
                                        out.write('x');
                                    });
                                }),
                                new Route(RouteMethod.GET, "/work", RoutePermission.NONE, call -> {
                                    call.borrow("the work", MEMORY / 2, 1);
                                    return Answer.empty(204);
                                })))) {
            var slow = threads.submit(() -> server.get("/slow"));
            isSending.await();

            assertThat(server.get("/work").statusCode()).isEqualTo(204);
            mayEnd.countDown();
            assertThat(slow.get().statusCode()).isEqualTo(200);
        }
    }

    private static void wait(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatNeverFitsIsRefusedForGoodAndSaysSo() throws Exception {
        try (var server = TinyServer.get(folder, "/work", call -> {
            call.borrow("the bundle (pull it elsewhere)", MEMORY, 1);
            return Answer.empty(204);
        })) {
            var reply = server.get("/work");

            assertThat(reply.statusCode()).isEqualTo(413);
            assertThat(reply.body()).contains("the bundle (pull it elsewhere) is over the limit of " + MEMORY / 2);
        }
    }

    /// Otherwise readers who read slowly fill the heap with answers for which no memory was reserved.
    @Test
    void aLongAnswerHoldsItsMemoryUntilItIsSent() throws Exception {
        var held = new AtomicLong(-1);
        var seen = new AtomicReference<TinyServer>();
        try (var tiny = TinyServer.get(
                folder,
                "/long",
                call -> Answer.bytes(200, "text/plain", new byte[100_000])
                        .sending(() -> held.set(seen.get().memory.used())))) {
            seen.set(tiny);

            assertThat(tiny.get("/long").statusCode()).isEqualTo(200);
            assertThat(held.get()).isEqualTo(100_000);
        }
    }

    @Test
    void aLongAnswerIsRefusedWhereNoMemoryIsFree() throws Exception {
        try (var server = new TinyServer(
                folder,
                MEMORY,
                List.of(
                        new Route(
                                RouteMethod.GET,
                                "/long",
                                RoutePermission.NONE,
                                call -> Answer.ok("x".repeat(MEMORY / 2))),
                        new Route(
                                RouteMethod.POST,
                                "/long",
                                RoutePermission.NONE,
                                call -> Answer.ok("x".repeat(MEMORY / 2)))))) {
            assertThat(server.get("/long").statusCode()).isEqualTo(413);
            assertThat(server.send(server.request("/long").POST(BodyPublishers.noBody()))
                            .statusCode())
                    .as("a request that may have changed something gets its answer")
                    .isEqualTo(200);
        }
    }
}
