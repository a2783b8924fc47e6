package dev.sheaf.server.org.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.util.List;
import java.util.Objects;

/// API keys of the organization `default`, made by its admin.
abstract class KeyScenario extends OnEveryStack {
    static final String KEYS = "/v1/organizations/default/api-keys";

    ApiKey create(String members) {
        var reply = app().post(KEYS, app().admin(), "{" + members + "}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.as(ApiKey.class);
    }

    ApiKey named(String name) {
        return create("\"name\": \"" + name + "\"");
    }

    static String id(ApiKey key) {
        return key.id().toString();
    }

    static String secret(ApiKey key) {
        return Objects.requireNonNull(key.key());
    }

    ApiKey read(String id) {
        return app().get(KEYS + "/" + id, app().admin()).as(ApiKey.class);
    }

    /// The types of the events about a key, in their order.
    List<String> events(String subject) {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT type FROM event WHERE subject = :subject ORDER BY id")
                        .bind("subject", subject)
                        .mapTo(String.class)
                        .list());
    }

    Reply rotate(String id, String body) {
        return app().post(KEYS + "/" + id + ":rotate", app().admin(), body);
    }
}
