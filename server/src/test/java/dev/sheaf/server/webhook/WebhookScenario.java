package dev.sheaf.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// A webhook, and somebody who is sent what happens.
abstract class WebhookScenario extends OnEveryStack {
    static final String ALL = "/v1/organizations/default/webhooks";
    static final Duration LONG = Duration.ofSeconds(30);

    Receiver receiver;
    String path = "";
    JsonNode made = MissingNode.getInstance();

    @Override
    public Map<String, String> settings() {
        return Map.of("webhook-http", "true", "webhook-private-addresses", "true", "rate-writes", "0");
    }

    @BeforeEach
    void receive() {
        receiver = new Receiver();
        path = "";
    }

    /// No webhook of one scenario is sent what another one does.
    @AfterEach
    void end() {
        if (!path.isEmpty()) {
            assertThat(app().send("DELETE", path, app().admin(), null).status()).isIn(204, 404);
        }
        receiver.close();
    }

    /// A webhook for the events of one namespace.
    void webhook(String namespace, String more) {
        var reply = app().post(ALL, app().admin(), """
                        {"url": "%s", "eventTypes": ["version.*"], "namespaces": ["%s"]%s}""".formatted(receiver.url(), namespace, more));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        made = reply.json();
        path = ALL + "/" + made.get("id").stringValue();
    }

    void push(String bundle, int... patches) {
        for (int patch : patches) {
            app().push(bundle, "1.0." + patch, "private", "# Kit " + patch);
        }
    }

    JsonNode shown() {
        return app().get(path, app().admin()).json();
    }

    List<JsonNode> deliveries(String query) {
        return app().get(path + "/deliveries?limit=100" + query, app().admin())
                .json()
                .get("data")
                .valueStream()
                .toList();
    }

    /// Those that are written down.
    int attempts() {
        return deliveries("").stream()
                .mapToInt(delivery -> delivery.get("attemptCount").intValue())
                .sum();
    }

    void untilDelivered(String state, int count) {
        Eventually.within(LONG, () -> deliveries("&state=" + state).size() == count);
    }

    Reply patch(String json) {
        return app().send("PATCH", path, app().admin(), json);
    }

    static String signature(Receiver.Received delivery, String secret) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        mac.update((delivery.header("webhook-id") + "." + delivery.header("webhook-timestamp") + ".").getBytes());
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(delivery.body()));
    }
}
