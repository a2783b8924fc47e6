package dev.sheaf.server.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.program.ServerProcess;
import dev.sheaf.server.webhook.Receiver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Nodes that are killed while they deliver: nothing is lost, and little comes twice.
@Timeout(240)
@Tag("slow")
class DeliveryKillTest {
    private static final Duration LONG = Duration.ofSeconds(90); // a dead node counts as dead after half a minute
    private static final int EVENTS = 150;
    /// What may be delivered and not be stored yet: a batch.
    private static final int IN_FLIGHT = 16;

    @TempDir
    private Path folder;

    private ServerProcess start(Map<String, String> settings, String name) throws IOException {
        var all = new LinkedHashMap<>(settings);
        all.putAll(Map.of("webhook-http", "true", "webhook-private-addresses", "true"));
        all.remove("data-dir");
        var flags = new ArrayList<String>();
        all.forEach((setting, value) -> flags.add("--" + setting + "=" + value));
        return ServerProcess.start(folder.resolve(name), List.of("-Xmx256m"), flags);
    }

    private static void push(Requests node, String key, int patch) {
        assertThat(node.post("/v1/namespaces/kill/bundles/kit:push", key, """
                                {"version": "1.0.%d", "visibility": "private", "manifest":
                                  [{"logicalPath": "README.md", "assetType": "file", "contentText": "# %d"}]}""".formatted(patch, patch))
                        .status())
                .isEqualTo(201);
    }

    private static void webhook(Requests node, String key, Receiver receiver) {
        assertThat(node.post(
                                "/v1/organizations/default/webhooks",
                                key,
                                "{\"url\": \"%s\", \"eventTypes\": [\"tag.moved\"]}".formatted(receiver.url()))
                        .status())
                .isEqualTo(201);
    }

    private static void moveTag(Requests node, String key, int i) {
        assertThat(node.send(
                                "PUT",
                                "/v1/namespaces/kill/bundles/kit/tags/t",
                                key,
                                "{\"version\": \"1.0.%d\"}".formatted(i % 2))
                        .status())
                .isIn(200, 201);
    }

    private static Map<String, Long> ids(Receiver receiver) {
        return receiver.received().stream()
                .collect(Collectors.groupingBy(each -> each.header("webhook-id"), Collectors.counting()));
    }

    private static void assertEachCame(Receiver receiver, int events, int kills) {
        Eventually.within(LONG, () -> ids(receiver).size() == events);
        assertThat(receiver.received().size() - events).isBetween(0, kills * IN_FLIGHT);
    }

    @Test
    void aNodeThatIsKilledGoesOnWhenItIsBack() throws Exception {
        var settings = Stack.SQLITE.settings(folder.resolve("data"));
        try (var receiver = new Receiver()) {
            String key;
            try (var node = start(settings, "data");
                    var requests = new Requests(node.url())) {
                key = node.adminKey().expose();
                push(requests, key, 0);
                push(requests, key, 1);
                webhook(requests, key, receiver);
                for (int i = 0; i < EVENTS; i++) {
                    moveTag(requests, key, i);
                }
            } // which kills it, with deliveries on their way
            assertThat(receiver.received().size()).isBetween(1, EVENTS + IN_FLIGHT);

            try (var _ = start(settings, "data")) {
                assertEachCame(receiver, EVENTS, 1);
            }
        }
    }

    @Test
    void whatANodeDeliveredThatIsKilledAnotherOneGoesOnWith() throws Exception {
        var settings = Stack.POSTGRES_AND_BUCKET.settings(folder.resolve("first"));
        settings.put("master-key", MasterSecret.generate());
        try (var first = new Receiver();
                var second = new Receiver();
                var one = start(settings, "first");
                var two = start(settings, "second");
                var toOne = new Requests(one.url());
                var toTwo = new Requests(two.url())) {
            String key = one.adminKey().expose();
            push(toOne, key, 0);
            push(toOne, key, 1);
            webhook(toOne, key, first);
            webhook(toTwo, key, second);
            for (int i = 0; i < EVENTS; i++) {
                moveTag(toTwo, key, i);
                if (i == EVENTS / 2) {
                    one.kill();
                }
            }

            assertEachCame(first, EVENTS, 1);
            assertEachCame(second, EVENTS, 1);
        }
    }
}
