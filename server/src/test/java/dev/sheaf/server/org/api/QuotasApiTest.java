package dev.sheaf.server.org.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.org.quota.Quota;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Together;
import dev.sheaf.server.testing.V2Scenario;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What an organization may hold, over HTTP. Each scenario has an organization of its own; the clock stands still,
/// and with it what is remembered of usage.
class QuotasApiTest extends V2Scenario {
    private String key = "";

    @Override
    public String credential() {
        return key;
    }

    /// A new organization, whose namespace has the same name, and which the next requests are of.
    private void organization(String handle) {
        key = app().secondOrganization(handle);
    }

    private void limit(String handle, String quota) {
        var reply = app().send("PATCH", "/v1/admin/organizations/" + handle + "/quota", app().admin(), quota);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    }

    private void limit(String handle, long bytes) {
        limit(handle, "{\"bytes\": " + bytes + "}");
    }

    private List<QuotaCheck.Recount> recount() {
        return new QuotaCheck(app().database(), Quota.NONE).recount(false);
    }

    private Reply push(String repository, String version, String text) {
        return app().post(bundle(repository) + ":push", key, """
                {"name": "Test", "version": "%s", "manifest": [{"logicalPath": "SKILL.md", "contentText": "%s"}]}""".formatted(version, text));
    }

    private String usage(String handle) {
        return app().get("/v1/organizations/" + handle + "/usage", key).text();
    }

    private long used(String handle, String what) {
        return app().get("/v1/organizations/" + handle + "/usage", key)
                .json()
                .at("/used/" + what)
                .longValue();
    }

    private long rows(String table) {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT count(*) FROM " + table)
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void usageIsWhatTheOrganizationHoldsAndItsOwnBusiness() {
        organization("own");
        assertThat(usage("own")).isEqualTo("""
                {"used":{"bytes":0,"bundles":0,"versions":0},"uploads":{"open":0,"bytes":0},"quota":{}}""");

        push("own/kit", "1.0.0", "twelve bytes");

        var manifest = call("GET", "/v2/own/kit/manifests/1.0.0", null);
        long bytes = manifest.text().length()
                + manifest.json().at("/config/size").longValue()
                + manifest.json().at("/layers/0/size").longValue();
        limit("own", "{\"bytes\": 70000, \"versions\": 9}");
        assertThat(usage("own")).isEqualTo("""
                {"used":{"bytes":%d,"bundles":1,"versions":1},"uploads":{"open":0,"bytes":0},"quota":{"bytes":70000,"versions":9}}""".formatted(bytes));
        app().get("/v1/organizations/default/usage", key).assertRefused("404 not-found");
        app().get("/v1/organizations/own/usage", app().admin()).assertRefused("404 not-found");
    }

    @Test
    void anAdministratorOfTheInstallationSetsAndLiftsQuotas() {
        organization("patched");
        String path = "/v1/admin/organizations/patched/quota";

        var set = app().send("PATCH", path, app().admin(), "{\"bytes\": 9000000000000000, \"bundles\": 7}");
        var kept = app().send("PATCH", path, app().admin(), "{\"bundles\": 0}");
        var lifted = app().send("PATCH", path, app().admin(), "{\"bytes\": null}");

        assertThat(set.json().get("quota").toString()).isEqualTo("{\"bytes\":9000000000000000,\"bundles\":7}");
        assertThat(kept.json().get("quota").toString()).isEqualTo("{\"bytes\":9000000000000000}");
        var misspelt = app().send("PATCH", path, app().admin(), "{\"byte\": 5}");
        misspelt.assertRefused("422 validation-failed");
        assertThat(misspelt.problem().errors().getFirst().pointer()).isEqualTo("/byte");
        assertThat(lifted.text()).isEqualTo(usage("patched")).contains("\"quota\":{}");
        for (String wrong : List.of("-1", "1.5", "\"9\"", "true", "[]", "9223372036854775808", "1e3")) {
            var reply = app().send("PATCH", path, app().admin(), "{\"versions\": " + wrong + ", \"bytes\": 5}");
            assertThat(reply.refusal()).as(wrong).isEqualTo("422 validation-failed");
            assertThat(reply.problem().errors().getFirst().pointer()).isEqualTo("/versions");
        }
        app().send("PATCH", path, app().admin(), "[]").assertRefused("422 validation-failed");
        app().send("PATCH", path, app().admin(), "{").assertRefused("400 bad-request");
        app().send("PATCH", "/v1/admin/organizations/nobody/quota", app().admin(), "{}")
                .assertRefused("404 not-found");
        app().send("PATCH", path, key, "{\"bytes\": 5}").assertRefused("403 not-administrator");
        assertThat(usage("patched")).contains("\"quota\":{}");
    }

    @Test
    void aPushOverTheQuotaIsRefusedWithNumbersAndLeavesNothing() {
        organization("full");
        push("full/kit", "1.0.0", "x".repeat(1_000));
        long used = used("full", "bytes");
        limit("full", used + 500);
        long blobs = rows("blob");

        var refused = push("full/another", "1.0.0", "y".repeat(400));
        var larger = push("full/another", "1.0.0", "y".repeat(5_000));
        var again = push("full/kit", "1.0.0", "x".repeat(1_000));

        refused.assertRefused("507 quota-exceeded");
        assertThat(refused.json().get("type").stringValue()).endsWith("/problems/quota-exceeded");
        assertThat(refused.json().get("organization").stringValue()).isEqualTo("full");
        assertThat(refused.json().get("what").stringValue()).isEqualTo("bytes");
        assertThat(refused.json().get("limit").longValue()).isEqualTo(used + 500);
        assertThat(refused.json().get("used").longValue()).isEqualTo(used);
        assertThat(refused.json().get("requested").longValue()).isGreaterThan(500);
        assertThat(refused.problem().detail()).startsWith("the organization full uses " + used + " of at most ");
        larger.assertRefused("507 quota-exceeded");
        assertThat(larger.json().get("requested").longValue()).isGreaterThan(used + 500);
        assertThat(again.status()).as("what is there already").isEqualTo(200);
        assertThat(used("full", "bytes")).isEqualTo(used);
        assertThat(rows("blob")).isEqualTo(blobs);
        assertThat(app().get("/v1/namespaces/full/bundles/another", key).status())
                .isEqualTo(404);

        limit("full", used + 5_000);

        assertThat(push("full/another", "1.0.0", "y".repeat(400)).status()).isEqualTo(201);
        assertThat(recount()).isEmpty();
    }

    @Test
    void bundlesAndVersionsAreCountedToo() {
        organization("few");
        limit("few", "{\"bundles\": 1, \"versions\": 2}");
        push("few/kit", "1.0.0", "one");
        pass(Duration.ofSeconds(3));

        var bundle = push("few/other", "1.0.0", "two");
        var empty = app().post("/v1/namespaces/few/bundles", key, """
                {"slug": "third", "name": "Third"}""");
        var version = push("few/kit", "1.1.0", "two");
        var over = push("few/kit", "1.2.0", "three");
        var byTag = pushManifest(
                "few/kit",
                "2.0.0",
                call("GET", "/v2/few/kit/manifests/1.0.0", null).text());

        bundle.assertRefused("507 quota-exceeded");
        assertThat(bundle.json().get("what").stringValue()).isEqualTo("bundles");
        empty.assertRefused("507 quota-exceeded");
        assertThat(version.status()).isEqualTo(201);
        over.assertRefused("507 quota-exceeded");
        assertThat(over.json().get("what").stringValue()).isEqualTo("versions");
        assertRefused(byTag, 507, "DENIED");
        assertThat(recount()).isEmpty();
    }

    @Test
    void anUploadIsRefusedByItsAnnouncedLengthOrOnceItIsTooLong() {
        organization("chunks");
        limit("chunks", 50_000);
        pushBlob("chunks/kit", random(40_000));
        pass(Duration.ofSeconds(3));
        String announced = begin("chunks/kit");
        String streamed = begin("chunks/kit");

        var whole =
                call("POST", "/v2/chunks/kit/blobs/uploads/?digest=" + Digest.sha256(random(20_000)), random(20_000));
        var patch = call("PATCH", announced, random(20_000));
        var stream = app().send(app().request("PATCH", streamed, key, null)
                .method("PATCH", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(random(30_000)))));
        var larger =
                call("POST", "/v2/chunks/kit/blobs/uploads/?digest=" + Digest.sha256(random(60_000)), random(60_000));
        var held =
                call("POST", "/v2/chunks/kit/blobs/uploads/?digest=" + Digest.sha256(random(40_000)), random(40_000));

        for (var refused : List.of(whole, patch, stream)) {
            assertRefused(refused, 507, "DENIED");
            assertThat(refused.json().at("/errors/0/message").stringValue())
                    .as("what had come of the stream is kept, and counts")
                    .matches("the organization chunks uses " + (refused == stream ? "4\\d{4}" : "40000")
                            + " of at most 50000 bytes.*");
        }
        assertRefused(larger, 507, "DENIED");
        assertThat(held.status()).as("what the repository holds already").isEqualTo(201);
        assertThat(call("GET", announced, null).status()).isEqualTo(404);
        assertThat(used("chunks", "bytes")).isEqualTo(40_000);
        var mounted = call("POST", "/v2/chunks/two/blobs/uploads/?mount=" + Digest.sha256(random(40_000)), null);
        assertRefused(mounted, 507, "DENIED");
        limit("chunks", 70_000);
        assertThat(pushBlob("chunks/kit", random(20_000))).isNotNull();
        assertThat(recount()).isEmpty();
    }

    @Test
    void refusedContentIsQueuedForDeletion() {
        organization("late");
        limit("late", 50_000);
        String upload = begin("late/kit");
        assertThat(call("PATCH", upload, random(20_000)).status()).isEqualTo(202);
        pushBlob("late/kit", random(20_000)); // which is not remembered yet when the upload ends
        long queued = rows("object_deletion");
        byte[] whole = Arrays.copyOf(random(20_000), 40_001);
        System.arraycopy(random(20_001), 0, whole, 20_000, 20_001);

        var refused = call("PUT", upload + "?digest=" + Digest.sha256(whole), random(20_001));

        assertRefused(refused, 507, "DENIED");
        assertThat(call("HEAD", "/v2/late/kit/blobs/" + Digest.sha256(whole), null)
                        .status())
                .isEqualTo(404);
        assertThat(call("GET", upload, null).status()).isEqualTo(404);
        assertThat(rows("object_deletion")).isEqualTo(queued + 1);
        assertThat(used("late", "bytes")).isEqualTo(20_000);
        assertThat(recount()).isEmpty();
    }

    @Test
    void manyPushesAtOnceNeverGoOverTheQuota() throws Exception {
        organization("crowd");
        push("crowd/kit", "0.0.1", "0".repeat(2_000));
        long one = used("crowd", "bytes");
        limit("crowd", one * 5 + one / 2);

        var replies = Together.run(
                12,
                i -> () -> i % 2 == 0
                        ? push(
                                        "crowd/kit" + i,
                                        "1.0.0",
                                        Integer.toString(i % 10).repeat(2_000))
                                .status()
                        : call(
                                        "POST",
                                        "/v2/crowd/kit/blobs/uploads/?digest=" + Digest.sha256(random(2_000 + i)),
                                        random(2_000 + i))
                                .status());

        assertThat(replies).contains(201, 507).containsOnly(201, 507);
        assertThat(used("crowd", "bytes")).isBetween(one * 4, one * 5 + one / 2);
        assertThat(recount()).isEmpty();
    }

    @Test
    void theRecordAgreesWithTheRowsWhateverHappens() throws Exception {
        organization("chance");
        var random = new Random(seed);
        var seeds = random.longs(4).toArray();

        Together.run(4, i -> () -> {
            var own = new Random(seeds[i]);
            for (int j = 0; j < 40; j++) {
                var reply = anything(own);
                assertThat(reply.status()).as("seed %d: %s", seed, reply.text()).isLessThan(500);
            }
            return true;
        });

        assertThat(used("chance", "bytes")).isPositive();
        assertThat(recount()).as("seed %d", seed).isEmpty();
    }

    /// One of everything that adds or takes away, on few enough things that they meet.
    private Reply anything(Random random) {
        String repository = "chance/kit" + random.nextInt(2);
        byte[] bytes = random(20_000 + 20_000 * random.nextInt(3));
        String blob = "/v2/" + repository + "/blobs/" + Digest.sha256(bytes);
        String uploads = "/v2/" + repository + "/blobs/uploads/";
        String image = """
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","artifactType":"application/x-test",\
                "config":%s,"layers":[%s]}""".formatted(
                        descriptor("application/vnd.oci.empty.v1+json", utf8("{}")), descriptor("text/plain", bytes));
        return switch (random.nextInt(8)) {
            case 0 -> push(repository, random.nextInt(4) + ".0.0", "content " + random.nextInt(3));
            case 1 -> call("POST", uploads + "?digest=" + Digest.sha256(bytes), bytes);
            case 2 -> chunked(uploads, bytes);
            case 3 -> call("POST", uploads + "?mount=" + Digest.sha256(bytes), null);
            case 4 -> {
                call("POST", uploads + "?digest=" + Digest.sha256(utf8("{}")), utf8("{}"));
                yield pushManifest(repository, random.nextBoolean() ? "word" : "9.0." + random.nextInt(2), image);
            }
            case 5 -> call("DELETE", "/v2/" + repository + "/manifests/" + Digest.sha256(utf8(image)), null);
            case 6 -> call("DELETE", "/v2/" + repository + "/manifests/word", null);
            default -> call("DELETE", blob, null);
        };
    }

    private Reply chunked(String uploads, byte[] bytes) {
        var parts = new ArrayList<byte[]>();
        parts.add(Arrays.copyOf(bytes, 15_000));
        parts.add(Arrays.copyOfRange(bytes, 15_000, bytes.length));
        var begun = call("POST", uploads, null);
        for (byte[] part : parts) {
            if (begun.status() == 202 && begun.header("Location") != null) {
                begun = call("PATCH", begun.header("Location"), part);
            }
        }
        return begun.status() == 202
                ? call("PUT", begun.header("Location") + "?digest=" + Digest.sha256(bytes), null)
                : begun;
    }
}
