package dev.sheaf.server.hub.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What tests of the hub do again and again.
abstract class HubScenario extends V2Scenario {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    static String hub(String repository) {
        return "/v1/hub/bundles/" + repository;
    }

    /// Publishes a public version of one skill, a second later than whatever was before.
    void publish(String repository, String version) {
        pass(Duration.ofSeconds(1));
        assertThat(app().push(repository, version, "public", "# " + version).status())
                .isEqualTo(201);
    }

    /// Publishes a public bundle and says more of it by a merge patch.
    void publish(String repository, String version, String patch) {
        publish(repository, version);
        patch(repository, patch);
    }

    void patch(String repository, String patch) {
        var reply = app().send("PATCH", bundle(repository), app().admin(), patch);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    }

    /// A merge patch of one text.
    static String text(String member, String value) {
        ObjectNode node = JSON.createObjectNode();
        return node.put(member, value).toString();
    }

    Reply anonymous(String path) {
        return app().get(path, null);
    }

    /// The references of a list, in order, over all its pages.
    List<String> refs(String query) {
        var refs = new ArrayList<String>();
        String cursor = "";
        do {
            var page = anonymous("/v1/hub/bundles?" + query + cursor);
            assertThat(page.status()).as(query + ": " + page.text()).isEqualTo(200);
            refs.addAll(refs(page));
            var next = page.page(HubBundle.class).meta().nextCursor();
            cursor = next == null ? "" : "&cursor=" + next;
            assertThat(page.header("Link").isEmpty()).isEqualTo(cursor.isEmpty());
        } while (!cursor.isEmpty());
        return refs;
    }

    static List<String> refs(Reply page) {
        return page.list(HubBundle.class).stream()
                .map(entry -> entry.publisher().handle() + "/" + entry.slug())
                .toList();
    }

    /// What an answer says but for the ids of the request and the name that was asked for.
    static String masked(Reply reply, String repository) {
        return reply.status() + " " + reply.header("Content-Type") + " " + reply.header("Cache-Control") + " "
                + reply.text().replace(reply.header("X-Request-Id"), "ID").replace(repository, "NAME");
    }
}
