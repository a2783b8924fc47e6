package dev.sheaf.server.idempotency;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.RawHttp;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Together;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `Idempotency-Key` (contract 1.1).
class StoredAnswersTest extends OnEveryStack {
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
    void repeatedRequestRunsOnceAndGetsSameAnswer() {
        String key = fresh();
        var first = post(KEYS, app().admin(), key, named(key));
        var again = post(KEYS, app().admin(), "\"" + key + "\"", named(key));

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.header("Idempotency-Replayed")).isEmpty();
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        assertThat(again.as(ApiKey.class).id()).isEqualTo(first.as(ApiKey.class).id());
        assertThat(first.as(ApiKey.class).key()).isNotNull();
        assertThat(again.as(ApiKey.class).key()).as("a secret is shown once").isNull();
        String secret = requireNonNull(first.as(ApiKey.class).key());
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
    void rejectsOtherRequestWithSameKey() {
        String key = fresh();
        assertThat(post(KEYS, app().admin(), key, named(key)).status()).isEqualTo(201);

        var body = post(KEYS, app().admin(), key, named(key + "x"));
        var path = post("/v1/organizations/default/namespaces", app().admin(), key, named(key));

        body.assertRefused("422 idempotency-mismatch");
        assertThat(path.problem().code()).isEqualTo("idempotency-mismatch");
    }

    @Test
    void everyCredentialHasKeysOfItsOwn() {
        String key = fresh();
        String other = app().key("second-" + key, "admin");

        var first = post(KEYS, app().admin(), key, named("a-" + key));
        var second = post(KEYS, other, key, named("b-" + key));

        assertThat(first.status()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.as(ApiKey.class).id())
                .isNotEqualTo(first.as(ApiKey.class).id());
    }

    @Test
    void aRefusalForWhatThereIsIsRemembered() {
        String key = fresh();
        app().key("taken-" + key, "read");

        assertThat(post(KEYS, app().admin(), key, named("taken-" + key)).status())
                .isEqualTo(409);
        var again = post(KEYS, app().admin(), key, named("taken-" + key));
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(post(KEYS, app().admin(), key, named("free-" + key)).status())
                .isEqualTo(422);
    }

    @Test
    void concurrentRepeatsRunOnce() throws Exception {
        String key = fresh();

        var replies = Together.run(8, i -> () -> post(KEYS, app().admin(), key, named(key)));

        assertThat(replies).allSatisfy(reply -> assertThat(reply.status()).isIn(201, 409));
        assertThat(replies.stream()
                        .filter(reply ->
                                reply.status() == 201 && (reply.as(ApiKey.class).key() != null)))
                .hasSize(1);
        assertThat(replies.stream().filter(reply -> reply.status() == 409))
                .allSatisfy(reply -> assertThat(reply.problem().code()).isEqualTo("idempotency-in-progress"));
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

        assertThat(post(KEYS, app().admin(), key, named("one-" + key)).problem().code())
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

    /// Forty pushes of many assets under fresh keys once kept 60 MB for a day.
    @Test
    void aLargeAnswerIsReadAgainAndNotKept() {
        String key = fresh();
        String path = "/v1/namespaces/repeat/bundles/b" + key;
        String assets = IntStream.range(0, 200)
                .mapToObj(i -> "{\"logicalPath\": \"a/" + i + ".md\", \"contentText\": \"text " + i + "\"}")
                .collect(Collectors.joining(","));
        String push = "{\"version\": \"1.0.0\", \"manifest\": [" + assets + "]}";
        String create =
                "{\"slug\": \"c" + key + "\", \"name\": \"C\", \"readmeContent\": \"" + "r".repeat(20_000) + "\"}";

        var first = post(path + ":push", app().admin(), key, push);
        var again = post(path + ":push", app().admin(), key, push);
        var identical = post(path + ":push", app().admin(), key + "2", push);
        var identicalAgain = post(path + ":push", app().admin(), key + "2", push);
        var yanked = post(path + "/versions/1.0.0:yank", app().admin(), key + "3", "{}");
        var yankedAgain = post(path + "/versions/1.0.0:yank", app().admin(), key + "3", "{}");
        var bundle = post("/v1/namespaces/repeat/bundles", app().admin(), key + "4", create);
        var bundleAgain = post("/v1/namespaces/repeat/bundles", app().admin(), key + "4", create);

        assertThat(first.status()).isEqualTo(201);
        assertThat(identical.status()).isEqualTo(200);
        assertThat(yanked.status()).isEqualTo(200);
        assertThat(bundle.status()).isEqualTo(201);
        assertRepeated(again, first);
        assertRepeated(identicalAgain, identical);
        assertRepeated(yankedAgain, yanked);
        assertRepeated(bundleAgain, bundle);
        long kept = app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT SUM(length(body)) FROM idempotent_request WHERE request_key LIKE :key")
                        .bind("key", key + "%")
                        .mapTo(Long.class)
                        .one());
        assertThat(first.text().length()).isGreaterThan(40_000);
        assertThat(kept).isZero();
    }

    private static void assertRepeated(Reply again, Reply first) {
        assertThat(again.status()).isEqualTo(first.status());
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        assertThat(again.json()).isEqualTo(first.json());
    }

    /// What cannot be read any more is not told by an old key either.
    @Test
    void aLargeAnswerThatIsGoneIsNotToldAgain() {
        String key = fresh();
        String path = "/v1/namespaces/repeat/bundles/d" + key;
        String create =
                "{\"slug\": \"d" + key + "\", \"name\": \"D\", \"readmeContent\": \"" + "r".repeat(20_000) + "\"}";
        post("/v1/namespaces/repeat/bundles", app().admin(), key, create);
        assertThat(app().send("DELETE", path, app().admin(), null).status()).isEqualTo(204);

        var again = post("/v1/namespaces/repeat/bundles", app().admin(), key, create);

        assertThat(again.status()).isEqualTo(404);
    }

    @Test
    void onlySoManyAreKeptForACredential() {
        var memory = new StoredAnswers(app().database(), 3);
        String who = "key:" + fresh();
        for (int i = 0; i < 5; i++) {
            pass(Duration.ofSeconds(1));
            var request = new StoredAnswers.Request(who, "k" + i, "f");
            assertThat(memory.begin(request)).isEmpty();
            memory.succeeded(request, new StoredAnswer(200, null, new byte[] {1}, null));
        }

        memory.purge();

        assertThat(memory.begin(new StoredAnswers.Request(who, "k1", "f")))
                .as("forgotten")
                .isEmpty();
        for (int i = 2; i < 5; i++) {
            assertThat(memory.begin(new StoredAnswers.Request(who, "k" + i, "f")))
                    .isPresent();
        }
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
    void rejectsMalformedKeys(String key) {
        assertThat(post(KEYS, app().admin(), key, "{}").status()).isEqualTo(400);
        assertThat(post(KEYS, app().admin(), "k".repeat(256), "{}").status()).isEqualTo(400);
    }
}
