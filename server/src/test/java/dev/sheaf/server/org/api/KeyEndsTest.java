package dev.sheaf.server.org.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// For how long keys work, by the policy of their organization, and how their owners hear of the end.
class KeyEndsTest extends KeyScenario {
    private static final String POLICY = "/v1/organizations/default/key-policy";

    @Test
    void thePolicyGivesNewKeysTheirEndAndLeavesOthersAlone() {
        var before = named("older than the policy");
        try {
            assertThat(put("{\"defaultExpiry\": \"P30D\", \"maxExpiry\": \"P90D\"}")
                            .text())
                    .isEqualTo("{\"defaultExpiry\":\"P30D\",\"maxExpiry\":\"P90D\"}");

            var byDefault = named("by default");
            var longest = create("\"name\": \"longest\", \"expiresIn\": \"P90D\"");
            var tooLong = app().post(KEYS, app().admin(), "{\"name\": \"too long\", \"expiresIn\": \"P91D\"}");
            var rotated = rotate(id(before), "{}").as(ApiKey.class);

            assertThat(lives(byDefault)).isEqualTo(Duration.ofDays(30));
            assertThat(lives(longest)).isEqualTo(Duration.ofDays(90));
            assertThat(tooLong.status()).isEqualTo(422);
            assertThat(tooLong.problem().errors().getFirst().detail()).contains("the organization's policy");
            assertThat(lives(rotated)).isEqualTo(Duration.ofDays(30));
            assertThat(read(id(before)).expiresAt()).isNull();
            put("{\"maxExpiry\": \"P7D\"}");
            assertThat(lives(named("as long as allowed"))).isEqualTo(Duration.ofDays(7));
            assertThat(lives(rotate(id(longest), "{}").as(ApiKey.class))).isEqualTo(Duration.ofDays(7));
        } finally {
            assertThat(put("{}").text()).isEqualTo("{}");
        }
        assertThat(named("for ever").expiresAt()).isNull();
    }

    private static Duration lives(ApiKey key) {
        // requests with expiresIn are read a moment before the transaction
        return Duration.ofHours(Duration.between(key.createdAt(), key.expiresAt())
                .plusMinutes(1)
                .toHours());
    }

    private Reply put(String body) {
        return app().send("PUT", POLICY, app().admin(), body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"defaultExpiry\": \"P1M\"}",
                "{\"maxExpiry\": \"PT0S\"}",
                "{\"maxExpiry\": \"P99999D\"}",
                "{\"maxExpirey\": \"P9D\"}",
                "{\"defaultExpiry\": \"P9D\", \"maxExpiry\": \"P8D\"}",
                "{\"maxExpiry\": 9}"
            })
    void rejectsMalformedPolicies(String body) {
        assertThat(put(body).status()).isEqualTo(422);
        assertThat(app().get(POLICY, app().admin()).text()).isEqualTo("{}");
    }

    @Test
    void everyAnswerToAKeyThatEndsSoonSaysWhen() {
        var key = create("\"name\": \"warned\", \"scopes\": [\"read\"], \"expiresIn\": \"P20D\"");
        String end = requireNonNull(key.expiresAt()).toString();
        assertThat(warnings(secret(key))).containsOnly("");

        pass(Duration.ofDays(7));

        assertThat(warnings(secret(key))).containsOnly(end);
        String token = app().get("/v2/token", secret(key)).json().get("token").stringValue();
        assertThat(app().get("/v2/", token).header("X-API-Key-Expiring")).isEqualTo(end);
        assertThat(warnings(app().admin())).containsOnly("");
    }

    /// Of a success, an error, a refusal, and the registry's half.
    private List<String> warnings(String secret) {
        var found = new ArrayList<String>();
        for (String path :
                List.of("/v1/me", "/v1/none", KEYS + "/none", "/v2/", "/v2/token", "/v2/no/thing/tags/list")) {
            found.add(app().get(path, secret).header("X-API-Key-Expiring"));
        }
        return found;
    }

    @Test
    void ownersAreToldOnceOfEachStep() {
        var key = create("\"name\": \"told\", \"expiresIn\": \"P30D\"");
        var brief = create("\"name\": \"told little\", \"expiresIn\": \"P10D\"");
        var gone = create("\"name\": \"told nothing\", \"expiresIn\": \"P10D\"");
        var turned = create("\"name\": \"told of its end\", \"expiresIn\": \"P30D\"");
        app().send("DELETE", KEYS + "/" + id(gone), app().admin(), null);
        rotate(id(turned), "{\"overlap\": \"P1D\"}");
        for (int day = 0; day < 31; day++) {
            app().tellOfExpiry();
            app().tellOfExpiry();
            pass(Duration.ofDays(1));
        }

        assertThat(events(id(key)))
                .containsExactly("api_key.created", "api_key.expiring", "api_key.expiring", "api_key.expired");
        assertThat(events(id(brief))).containsExactly("api_key.created", "api_key.expiring", "api_key.expired");
        assertThat(events(id(gone))).containsExactly("api_key.created", "api_key.revoked");
        assertThat(events(id(turned))).containsExactly("api_key.created", "api_key.rotated", "api_key.expired");
        assertThat(dataOf("api_key.expiring", id(key)).getFirst()).contains("\"daysLeft\":14", "\"name\":\"told\"");
        assertThat(dataOf("api_key.expiring", id(key)).getLast()).contains("\"daysLeft\":3");
    }

    private List<String> dataOf(String type, @Nullable String subject) {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT data FROM event WHERE type = :type AND subject = :subject ORDER BY id")
                        .bind("type", type)
                        .bind("subject", subject)
                        .mapTo(String.class)
                        .list());
    }
}
