package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Reply;
import tools.jackson.databind.JsonNode;

/// API keys of the organization `default`, made by its admin.
abstract class KeyScenario extends OnBothEngines {
    static final String KEYS = "/v1/organizations/default/api-keys";

    JsonNode create(String members) {
        var reply = app().post(KEYS, app().admin(), "{" + members + "}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.json();
    }

    JsonNode named(String name) {
        return create("\"name\": \"" + name + "\"");
    }

    static String id(JsonNode key) {
        return key.get("id").stringValue();
    }

    static String secret(JsonNode key) {
        return key.get("key").stringValue();
    }

    Reply rotate(String id, String body) {
        return app().post(KEYS + "/" + id + ":rotate", app().admin(), body);
    }
}
