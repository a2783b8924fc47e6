package dev.sheaf.server.secrets;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.webhook.Delivery;
import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.webhook.Receiver;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// The part of [SecretsScenario] with webhooks: what is signed with, and what a receiver wants for itself.
final class SecretsOfWebhooks {
    private static final String ALL = "/v1/organizations/default/webhooks";
    private static final String HEADER = "a-token-of-the-receiver";
    private static final String OTHER_HEADER = "another-token-of-the-receiver";
    private static final String IMPORTED = whsec("a secret that the receiver has already");
    private static final String SHORT = whsec("too short a secret");

    private final Requests requests;
    private final String admin;
    private final List<String> answers;

    SecretsOfWebhooks(Requests requests, String admin, List<String> answers) {
        this.requests = requests;
        this.admin = admin;
        this.answers = answers;
    }

    private static String whsec(String bytes) {
        return "whsec_" + Base64.getEncoder().encodeToString(bytes.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /// @return the secrets
    List<String> run() {
        try (var receiver = new Receiver()) {
            String body = """
                    {"url": "%s", "headers": {"X-Token": "%s"}, "eventTypes": ["version.*"]}""".formatted(receiver.url(), HEADER);
            var created = create(body).as(Webhook.class);
            answers.add(create(body).text()); // the same request once more
            String path = ALL + "/" + created.id();
            refusals(receiver.url(), path);
            String secret = requireNonNull(created.secret());
            String rotated = requireNonNull(requests.post(path + ":rotate-secret", admin, "{}")
                    .as(Webhook.class)
                    .secret());
            receiver.next(500);
            var delivery = requests.post(path + ":test", admin, "{}")
                    .as(Delivery.class)
                    .id();
            var received = receiver.await(1).getFirst();
            assertThat(received.header("x-token")).isEqualTo(HEADER);
            answers.add(requests.send("PATCH", path, admin, "{\"headers\": {\"X-Token\": \"" + OTHER_HEADER + "\"}}")
                    .text());
            for (String read : List.of(ALL, path, path + "/deliveries", path + "/deliveries/" + delivery)) {
                answers.add(requests.get(read, admin).text());
            }
            answers.add(requests.get("/v1/organizations/default/events?limit=100", admin)
                    .text());
            return new ArrayList<>(List.of(secret, rotated, IMPORTED, SHORT, HEADER, OTHER_HEADER));
        }
    }

    private Reply create(String body) {
        var reply = requests.send(requests.request("POST", ALL, admin, body).header("Idempotency-Key", "a-webhook"));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply;
    }

    private void refusals(String url, String path) {
        var imported = requests.post(ALL, admin, """
                {"url": "%s", "secret": "%s", "enabled": false}""".formatted(url, IMPORTED));
        assertThat(imported.status()).as(imported.text()).isEqualTo(201);
        for (var reply : List.of(
                requests.post(ALL, admin, """
                        {"url": "%s", "secret": "%s", "headers": {"X-Token": "%sé"}}""".formatted(url, SHORT, HEADER)),
                requests.post(ALL, admin, """
                        {"url": "%s", "headers": {"Host": "%s"}}""".formatted(url, OTHER_HEADER)),
                requests.send("PATCH", path, admin, """
                        {"secret": "%s"}""".formatted(IMPORTED)))) {
            assertThat(reply.status()).as(reply.text()).isEqualTo(422);
            answers.add(reply.text());
        }
    }
}
