package dev.sheaf.server.testing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.key.ApiKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Scenarios with OAuth's endpoints.
public abstract class OAuthScenario extends OnEveryStack {
    public static final String EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
    public static final String API_KEY = "urn:sheaf:params:oauth:token-type:api-key";
    public static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

    public final ApiKey key(String name, String scope, String more) {
        var reply = app().post("/v1/organizations/default/api-keys", app().admin(), """
                {"name": "%s", "scopes": ["%s"]%s}""".formatted(name, scope, more));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.as(ApiKey.class);
    }

    public final String secret(String name, String scope, String more) {
        return requireNonNull(key(name, scope, more).key());
    }

    public final Reply exchange(String subject, String... more) {
        return exchange(app(), subject, more);
    }

    public static Reply exchange(TestApp node, String subject, String... more) {
        var fields = new ArrayList<>(List.of(
                "grant_type",
                EXCHANGE,
                "subject_token",
                subject,
                "subject_token_type",
                subject.startsWith("shf_") ? API_KEY : ACCESS_TOKEN));
        fields.addAll(List.of(more));
        return node.form("/v1/oauth/token", null, fields.toArray(String[]::new));
    }

    public final String token(String subject, String... more) {
        var reply = exchange(subject, more);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json().get("access_token").stringValue();
    }

    public static void assertRefused(Reply reply, int status, String error, String... words) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.header("Content-Type")).isEqualTo("application/json");
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(reply.json().get("error").stringValue()).as(reply.text()).isEqualTo(error);
        for (String word : words) {
            assertThat(reply.json().get("error_description").stringValue()).contains(word);
        }
    }

    public final int status(String method, String path, @Nullable String credential, @Nullable String json) {
        return app().send(method, path, credential, json).status();
    }
}
