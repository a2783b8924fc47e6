package dev.sheaf.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.event.Numbered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Webhooks whose receiver and secret change while something is on its way to them.
@Timeout(120)
class EditedInFlightTest extends WebhookScenario {
    private static final int EVENTS = 24;
    private static final int MOVES = 3;

    private String rotated() {
        var reply = app().post(path + ":rotate-secret", app().admin(), "{\"overlap\": \"PT0S\"}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json().get("secret").stringValue();
    }

    private static boolean isSigned(Receiver.Received delivery, String secret) throws Exception {
        return List.of(delivery.header("webhook-signature").split(" ")).contains(signature(delivery, secret));
    }

    @Test
    void whatFailsWhileTheSecretChangesIsSignedAnew() throws Exception {
        webhook("signs", "");
        String old = made.get("secret").stringValue();
        var release = new CountDownLatch(1);
        receiver.next(exchange -> {
            try {
                release.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Receiver.respond(exchange, 500, "");
        });
        push("signs/kit", 0);
        receiver.await(1);

        String secret = rotated();
        release.countDown();
        untilDelivered("pending", 1);
        pass(Duration.ofSeconds(7));

        var both = receiver.await(2);
        assertThat(isSigned(both.get(0), old)).isTrue();
        assertThat(isSigned(both.get(1), secret)).isTrue();
        assertThat(isSigned(both.get(1), old)).as("a secret that has ended").isFalse();
        assertThat(both.get(1).header("webhook-id")).isEqualTo(both.get(0).header("webhook-id"));
    }

    /// Whoever was sent events before never gets one that a later secret signs, which they could replay elsewhere; and
    /// no event is lost on the way from one to the next.
    @Test
    void nobodyGetsWhatTheSecretOfTheNextReceiverSigns() throws Exception {
        webhook("moves", "");
        var secrets = new ArrayList<>(List.of(made.get("secret").stringValue()));
        var receivers = new ArrayList<>(List.of(receiver));
        try {
            var pushing = Thread.ofVirtual()
                    .start(() -> push("moves/kit", IntStream.range(0, EVENTS).toArray()));
            receiver.await(1);
            for (int i = 0; i < MOVES; i++) {
                var next = new Receiver();
                receivers.add(next);
                assertThat(patch("{\"url\": \"%s\"}".formatted(next.url())).status())
                        .isEqualTo(200);
                secrets.add(rotated());
                next.await(1);
            }
            pushing.join();
            Numbered.all(app().database());
            untilDelivered("delivered", EVENTS);

            for (int i = 0; i < receivers.size(); i++) {
                for (var delivery : receivers.get(i).received()) {
                    assertThat(isSigned(delivery, secrets.get(i)) || i > 0 && isSigned(delivery, secrets.get(i - 1)))
                            .as("delivery %s to receiver %s", delivery.told(), i)
                            .isTrue();
                }
            }
            assertThat(receivers.stream().flatMap(one -> one.told().stream()).distinct())
                    .hasSize(EVENTS);
        } finally {
            receivers.subList(1, receivers.size()).forEach(Receiver::close);
        }
    }
}
