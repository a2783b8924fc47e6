package dev.sheaf.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sheaf.server.event.Numbered;
import dev.sheaf.server.testing.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/// A webhook that is deleted while there is much to send: it ends then, and nothing of it is left.
@Timeout(120)
class WebhookEndTest extends WebhookScenario {
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger("dev.sheaf");
    private static final List<String> TABLES = List.of(
            "webhook WHERE id",
            "webhook_progress WHERE webhook_id",
            "delivery WHERE webhook_id",
            "work WHERE kind = 'webhook' AND name");

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final AtomicInteger names = new AtomicInteger();

    @BeforeEach
    void listen() {
        log.start();
        ROOT.addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        ROOT.detachAppender(log);
    }

    private List<String> left(String id) {
        return app().database()
                .read(tx -> Stream.concat(
                                TABLES.stream()
                                        .filter(table -> tx.has("SELECT 1 FROM " + table + " = '" + id + "'"))
                                        .map(table -> table.substring(0, table.indexOf(' '))),
                                Stream.of("delivery_attempt")
                                        .filter(table -> tx.has("SELECT 1 FROM delivery_attempt WHERE NOT EXISTS"
                                                + " (SELECT 1 FROM delivery WHERE id = delivery_id)")))
                        .toList());
    }

    private long came(List<Receiver> receivers, long after, String subject) {
        return receivers.stream()
                .flatMap(one -> one.received().stream())
                .filter(delivery -> delivery.nanos() > after && delivery.told().contains(subject))
                .count();
    }

    /// Has one delivery sent once more, which may be gone meanwhile.
    private void redeliver() {
        var page = app().get(path + "/deliveries?limit=1", app().admin());
        if (page.status() == 200 && !page.json().get("data").isEmpty()) {
            String delivery = page.json().at("/data/0/id").stringValue();
            var asked = app().post(path + "/deliveries/" + delivery + ":redeliver", app().admin(), "{}");
            assertThat(asked.status()).as(asked.text()).isIn(202, 404);
        }
    }

    /// Replays, redelivers, moves and switches it until it is gone.
    private void edit(Receiver second) {
        int status = 200;
        for (int i = 0; status == 200; i++) {
            app().post(path + ":replay", app().admin(), "{\"after\": \"0\"}");
            redeliver();
            status = patch("{\"url\": \"" + (i % 2 == 0 ? second : receiver).url() + "\"}")
                    .status();
            if (i % 3 == 2) {
                patch("{\"enabled\": false}");
                status = patch("{\"enabled\": true}").status();
            }
        }
    }

    private void check(String id, List<Receiver> receivers, long deleted) {
        assertThat(came(receivers, deleted, "")).as("what was on its way").isLessThanOrEqualTo(1);
        for (int patch = 10; patch < 15; patch++) {
            assertThat(came(receivers, deleted, ":1.0." + patch)).isZero();
        }
        Eventually.within(LONG, () -> List.of("work").containsAll(left(id)));
        pass(Duration.ofDays(2)); // a turn that waited for its next try ends when that is due
        Eventually.within(LONG, () -> left(id).isEmpty());
        assertThat(app().get(path + "/deliveries", app().admin()).status()).isEqualTo(404);
        assertThat(log.list.stream()
                        .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                        .map(ILoggingEvent::toString))
                .isEmpty();
        assertThat(log.list).noneMatch(line -> line.getThrowableProxy() != null);
    }

    /// @param failing whether every delivery fails, and so has a retry that waits
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsSentOrLeftOfOneThatIsDeletedInTheMiddleOfAReplay(boolean failing) throws Exception {
        String name = "end" + names.incrementAndGet();
        webhook(name, "");
        String id = made.get("id").stringValue();
        push(name + "/kit", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        Numbered.all(app().database());
        try (var second = new Receiver();
                var control = new Receiver()) {
            receiver.always(failing ? 500 : 204);
            second.always(failing ? 500 : 204);
            var watched = app().post(ALL, app().admin(), """
                    {"url": "%s", "eventTypes": ["version.*"], "namespaces": ["%s"]}""".formatted(control.url(), name));
            assertThat(watched.status()).isEqualTo(201);
            receiver.await(3);
            var editor = Thread.ofVirtual().start(() -> edit(second));
            second.await(5);

            assertThat(app().send("DELETE", path, app().admin(), null).status()).isEqualTo(204);
            long deleted = System.nanoTime();

            editor.join();
            push(name + "/kit", 10, 11, 12, 13, 14);
            Numbered.all(app().database());
            control.await(5); // the same feed, on the same node
            check(id, List.of(receiver, second), deleted);
            app().send("DELETE", ALL + "/" + watched.json().get("id").stringValue(), app().admin(), null);
        }
    }
}
