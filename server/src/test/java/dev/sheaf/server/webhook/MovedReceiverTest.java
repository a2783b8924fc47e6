package dev.sheaf.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The headers of a webhook, whose values are secret, when its URL changes.
@Timeout(60)
class MovedReceiverTest extends WebhookScenario {
    @Test
    void anotherPlaceIsNotSentTheHeadersOfTheOneBefore() {
        webhook("moved", ", \"headers\": {\"X-Own\": \"mine\"}");
        try (var other = new Receiver()) {
            var moved = patch("{\"url\": \"%s\"}".formatted(other.url()));
            assertThat(moved.status()).as(moved.text()).isEqualTo(200);
            assertThat(moved.json().get("headerNames")).isEmpty();

            push("moved/kit", 0);

            assertThat(other.await(1).getFirst().header("x-own")).isEmpty();
        }
    }

    @Test
    void theSamePlaceIsSentThemAtAnotherPath() {
        webhook("stays", ", \"headers\": {\"X-Own\": \"mine\"}");
        assertThat(patch("{\"url\": \"%s/elsewhere?a=b\"}".formatted(receiver.url()))
                        .status())
                .isEqualTo(200);

        push("stays/kit", 0);

        assertThat(receiver.await(1).getFirst().header("x-own")).isEqualTo("mine");
    }

    @Test
    void headersThatComeWithTheUrlAreSent() {
        webhook("both", ", \"headers\": {\"X-Own\": \"mine\"}");
        try (var other = new Receiver()) {
            patch("{\"url\": \"%s\", \"headers\": {\"X-Own\": \"new\"}}".formatted(other.url()));

            push("both/kit", 0);

            assertThat(other.await(1).getFirst().header("x-own")).isEqualTo("new");
        }
    }
}
