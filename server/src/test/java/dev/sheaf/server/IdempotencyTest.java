package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Together;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `Idempotency-Key` (contract 1.1).
class IdempotencyTest extends OnBothEngines {
    private static final String KEYS = "/v1/organizations/default/api-keys";

    private Reply post(String path, String credential, String key, String json) {
        return app().send(app().request("POST", path, credential, json).header("Idempotency-Key", key));
    }

    private static String fresh() {
        return UUID.randomUUID().toString();
    }

    private static String named(String name) {
        return "{\"name\": \"" + name + "\"}";
    }

    @Test
    void theSameAgainIsAnsweredAgainAndDoneOnce() {
        String key = fresh();
        var first = post(KEYS, app().admin(), key, named(key));
        var again = post(KEYS, app().admin(), "\"" + key + "\"", named(key));

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.header("Idempotency-Replayed")).isEmpty();
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        assertThat(again.json().get("id")).isEqualTo(first.json().get("id"));
        assertThat(first.json().has("key")).isTrue();
        assertThat(again.json().has("key")).as("a secret is shown once").isFalse();
        String secret = first.json().get("key").stringValue();
        var stored = app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT body FROM idempotent_request WHERE request_key = :key")
                        .bind("key", key)
                        .map((row, context) -> new String(row.getBytes("body")))
                        .one());
        assertThat(stored).doesNotContain(secret.substring(4, 34));
    }

    /// The body is kept to be compared, and memory for it is taken when it is announced.
    @Test
    void aKeyThatOnlyReadsHoldsNoLargeBodyInMemory() {
        String announced =
                "POST /v1/oauth/introspect HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
                        + app().key("holds " + fresh(), "read")
                        + "\r\nIdempotency-Key: " + fresh() + "\r\nContent-Length: " + (32 << 20) + "\r\n\r\n";

        assertThat(RawHttp.status(new RawHttp(app().host()).send(RawHttp.bytes(announced))))
                .isEqualTo(413);
    }

    @Test
    void anotherRequestUnderTheKeyIsRefused() {
        String key = fresh();
        assertThat(post(KEYS, app().admin(), key, named(key)).status()).isEqualTo(201);

        var body = post(KEYS, app().admin(), key, named(key + "x"));
        var path = post("/v1/organizations/default/namespaces", app().admin(), key, named(key));

        assertThat(body.status()).isEqualTo(422);
        assertThat(body.json().get("code").stringValue()).isEqualTo("idempotency-mismatch");
        assertThat(path.json().get("code").stringValue()).isEqualTo("idempotency-mismatch");
    }

    @Test
    void everyCredentialHasKeysOfItsOwn() {
        String key = fresh();
        String other = app().key("second-" + key, "admin");

        var first = post(KEYS, app().admin(), key, named("a-" + key));
        var second = post(KEYS, other, key, named("b-" + key));

        assertThat(first.status()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.json().get("id")).isNotEqualTo(first.json().get("id"));
    }

    @Test
    void aRefusalIsNotRemembered() {
        String key = fresh();
        app().key("taken-" + key, "read");

        assertThat(post(KEYS, app().admin(), key, named("taken-" + key)).status())
                .isEqualTo(409);
        assertThat(post(KEYS, app().admin(), key, named("free-" + key)).status())
                .isEqualTo(201);
    }

    @Test
    void atTheSameTimeItIsDoneOnce() throws Exception {
        String key = fresh();

        var replies = Together.run(8, i -> () -> post(KEYS, app().admin(), key, named(key)));

        assertThat(replies).allSatisfy(reply -> assertThat(reply.status()).isIn(201, 409));
        assertThat(replies.stream()
                        .filter(reply -> reply.status() == 201 && reply.json().has("key")))
                .hasSize(1);
        assertThat(replies.stream().filter(reply -> reply.status() == 409))
                .allSatisfy(reply ->
                        assertThat(reply.json().get("code").stringValue()).isEqualTo("idempotency-in-progress"));
    }

    @Test
    void aRequestThatNeverEndedIsForgottenAfterMinutesAndAnyAfterADay() {
        String key = fresh();
        assertThat(post(KEYS, app().admin(), key, named("one-" + key)).status()).isEqualTo(201);
        app().database()
                .write(tx -> tx.handle()
                        .createUpdate("UPDATE idempotent_request SET status = NULL WHERE request_key = :key")
                        .bind("key", key)
                        .execute());

        assertThat(post(KEYS, app().admin(), key, named("one-" + key))
                        .json()
                        .get("code")
                        .stringValue())
                .isEqualTo("idempotency-in-progress");
        pass(Duration.ofMinutes(6));
        assertThat(post(KEYS, app().admin(), key, named("two-" + key)).status()).isEqualTo(201);
        pass(Duration.ofHours(25));
        assertThat(post(KEYS, app().admin(), key, named("three-" + key)).status())
                .isEqualTo(201);
    }

    @Test
    void aPushIsRepeatedToo() {
        String key = fresh();
        String path = "/v1/namespaces/repeat/bundles/b" + key + ":push";
        String body = """
                {"name": "R", "visibility": "private", "version": "1.0.0",
                 "manifest": [{"logicalPath": "SKILL.md", "contentText": "text"}]}""";

        var first = post(path, app().admin(), key, body);
        var again = post(path, app().admin(), key, body);

        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).as("as the first time, not 200").isEqualTo(201);
        assertThat(again.json()).isEqualTo(first.json());
    }

    @Test
    void theRegistryTakesNoKeys() {
        String key = fresh();
        String uploads = "/v2/repeat/registry/blobs/uploads/";

        var first = post(uploads, app().admin(), key, "");
        var again = post(uploads, app().admin(), key, "");

        assertThat(first.status()).isEqualTo(202);
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.header("Location")).isNotEqualTo(first.header("Location"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "two words"})
    void saysWhatAKeyMayBe(String key) {
        assertThat(post(KEYS, app().admin(), key, "{}").status()).isEqualTo(400);
        assertThat(post(KEYS, app().admin(), "k".repeat(256), "{}").status()).isEqualTo(400);
    }
}
