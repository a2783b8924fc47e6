package dev.sheaf.server.contract;

import static dev.sheaf.server.contract.ExamplesScenario.OWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.webhook.Receiver;
import java.time.Duration;

/// The part of [ExamplesScenario] with webhooks.
final class ExamplesOfWebhooks {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExamplesScenario scenario;

    ExamplesOfWebhooks(ExamplesScenario scenario) {
        this.scenario = scenario;
    }

    void play() {
        try (var receiver = new Receiver()) {
            String all = OWN + "/webhooks";
            var created = scenario.post(all, """
                    {"url": "%s", "description": "Rebuilds the site", "headers": {"X-Token": "of the site"},
                     "eventTypes": ["version.*", "tag.moved"], "bundles": ["acme/*"]}""".formatted(receiver.url()));
            assertThat(created.status()).as(created.text()).isEqualTo(201);
            String one = all + "/" + created.json().get("id").stringValue();
            deliveries(one);
            scenario.get(all);
            scenario.get(one);
            scenario.post(one + ":rotate-secret", "{\"overlap\": \"P7D\"}");
            scenario.post(one + ":replay", "{\"after\": \"2030-01-01T00:00:00Z\"}");
            scenario.send("PATCH", one, "{\"enabled\": false}");
            scenario.post(one + ":test", "{}");
            assertThat(scenario.send("DELETE", one, null).status()).isEqualTo(204);
            scenario.get("/.well-known/webhook-keys");
        }
    }

    private void deliveries(String webhook) {
        var tested = scenario.post(webhook + ":test", "{}");
        String delivery = webhook + "/deliveries/" + tested.json().get("id").stringValue();
        await(delivery, 1);
        scenario.get(delivery);
        scenario.post(delivery + ":redeliver", "{}");
        await(delivery, 2);
        scenario.get(webhook + "/deliveries?state=delivered&type=webhook.*");
    }

    private void await(String delivery, int attempts) {
        Eventually.within(LONG, () -> read(delivery).json().get("attempts").size() == attempts);
    }

    private Reply read(String path) {
        return scenario.app().get(path, scenario.app().admin());
    }
}
