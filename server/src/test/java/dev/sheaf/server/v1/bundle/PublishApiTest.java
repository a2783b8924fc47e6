package dev.sheaf.server.v1.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.AssetScenario;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Publishing a bundle as it is being edited, and what changed from version to version (contract 3.4, 3.6).
class PublishApiTest extends AssetScenario {
    private Reply publish(String repository, String body) {
        return app().post(bundle(repository) + ":publish", app().admin(), body);
    }

    private void edited(String repository, String... pathsAndTexts) {
        create(repository, "private");
        for (int i = 0; i < pathsAndTexts.length; i += 2) {
            put(assets(repository) + "/" + pathsAndTexts[i], pathsAndTexts[i + 1]);
        }
    }

    @Test
    void whatIsBeingEditedBecomesAVersionAndStays() {
        edited("freeze/kit", "SKILL.md", "# One\n", "t.json", "{}");

        var published = publish("freeze/kit", """
                {"version": "1.0.0", "tags": ["stable"], "message": "The first\\none"}""");
        var again = publish("freeze/kit", "{\"version\": \"1.0.0\"}");
        put(assets("freeze/kit") + "/SKILL.md", "# Two\n");
        var other = publish("freeze/kit", "{\"version\": \"1.0.0\"}");
        var next = publish("freeze/kit", "{\"version\": \"1.1.0\"}");

        assertThat(published.status()).as(published.text()).isEqualTo(201);
        assertThat(published.header("Location")).isEqualTo(bundle("freeze/kit") + "/versions/1.0.0");
        assertThat(published.json().get("message").stringValue()).isEqualTo("The first\none");
        assertThat(published.json().get("tags").toString()).isEqualTo("[\"latest\",\"stable\"]");
        assertThat(published.json().at("/manifest/assets").findValuesAsString("logicalPath"))
                .containsExactly("SKILL.md", "t.json");
        assertThat(again.status()).isEqualTo(200);
        assertThat(code(other)).isEqualTo("409 version-exists");
        assertThat(next.status()).isEqualTo(201);
        assertThat(next.json().has("message")).isFalse();
        assertThat(paths(assets("freeze/kit"), app().admin())).containsExactly("SKILL.md", "t.json");
        assertThat(app().get(bundle("freeze/kit") + "/versions/1.0.0", app().admin())
                        .json()
                        .get("message")
                        .stringValue())
                .isEqualTo("The first\none");
        assertThat(app().get(assets("freeze/kit") + "/SKILL.md?version=1.0.0", app().admin())
                        .json()
                        .get("contentText")
                        .stringValue())
                .isEqualTo("# One\n");
    }

    @Test
    void thePublishedDigestIsThatOfAPushOfTheSame() {
        edited("same/kit", "SKILL.md", "# One\n");
        var published = publish("same/kit", "{\"version\": \"1.0.0\"}");

        var pushed = app().post(bundle("same/kit") + ":push", app().admin(), """
                {"name": "Kit", "version": "1.0.0", "manifest": [
                  {"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "# One\\n"}]}""");

        assertThat(pushed.status()).as(pushed.text()).isEqualTo(200);
        assertThat(pushed.json().get("ociDigest")).isEqualTo(published.json().get("ociDigest"));
    }

    @Test
    void thereMustBeSomethingToPublish() {
        create("none/kit", "private");

        assertThat(code(publish("none/kit", "{\"version\": \"1.0.0\"}"))).isEqualTo("422 validation-failed");
        assertThat(app().get(bundle("none/kit") + "/versions", app().admin())
                        .json()
                        .get("data")
                        .size())
                .isZero();
    }

    @Test
    void theExpectedLatestIsComparedAndSet() {
        edited("cas/kit", "a.md", "one");

        assertThat(code(publish("cas/kit", "{\"version\": \"1.0.0\", \"expectedLatest\": \"0.9.0\"}")))
                .isEqualTo("409 tag-moved");
        publish("cas/kit", "{\"version\": \"1.0.0\"}");
        put(assets("cas/kit") + "/a.md", "two");
        var moved = publish("cas/kit", "{\"version\": \"1.1.0\", \"expectedLatest\": \"0.9.0\"}");
        var right = publish("cas/kit", "{\"version\": \"1.1.0\", \"expectedLatest\": \"1.0.0\"}");
        var repeated = publish("cas/kit", "{\"version\": \"1.1.0\", \"expectedLatest\": \"1.0.0\"}");

        assertThat(code(moved)).isEqualTo("409 tag-moved");
        assertThat(moved.json().get("actual").stringValue()).isEqualTo("1.0.0");
        assertThat(right.status()).isEqualTo(201);
        assertThat(repeated.status()).isEqualTo(200);
    }

    @Test
    void validateOnlyReportsEverythingAndChangesNothing() {
        edited("dry/kit", "a.md", "one \u202E");
        var report = publish("dry/kit", "{\"version\": \"1.0.0\", \"validateOnly\": true}")
                .json();
        assertThat(report.get("valid").booleanValue()).isTrue();
        assertThat(report.get("outcome").stringValue()).isEqualTo("created");
        assertThat(report.get("assetCount").intValue()).isEqualTo(1);
        assertThat(report.get("warnings").findValuesAsString("code")).containsExactly("bidirectional-control");
        var real = publish("dry/kit", "{\"version\": \"1.0.0\", \"tags\": [\"kept\"]}");
        assertThat(real.json().get("ociDigest")).isEqualTo(report.get("ociDigest"));
        app().send("PUT", bundle("dry/kit") + "/tags/kept", app().admin(), """
                {"version": "1.0.0", "protected": true}""");
        assertThat(publish("dry/kit", "{\"version\": \"1.0.0\", \"validateOnly\": true}")
                        .json()
                        .get("outcome")
                        .stringValue())
                .isEqualTo("identical");

        put(assets("dry/kit") + "/a.md", "two");
        long events = rows("event");
        var refused = publish("dry/kit", """
                {"version": "1.0.0", "tags": ["kept", "kept"], "expectedLatest": "3.0.0", "validateOnly": true}""");
        create("dry/empty", "private");
        var empty = publish("dry/empty", "{\"version\": \"1.0.0\", \"validateOnly\": true}")
                .json();

        assertThat(refused.status()).isEqualTo(200);
        assertThat(refused.json().get("valid").booleanValue()).isFalse();
        assertThat(refused.json().get("outcome").stringValue()).isEqualTo("refused");
        assertThat(refused.json().get("problems").findValuesAsString("pointer"))
                .containsExactly("/expectedLatest", "/version");
        assertThat(refused.json().get("problems").findValuesAsString("code"))
                .containsExactly("tag-moved", "version-exists");
        var protectedTag = publish("dry/kit", "{\"version\": \"1.1.0\", \"tags\": [\"kept\"], \"validateOnly\": true}");
        assertThat(protectedTag.json().get("problems").findValuesAsString("code"))
                .containsExactly("tag-protected");
        assertThat(empty.get("problems").get(0).get("code").stringValue()).isEqualTo("range");
        assertThat(empty.has("ociDigest")).isFalse();
        assertThat(rows("event")).isEqualTo(events + 1); // the bundle that was created
    }

    private long rows(String table) {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT count(*) FROM " + table)
                        .mapTo(Long.class)
                        .one());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                  | /version
            {"version": null}                                   | /version
            {"version": 1}                                      | /version
            {"version": "1.0"}                                  | /version
            {"version": "1.0.0", "tags": "stable"}              | /tags
            {"version": "1.0.0", "tags": ["ok", "2.x"]}         | /tags/1
            {"version": "1.0.0", "tags": [7]}                   | /tags/0
            {"version": "1.0.0", "message": 7}                  | /message
            {"version": "1.0.0", "message": "a\\u0000b"}        | /message
            {"version": "1.0.0", "expectedLatest": 7}           | /expectedLatest
            {"version": "1.0.0", "expectedLatest": "latest"}    | /expectedLatest
            {"version": "1.0.0", "validateOnly": "yes"}         | /validateOnly
            """)
    void whatIsWrongWithARequestIsNamed(String body, String pointer) {
        String repository = "wrongpub" + Integer.toHexString(body.hashCode()) + "/kit";
        edited(repository, "a.md", "one");

        var reply = publish(repository, body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.json().get("errors").get(0).get("pointer").stringValue())
                .isEqualTo(pointer);
    }

    @Test
    void longMembersAreRefused() {
        edited("longpub/kit", "a.md", "one");

        assertThat(code(publish("longpub/kit", "{\"version\": \"1.0.0\", \"message\": \"" + "m".repeat(4_001) + "\"}")))
                .isEqualTo("422 validation-failed");
        assertThat(code(publish("longpub/kit", "{\"version\": \"1.0.0-" + "a".repeat(130) + "\"}")))
                .isEqualTo("422 validation-failed");
        assertThat(publish("longpub/kit", "{\"version\": \"1.0.0\", \"message\": \"" + "m".repeat(4_000) + "\"}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void warningsStayWithTheVersionWhicheverWayItCame() {
        String token = "npm_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ0bC2dF4hJ6";
        var pushed = app().post(bundle("warned/kit") + ":push", app().admin(), """
                {"version": "1.0.0", "visibility": "public", "manifest": [
                  {"logicalPath": "a.md", "assetType": "skill", "contentText": "key %s"}]}""".formatted(token));

        var read = app().get(bundle("warned/kit") + "/versions/1.0.0", null).json();

        assertThat(read.get("warnings")).isEqualTo(pushed.json().get("warnings"));
        assertThat(read.get("warnings").findValuesAsString("code")).containsExactly("probable-secret");
        assertThat(read.get("warnings").toString()).contains("npm_aB3d").doesNotContain(token);
        assertThat(app().get(bundle("warned/kit") + "/versions/1.0.0:pull", null)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aYankIsShownAsInWhatResolveAnswers() {
        app().push("yanked/kit", "1.0.0", "public", "x");
        app().post(bundle("yanked/kit") + "/versions/1.0.0:yank", app().admin(), """
                {"reason": "Broken", "reasonCode": "broken", "replacement": "2.0.0"}""");

        var detail = app().get(bundle("yanked/kit") + "/versions/1.0.0", null).json();
        var resolution =
                app().get(bundle("yanked/kit") + ":resolve?version=1.0.0", null).json();

        assertThat(detail.get("yank")).isEqualTo(resolution.get("yank"));
        assertThat(detail.get("yankReason").stringValue()).isEqualTo("Broken");
    }

    // --- races ---

    @Test
    void anEditComesBeforeAPublishOrAfterIt() throws Exception {
        edited("race/kit", "a.md", "0", "b.md", "0");
        var published = new ArrayList<Reply>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> editor = threads.submit(() -> {
                for (int i = 1; i <= 15; i++) {
                    put(assets("race/kit") + "/a.md", "" + i);
                    put(assets("race/kit") + "/b.md", "" + i);
                }
            });
            for (int i = 0; i < 8; i++) {
                published.add(publish("race/kit", "{\"version\": \"1.0." + i + "\"}"));
            }
            editor.get();
        }

        for (var reply : published) {
            assertThat(reply.status()).as(reply.text()).isEqualTo(201);
            var pulled = app().get(
                            bundle("race/kit") + "/versions/"
                                    + reply.json().get("version").stringValue() + ":pull",
                            app().admin())
                    .json();
            int a = Integer.parseInt(pulled.at("/manifest/0/contentText").stringValue());
            int b = Integer.parseInt(pulled.at("/manifest/1/contentText").stringValue());
            assertThat(a - b).as("b follows a, one step behind at most").isBetween(0, 1);
        }
    }

    @Test
    void ofTwoPublishesOfOneVersionOneMakesIt() throws Exception {
        edited("two/kit", "a.md", "one");
        var statuses = new ArrayList<Integer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var both = new ArrayList<Future<Reply>>();
            for (int i = 0; i < 6; i++) {
                both.add(threads.submit(() -> publish("two/kit", "{\"version\": \"1.0.0\"}")));
            }
            for (var one : both) {
                statuses.add(one.get().status());
            }
        }

        assertThat(statuses).containsOnlyOnce(201).contains(200);
        assertThat(new HashSet<>(statuses)).containsExactlyInAnyOrder(200, 201);
    }

    // --- diff ---

    private JsonNode diff(String repository, String from, String to) {
        var reply = app().get(bundle(repository) + "/versions/" + from + ":diff?to=" + to, app().admin());
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json();
    }

    private void twoVersions() {
        String long1 = "l1\nl2\nl3\nl4\nl5\n";
        edited(
                "diff/kit",
                "same.md",
                "s",
                "gone.md",
                "g\n",
                "changed.md",
                "a\nb\n",
                "old.md",
                "moved\n",
                "like.md",
                long1);
        put(assets("diff/kit") + "/x.bin", new byte[] {0, 1});
        publish("diff/kit", "{\"version\": \"1.0.0\"}");
        for (String path : List.of("gone.md", "old.md", "like.md")) {
            app().send("DELETE", assets("diff/kit") + "/" + path, app().admin(), null);
        }
        put(assets("diff/kit") + "/changed.md", "a\nc\n");
        put(assets("diff/kit") + "/new.md", "moved\n");
        put(assets("diff/kit") + "/likeness.md", long1 + "l6\n");
        put(assets("diff/kit") + "/added.md", "n");
        put(assets("diff/kit") + "/x.bin", new byte[] {(byte) 0xFF, 2});
        publish("diff/kit", "{\"version\": \"1.1.0\"}");
    }

    @Test
    void aDiffSaysWhatBecameOfEveryAsset() {
        twoVersions();

        var diff = diff("diff/kit", "1.0.0", "latest");

        assertThat(diff.at("/from/version").stringValue()).isEqualTo("1.0.0");
        assertThat(diff.at("/to/version").stringValue()).isEqualTo("1.1.0");
        var seen = new ArrayList<String>();
        diff.get("changes")
                .forEach(change -> seen.add(change.get("change").stringValue() + " "
                        + change.get("logicalPath").stringValue() + " "
                        + change.path("before").path("logicalPath").asString("-") + " "
                        + change.path("similarity").asInt(0)));
        assertThat(seen)
                .containsExactly(
                        "added added.md - 0",
                        "changed changed.md changed.md 0",
                        "removed gone.md gone.md 0",
                        "renamed likeness.md like.md 90",
                        "renamed new.md old.md 100",
                        "changed x.bin x.bin 0");
        assertThat(diff.get("changes").get(1).get("diff").stringValue())
                .isEqualTo("--- a/changed.md\n+++ b/changed.md\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        assertThat(diff.get("changes").get(3).get("diff").stringValue()).contains("+l6\n");
        assertThat(diff.get("changes").get(4).has("diff")).isFalse();
        assertThat(diff.get("changes").get(5).get("diffOmitted").stringValue()).isEqualTo("binary");
        assertThat(diff.get("unchanged").intValue()).isEqualTo(1);
        assertThat(diff("diff/kit", "1.0.0", "1.0.0").get("changes").size()).isZero();
    }

    @Test
    void aDiffOfWhatIsTooLargeSaysSo() {
        edited("big/kit", "big.txt", "x\n".repeat(200_000));
        publish("big/kit", "{\"version\": \"1.0.0\"}");
        put(assets("big/kit") + "/big.txt", "y\n".repeat(200_000).getBytes(StandardCharsets.UTF_8));
        publish("big/kit", "{\"version\": \"1.1.0\"}");

        var change = diff("big/kit", "1.0.0", "1.1.0").get("changes").get(0);

        assertThat(change.get("diffOmitted").stringValue()).isEqualTo("too-large");
        assertThat(code(app().get(bundle("big/kit") + "/versions/1.0.0:diff", app().admin())))
                .isEqualTo("422 validation-failed");
        assertThat(code(app().get(bundle("big/kit") + "/versions/1.0.0:diff?to=9.0.0", app().admin())))
                .isEqualTo("404 version-not-found");
        assertThat(app().get(bundle("big/kit") + "/versions/1.0.0:diff?to=1.1.0", null)
                        .status())
                .isEqualTo(401);
    }
}
