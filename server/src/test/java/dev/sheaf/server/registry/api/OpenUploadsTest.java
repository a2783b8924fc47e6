package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.org.quota.Quota;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Together;
import dev.sheaf.server.testing.V2Scenario;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What uploads that never end may take: room in the quota, and a limited number.
class OpenUploadsTest extends V2Scenario {
    private String key = "";

    @Override
    public Map<String, String> settings() {
        return Map.of("max-open-uploads", "5", "max-open-uploads-per-credential", "3");
    }

    @Override
    public String credential() {
        return key;
    }

    private void organization(String handle, long quota) {
        key = app().secondOrganization(handle);
        limit(handle, quota);
    }

    private void limit(String handle, long quota) {
        var reply = app().send(
                        "PATCH",
                        "/v1/admin/organizations/" + handle + "/quota",
                        app().admin(),
                        "{\"bytes\": " + quota + "}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    }

    private String usage(String handle) {
        return app().get("/v1/organizations/" + handle + "/usage", key).text();
    }

    private Reply begun(String repository) {
        return call("POST", "/v2/" + repository + "/blobs/uploads/", null);
    }

    @Test
    void whatIsUnfinishedCountsAgainstTheQuotaUntilItEnds() {
        organization("reserve", 100_000);
        var places = List.of(begin("reserve/kit"), begin("reserve/kit"), begin("reserve/kit"));

        var first = call("PATCH", places.get(0), random(60_000));
        var second = call("PATCH", places.get(1), random(60_001));
        var whole =
                call("POST", "/v2/reserve/kit/blobs/uploads/?digest=" + Digest.sha256(random(50_000)), random(50_000));

        assertThat(first.status()).isEqualTo(202);
        assertRefused(second, 507, "DENIED");
        assertThat(second.json().at("/errors/0/message").stringValue()).contains("of at most 100000 bytes");
        assertRefused(whole, 507, "DENIED");
        assertThat(usage("reserve"))
                .contains("\"used\":{\"bytes\":0,")
                .contains("\"uploads\":{\"open\":2,\"bytes\":60000}");
        assertThat(call("DELETE", places.get(0), null).status()).isEqualTo(204);
        pass(Duration.ofSeconds(3));
        assertThat(call("PATCH", places.get(2), random(60_000)).status()).isEqualTo(202);
        var ended = call("PUT", places.get(2) + "?digest=" + Digest.sha256(random(60_000)), null);
        assertThat(ended.status()).as("what it had reserved is enough").isEqualTo(201);
        assertThat(usage("reserve"))
                .contains("\"used\":{\"bytes\":60000,")
                .contains("\"uploads\":{\"open\":0,\"bytes\":0}");
        assertThat(new QuotaCheck(app().database(), Quota.NONE).recount(false)).isEmpty();
    }

    @Test
    void whatHasExpiredIsGivenBack() {
        organization("expire", 100_000);
        assertThat(call("PATCH", begin("expire/kit"), random(90_000)).status()).isEqualTo(202);
        assertRefused(call("PATCH", begin("expire/kit"), random(20_000)), 507, "DENIED");

        pass(Duration.ofHours(25));

        assertThat(call("PATCH", begin("expire/kit"), random(20_000)).status()).isEqualTo(202);
        assertThat(usage("expire")).contains("\"uploads\":{\"open\":1,\"bytes\":20000}");
    }

    @Test
    void aTransferEndsWhatIsOpenInTheNamespace() {
        String to = app().secondOrganization("receives");
        organization("gives", 100_000);
        app().post("/v1/namespaces/gives-ns/bundles/kit:push", key, """
                {"version": "1.0.0", "manifest": [{"logicalPath": "a.md", "contentText": "a"}]}""");
        String place = begin("gives-ns/kit");
        assertThat(call("PATCH", place, random(90_000)).status()).isEqualTo(202);
        var offer = app().post("/v1/organizations/gives/namespaces/gives-ns:transfer", key, """
                {"organization": "receives"}""");

        var accepted = app().post(
                        "/v1/organizations/receives/transfers/"
                                + offer.json().get("id").stringValue() + ":accept",
                        to,
                        "{}");

        assertThat(accepted.status()).as(accepted.text()).isEqualTo(200);
        assertThat(usage("gives")).contains("\"uploads\":{\"open\":0,\"bytes\":0}");
        assertThat(call("PATCH", begin("gives-two/kit"), random(90_000)).status())
                .as("there is room again")
                .isEqualTo(202);
    }

    /// What is announced to several at once is promised to as many as have room.
    @Test
    void whatComesAtTheSameTimeSharesTheQuota() throws Exception {
        organization("share", 100_000);
        String other = app().post("/v1/organizations/share/api-keys", key, """
                {"name": "other", "scopes": ["write"]}""")
                .json()
                .get("key")
                .stringValue();
        var places = new ArrayList<String>();
        var keys = List.of(key, other, key, other);
        for (String one : keys) {
            var reply = callAs(one, "POST", "/v2/share/kit/blobs/uploads/", null);
            assertThat(reply.status()).as(reply.text()).isEqualTo(202);
            places.add(reply.header("Location"));
        }

        var replies = Together.run(4, i -> () -> callAs(keys.get(i), "PATCH", places.get(i), random(40_000 + i)));

        assertThat(replies.stream().filter(reply -> reply.status() == 202)).hasSize(2);
        assertThat(replies.stream().filter(reply -> reply.status() == 507)).hasSize(2);
    }

    /// One upload that has sent a part without saying how much will come leaves the rest to others.
    @Test
    void whatHasComeOfAStreamIsTaken() throws Exception {
        organization("stream", 100_000);
        String probe = "/v2/stream/kit/blobs/uploads/?digest=" + Digest.sha256(random(1));
        boolean taken = false;
        for (int tries = 0; !taken && tries < 20; tries++) { // the probe may be first, and the stream is refused then
            String slow = begin("stream/kit");
            var body = new PipedInputStream(1 << 20);
            CompletableFuture<Reply> sending;
            try (var end = new PipedOutputStream(body)) {
                var request = app().request("PATCH", slow, key, null)
                        .method("PATCH", BodyPublishers.ofInputStream(() -> body));
                sending = CompletableFuture.supplyAsync(() -> app().send(request));
                end.write(random(80_000));
                end.flush();
                // refused for its digest while there is room, and leaves nothing
                var asked = new AtomicInteger();
                Eventually.within(
                        Duration.ofSeconds(60),
                        () -> call("POST", probe, random(90_000)).status() == 507 || asked.incrementAndGet() > 50);
            }
            taken = sending.join().status() == 202;
            if (!taken) {
                call("DELETE", slow, null);
            }
        }
        assertThat(taken).isTrue();
        assertThat(usage("stream")).contains("\"bytes\":80000}");
    }

    @Test
    void onlySoManyAreOpenAndTheRefusalNamesTheLimit() {
        organization("many", 0);
        String other = app().post("/v1/organizations/many/api-keys", key, """
                {"name": "other", "scopes": ["write"]}""")
                .json()
                .get("key")
                .stringValue();
        String first = begin("many/kit");
        begin("many/kit");
        begin("many/two");

        var own = begun("many/kit");
        for (int i = 0; i < 2; i++) {
            assertThat(callAs(other, "POST", "/v2/many/kit/blobs/uploads/", null)
                            .status())
                    .isEqualTo(202);
        }
        var all = callAs(other, "POST", "/v2/many/kit/blobs/uploads/", null);

        assertRefused(own, 429, "TOOMANYREQUESTS");
        assertThat(own.json().at("/errors/0/message").stringValue())
                .startsWith("this credential has 3 open uploads, and the limit is 3 (max-open-uploads-per-credential)");
        assertThat(own.json().at("/errors/0/detail/throttle").stringValue()).isEqualTo("size");
        assertThat(own.header("Retry-After")).isEqualTo("60");
        assertRefused(all, 429, "TOOMANYREQUESTS");
        assertThat(all.json().at("/errors/0/message").stringValue())
                .startsWith("the organization has 5 open uploads, and the limit is 5 (max-open-uploads)");
        pushWhole();
        assertThat(call("DELETE", first, null).status()).isEqualTo(204);
        assertThat(begun("many/kit").status()).isEqualTo(202);
        pass(Duration.ofHours(25));
        assertThat(begun("many/kit").status()).as("expired ones do not count").isEqualTo(202);
    }

    /// A client that broke off does not come back for what it began.
    @Test
    void theOneThatNobodyUsedForLongestMakesRoom() {
        organization("idle", 0);
        String oldest = begin("idle/kit");
        pass(Duration.ofMinutes(1));
        String second = begin("idle/kit");
        String third = begin("idle/kit");
        assertRefused(begun("idle/kit"), 429, "TOOMANYREQUESTS");
        pass(Duration.ofMinutes(10));
        assertThat(call("PATCH", second, random(1_000)).status()).isEqualTo(202);
        assertThat(call("PATCH", third, random(1_000)).status()).isEqualTo(202);

        var begun = begun("idle/kit");

        assertThat(begun.status()).as(begun.text()).isEqualTo(202);
        assertThat(call("PATCH", oldest, random(1_000)).status()).isEqualTo(404);
        assertThat(call("PATCH", second, null).status()).as("it was used").isNotEqualTo(404);
        assertRefused(begun("idle/kit"), 429, "TOOMANYREQUESTS");
    }

    /// A push in one request is none that stays open.
    private void pushWhole() {
        var pushed = call("POST", "/v2/many/kit/blobs/uploads/?digest=" + Digest.sha256(random(1_000)), random(1_000));
        assertThat(pushed.status()).isEqualTo(201);
    }
}
