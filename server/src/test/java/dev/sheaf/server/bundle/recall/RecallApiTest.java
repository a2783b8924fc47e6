package dev.sheaf.server.bundle.recall;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.Advisory;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionRecall;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.model.wire.bundle.VersionVerdict;
import dev.sheaf.server.testing.AssetScenario;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Recalled versions over HTTP.
class RecallApiTest extends AssetScenario {
    private String push(String repository, String version, String text) {
        var reply = app().push(repository, version, "public", text);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return requireNonNull(reply.as(VersionDetail.class).ociDigest());
    }

    private Reply recall(String repository, String what) {
        return app().post(bundle(repository) + ":recall", app().admin(), """
                {%s, "severity": "critical", "reason": "sends keys away", "replacement": "9.9.9",
                 "advisory": "https://example.com/7"}""".formatted(what));
    }

    private Reply unrecall(String repository, String version, String key) {
        return app().post(bundle(repository) + ":unrecall", key, "{\"versions\": [\"" + version + "\"]}");
    }

    private static String layer(String text) {
        return Digest.sha256(text.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private List<VersionVerdict> verdicts(String key, String items) {
        var reply = app().post("/v1/verdicts", key, "{\"items\": [" + items + "]}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        record Items(List<VersionVerdict> items) {}
        return reply.as(Items.class).items();
    }

    @Test
    void nobodyGetsARecalledVersionAndTagsLeaveIt() {
        String good = push("recall/kit", "1.0.0", "good words");
        String bad = push("recall/kit", "1.1.0", "bad words");
        app().send("PUT", bundle("recall/kit") + "/tags/stable", app().admin(), "{\"version\": \"1.1.0\"}");

        var recalled = recall("recall/kit", "\"versions\": [\"1.1.0\"]");

        assertThat(recalled.list(VersionSummary.class)).singleElement().satisfies(version -> {
            assertThat(version.state()).isEqualTo("yanked");
            assertThat(requireNonNull(version.recall()).severity()).isEqualTo("critical");
        });
        for (String path : List.of(
                bundle("recall/kit") + ":resolve?version=1.1.0",
                bundle("recall/kit") + ":resolve?digest=" + bad,
                bundle("recall/kit") + "/versions/1.1.0:pull",
                bundle("recall/kit") + "/versions/1.1.0:diff?to=1.0.0",
                bundle("recall/kit") + "/versions/1.0.0:diff?to=1.1.0",
                bundle("recall/kit") + "/versions/1.1.0/passport",
                assets("recall/kit") + "?version=1.1.0",
                assets("recall/kit") + "/SKILL.md?version=1.1.0")) {
            for (String key : new String[] {null, app().admin()}) {
                app().get(path, key).assertRefused("410 version-recalled");
            }
        }
        var refused = app().get(bundle("recall/kit") + ":resolve?version=1.1.0", null);
        assertThat(refused.problem().detail()).contains("sends keys away", "9.9.9", "https://example.com/7");
        assertThat(refused.json().get("severity").stringValue()).isEqualTo("critical");
        assertThat(app().get(bundle("recall/kit") + ":resolve", null)
                        .as(Resolution.class)
                        .ociDigest())
                .isEqualTo(good);
        assertThat(app().get(bundle("recall/kit") + "/tags/stable", null)
                        .as(TagStatus.class)
                        .version())
                .isEqualTo("1.0.0");
        assertThat(app().get(bundle("recall/kit") + ":resolve?version=%5E1", null)
                        .as(Resolution.class)
                        .version())
                .isEqualTo("1.0.0");
    }

    @Test
    void theRegistryKeepsItFromReadersAndShowsItToAdmins() {
        push("recall/oci", "1.0.0", "good bytes");
        String bad = push("recall/oci", "1.1.0", "bad bytes");
        recall("recall/oci", "\"digests\": [\"" + bad + "\"]");
        String blob = "/v2/recall/oci/blobs/" + layer("bad bytes");

        for (String reference : List.of("1.1.0", bad)) {
            String path = "/v2/recall/oci/manifests/" + reference;
            for (String key : new String[] {null, app().key("recall-oci-" + reference.length(), "write")}) {
                var refused = app().get(path, key);
                assertThat(refused.status()).isEqualTo(410);
                assertThat(refused.json().at("/errors/0/code").stringValue()).isEqualTo("MANIFEST_UNKNOWN");
                assertThat(refused.json().at("/errors/0/message").stringValue()).contains("sends keys away");
            }
            var read = app().get(path, app().admin());
            assertThat(read.status()).isEqualTo(200);
            assertThat(read.header("Cache-Control")).isEqualTo("private, no-store");
        }
        assertThat(app().get(blob, null).status()).isEqualTo(410);
        assertThat(app().get(blob, app().admin()).text()).isEqualTo("bad bytes");
        assertThat(app().get("/v2/recall/oci/blobs/" + layer("good bytes"), null)
                        .text())
                .isEqualTo("good bytes");
    }

    @Test
    void bytesThatAnotherVersionHasStayReadable() {
        push("recall/shared", "1.0.0", "common bytes");
        app().post(bundle("recall/shared") + ":push", app().admin(), """
                {"version": "1.1.0", "manifest": [
                  {"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "common bytes"},
                  {"logicalPath": "more.md", "contentText": "bad more"}]}""");

        recall("recall/shared", "\"versions\": [\"1.1.0\"]");

        String blobs = "/v2/recall/shared/blobs/";
        assertThat(app().get(blobs + layer("common bytes"), null).text()).isEqualTo("common bytes");
        assertThat(app().get(blobs + layer("bad more"), null).status()).isEqualTo(410);
        assertThat(app().get(assets("recall/shared") + "/SKILL.md?version=1.0.0", null)
                        .text())
                .contains("common bytes");
    }

    @Test
    void theSameContentElsewhereIsNotRecalled() {
        push("recall/here", "1.0.0", "twin bytes");
        push("recall/there", "1.0.0", "twin bytes");

        recall("recall/here", "\"versions\": [\"1.0.0\"]");

        assertThat(app().get("/v2/recall/there/blobs/" + layer("twin bytes"), null)
                        .text())
                .isEqualTo("twin bytes");
        assertThat(verdicts(app().admin(), """
                {"namespace": "recall", "bundle": "here", "version": "1.0.0"},
                {"namespace": "recall", "bundle": "there", "version": "1.0.0"}"""))
                .extracting(VersionVerdict::verdict)
                .containsExactly("recalled", "ok");
    }

    @Test
    void recalledContentCannotBePublishedOrMountedAgain() {
        push("recall/again", "1.0.0", "first again");
        String bad = push("recall/again", "1.1.0", "bad again");
        var manifest = app().get("/v2/recall/again/manifests/" + bad, app().admin());
        recall("recall/again", "\"versions\": [\"1.1.0\"]");

        app().push("recall/again", "1.1.0", "public", "bad again").assertRefused("409 conflict");
        for (String tag : List.of("canary", "1.2.0", "1.1.0")) {
            var tagged = app().send(
                            app().request("PUT", "/v2/recall/again/manifests/" + tag, app().admin(), manifest.text())
                                    .setHeader("Content-Type", manifest.header("Content-Type")));
            assertThat(tagged.status()).as(tagged.text()).isEqualTo(409);
        }
        var mounted = app().send(
                        "POST",
                        "/v2/recall/other/blobs/uploads/?from=recall/again&mount=" + layer("bad again"),
                        app().key("recall-again", "write"),
                        null);
        assertThat(mounted.status()).as("the client is to send it").isEqualTo(202);
        app().post(bundle("recall/again") + "/versions/1.1.0:unyank", app().admin(), "{}")
                .assertRefused("409 conflict");
    }

    /// A key that leaked may be the reason for the recall.
    @Test
    void aKeyThatMayOnlyWriteCannotEndTheWarning() {
        String writer = app().key("recall-warning", "write");
        push("recall/warned", "1.0.0", "warned good");
        push("recall/warned", "1.1.0", "warned bad");
        recall("recall/warned", "\"versions\": [\"1.1.0\"]");

        app().send("DELETE", bundle("recall/warned") + "/versions/1.1.0?reason=x", writer, null)
                .assertRefused("409 conflict");
        app().send("DELETE", bundle("recall/warned") + "?reason=x", writer, null)
                .assertRefused("409 conflict");
        app().send("PATCH", bundle("recall/warned"), writer, "{\"visibility\": \"private\"}")
                .assertRefused("409 conflict");
        app().send("DELETE", bundle("recall/warned") + "/versions/1.1.0", app().admin(), null)
                .assertRefused("422 validation-failed");
        var again = app().post(bundle("recall/warned") + ":push", writer, """
                {"version": "1.2.0", "manifest": [
                  {"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "warned bad"}]}""");
        again.assertRefused("409 conflict");
        assertThat(again.problem().detail()).contains("1.1.0", "was recalled");
        assertThat(app().send("HEAD", "/v2/recall/warned/blobs/" + layer("warned bad"), writer, null)
                        .status())
                .as("a client that pushes sends it then")
                .isEqualTo(404);
        assertThat(verdicts(app().admin(), """
                {"namespace": "recall", "bundle": "warned", "version": "1.1.0"}"""))
                .extracting(VersionVerdict::verdict)
                .containsExactly("recalled");
    }

    @Test
    void aWorkingFileThatOnlyARecalledVersionHasIsReplaced() {
        push("recall/work", "1.0.0", "bad work");
        put(assets("recall/work") + "/more.md", "more work");
        recall("recall/work", "\"versions\": [\"1.0.0\"]");

        var refused = app().get(assets("recall/work") + "/SKILL.md", app().admin());
        refused.assertRefused("410 version-recalled");
        assertThat(app().get(assets("recall/work") + "/more.md", app().admin()).status())
                .isEqualTo(200);
        assertThat(put(assets("recall/work") + "/SKILL.md", "good work").status())
                .isEqualTo(200);
        assertThat(app().get(assets("recall/work") + "/SKILL.md", app().admin()).text())
                .contains("good work");
    }

    @Test
    void aRangeIsRecalledOnlyIfItHasWhatIsExpected() {
        for (String version : List.of("1.0.0", "1.1.0", "1.2.0", "2.0.0")) {
            push("recall/range", version, "words of " + version);
        }

        var other = recall("recall/range", "\"range\": \"<2\", \"expected\": [\"1.0.0\"]");
        other.assertRefused("409 conflict");
        assertThat(other.problem().detail()).contains("1.2.0, 1.1.0, 1.0.0");
        assertThat(app().get(bundle("recall/range") + ":resolve?version=1.0.0", null)
                        .status())
                .isEqualTo(200);
        var done = recall("recall/range", "\"range\": \"<2\", \"expected\": [\"1.0.0\", \"1.2.0\", \"1.1.0\"]");

        assertThat(done.list(VersionSummary.class))
                .extracting(VersionSummary::version)
                .containsExactly("1.2.0", "1.1.0", "1.0.0");
        assertThat(app().get(bundle("recall/range") + "/versions", null).list(VersionSummary.class))
                .filteredOn(version -> version.recall() != null)
                .hasSize(3);
    }

    @Test
    void anOwnerEndsARecall() {
        push("recall/back", "1.0.0", "first back");
        String id = push("recall/back", "1.1.0", "second back");
        app().post(bundle("recall/back") + "/versions/1.0.0:yank", app().admin(), "{}");
        recall("recall/back", "\"versions\": [\"1.0.0\", \"1.1.0\"]");
        app().get(bundle("recall/back") + ":resolve", null).assertRefused("404 no-active-version");

        var done = app().post(
                        bundle("recall/back") + ":unrecall", app().admin(), "{\"versions\": [\"1.0.0\", \"1.1.0\"]}");

        assertThat(done.list(VersionSummary.class))
                .extracting(VersionSummary::state)
                .as("one was yanked before")
                .containsExactly("published", "yanked");
        assertThat(app().get(bundle("recall/back") + ":resolve", null)
                        .as(Resolution.class)
                        .ociDigest())
                .isEqualTo(id);
        assertThat(app().get("/v2/recall/back/blobs/" + layer("first back"), null)
                        .text())
                .isEqualTo("first back");
    }

    @Test
    void aRecallAgainChangesOnlyItsReason() {
        push("recall/twice", "1.0.0", "twice words");
        recall("recall/twice", "\"versions\": [\"1.0.0\"]");
        var first = detail("recall/twice");
        recall("recall/twice", "\"versions\": [\"1.0.0\"]");
        assertThat(detail("recall/twice")).isEqualTo(first);

        app().post(bundle("recall/twice") + ":recall", app().admin(), """
                {"versions": ["1.0.0"], "severity": "low", "reason": "not as bad"}""");

        assertThat(detail("recall/twice").reason()).isEqualTo("not as bad");
        List<String> events = app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT type FROM event WHERE subject = 'recall/twice:1.0.0' ORDER BY id")
                        .mapTo(String.class)
                        .list());
        assertThat(events).containsExactly("version.published", "version.recalled", "version.recalled");
    }

    private VersionRecall detail(String repository) {
        var detail = app().get(bundle(repository) + "/versions/1.0.0", null).as(VersionDetail.class);
        assertThat(detail.manifest().assets()).isEmpty();
        return requireNonNull(detail.recall());
    }

    @Test
    void onlyAdminsOfTheOwnerRecall() {
        push("recall/rights", "1.0.0", "rights words");
        String path = bundle("recall/rights") + ":recall";
        String body = "{\"versions\": [\"1.0.0\"], \"severity\": \"low\", \"reason\": \"bad\"}";

        app().post(path, app().key("recall-rights", "write"), body).assertRefused("403");
        app().post(path, app().secondOrganization("recall-strangers"), body).assertRefused("403 not-owner");
        app().post(path, null, body).assertRefused("401");
        app().post(path, app().secret("""
                {"name": "recall-part", "scopes": ["admin"], "restrictions": {"bundles": ["recall/rights"]}}"""), body).assertRefused("403 forbidden");
    }

    @Test
    void whereThereIsAnOwnerOnlyAnOwnerEndsARecall() {
        String key = app().secondOrganization("owned");
        String owner = app().person("recall-owner@example.org", "owned", "owner");
        String admin = app().person("recall-admin@example.org", "owned", "admin");
        app().post(bundle("owned/kit") + ":push", key, """
                {"version": "1.0.0", "manifest": [{"logicalPath": "a.md", "contentText": "owned words"}]}""");
        app().post(bundle("owned/kit") + ":recall", admin, """
                {"versions": ["1.0.0"], "severity": "low", "reason": "by mistake"}""");

        unrecall("owned/kit", "1.0.0", key).assertRefused("403 forbidden");
        unrecall("owned/kit", "1.0.0", admin).assertRefused("403 forbidden");
        var done = unrecall("owned/kit", "1.0.0", owner);

        assertThat(done.list(VersionSummary.class))
                .singleElement()
                .satisfies(version -> assertThat(version.recall()).isNull());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{}; /versions",
                "{\"versions\": [\"1.0.0\"], \"severity\": \"low\"}; /reason",
                "{\"versions\": [\"1.0.0\"], \"severity\": \"bad\", \"reason\": \"r\"}; /severity",
                "{\"versions\": [\"1\"], \"severity\": \"low\", \"reason\": \"r\"}; /versions/0",
                "{\"range\": \"<2\", \"severity\": \"low\", \"reason\": \"r\"}; /expected",
                "{\"versions\": [\"1.0.0\"], \"range\": \"<2\", \"severity\": \"low\", \"reason\": \"r\"}; /versions",
                "{\"versions\": [\"1.0.0\"], \"severity\": \"low\", \"reason\": \"r\", \"advisory\": \"javascript:x\"}; /advisory",
            })
    void wrongRequestsNameTheMember(String body, String pointer) {
        app().push("recall/wrong", "1.0.0", "public", "wrong words");
        var reply = app().post(bundle("recall/wrong") + ":recall", app().admin(), body);
        reply.assertRefused("422 validation-failed");
        assertThat(reply.text()).contains("\"pointer\":\"" + pointer + "\"");
    }

    @Test
    void verdictsTellWhatEachMayKnow() {
        String first = push("verdicts/kit", "1.0.0", "v one");
        push("verdicts/kit", "1.1.0", "v two");
        push("verdicts/kit", "1.2.0", "v three");
        push("verdicts/kit", "1.3.0", "v four");
        app().push("verdicts/hidden", "1.0.0", "private", "v hidden");
        app().post(bundle("verdicts/kit") + "/versions/1.0.0:yank", app().admin(), "{\"reason\": \"slow\"}");
        app().post(bundle("verdicts/kit") + "/versions/1.1.0:deprecate", app().admin(), "{\"message\": \"old\"}");
        recall("verdicts/kit", "\"versions\": [\"1.2.0\"]");
        String items = """
                {"namespace": "verdicts", "bundle": "kit", "digest": "%s"},
                {"namespace": "verdicts", "bundle": "kit", "version": "1.1.0"},
                {"namespace": "verdicts", "bundle": "kit", "version": "1.2.0"},
                {"namespace": "verdicts", "bundle": "kit", "version": "1.3.0"},
                {"namespace": "verdicts", "bundle": "kit", "version": "1.3.0", "digest": "%s"},
                {"namespace": "verdicts", "bundle": "kit", "version": "7.0.0"},
                {"namespace": "verdicts", "bundle": "hidden", "version": "1.0.0"}""".formatted(first, first);

        var known = verdicts(app().admin(), items);
        var strangers = verdicts(app().secondOrganization("verdict-strangers"), items);

        assertThat(known)
                .extracting(VersionVerdict::verdict)
                .containsExactly("yanked", "deprecated", "recalled", "ok", "unknown", "unknown", "ok");
        assertThat(known.get(2).reason()).isEqualTo("sends keys away");
        assertThat(known.get(2).severity()).isEqualTo("critical");
        assertThat(strangers)
                .extracting(VersionVerdict::verdict)
                .containsExactly("yanked", "deprecated", "recalled", "ok", "unknown", "unknown", "unknown");
        String many = String.join(
                ",",
                IntStream.range(0, 1_001)
                        .mapToObj(i -> "{\"namespace\": \"verdicts\", \"bundle\": \"kit\", \"version\": \"1.0.0\"}")
                        .toList());
        app().post("/v1/verdicts", null, "{\"items\": [" + many + "]}").assertRefused("422 validation-failed");
        app().post("/v1/verdicts", null, "{\"items\": [{\"namespace\": \"verdicts\", \"bundle\": \"kit\"}]}")
                .assertRefused("422 validation-failed");
    }

    @Test
    void aNamespaceListsWhatWasRecalledForWhoMaySeeIt() {
        push("advised/kit", "1.0.0", "one of advised");
        push("advised/kit", "1.1.0", "two of advised");
        app().push("advised/hidden", "1.0.0", "private", "hidden of advised");
        assertThat(app().get("/v1/namespaces/advised/advisories", null).list(Advisory.class))
                .isEmpty();
        recall("advised/kit", "\"versions\": [\"1.0.0\"]");
        pass(Duration.ofMinutes(1));
        recall("advised/hidden", "\"versions\": [\"1.0.0\"]");
        pass(Duration.ofMinutes(1));
        recall("advised/kit", "\"versions\": [\"1.1.0\"]");

        assertThat(numbers(null, "")).containsExactly("kit:1.1.0", "kit:1.0.0");
        assertThat(numbers(app().admin(), "")).containsExactly("kit:1.1.0", "hidden:1.0.0", "kit:1.0.0");
        assertThat(numbers(app().secret("""
                                {"name": "advised-kit", "scopes": ["read"], "restrictions": {"bundles": ["advised/kit"]}}"""), "")).containsExactly("kit:1.1.0", "kit:1.0.0");
        var first = app().get("/v1/namespaces/advised/advisories?limit=2", app().admin());
        assertThat(first.list(Advisory.class)).hasSize(2);
        String cursor = first.json().at("/meta/nextCursor").stringValue();
        assertThat(numbers(app().admin(), "?limit=2&cursor=" + cursor)).containsExactly("kit:1.0.0");

        unrecall("advised/kit", "1.1.0", app().admin());
        assertThat(numbers(null, "")).containsExactly("kit:1.0.0");
    }

    private List<String> numbers(@Nullable String key, String query) {
        return app().get("/v1/namespaces/advised/advisories" + query, key).list(Advisory.class).stream()
                .map(advisory -> advisory.bundle() + ":" + advisory.version())
                .toList();
    }

    @Test
    void theFeedOfRecallsIsForWhoMaySeeThem() {
        push("feeding/kit", "1.0.0", "one of feeding");
        app().push("feeding/hidden", "1.0.0", "private", "hidden of feeding");
        recall("feeding/kit", "\"versions\": [\"1.0.0\"]");
        recall("feeding/hidden", "\"versions\": [\"1.0.0\"]");
        String path = "/v1/namespaces/feeding/advisories.atom";

        var open = app().get(path, null);
        assertThat(open.header("Content-Type")).startsWith("application/atom+xml");
        assertThat(open.header("Cache-Control")).isEqualTo("public, max-age=30");
        assertThat(open.text())
                .contains("Recalled (critical): feeding/kit 1.0.0", "sends keys away Use instead: 9.9.9")
                .doesNotContain("hidden");
        var own = app().get(path, app().admin());
        assertThat(own.text()).contains("feeding/hidden 1.0.0");
        assertThat(own.header("Cache-Control")).isEqualTo("private, no-cache");
    }

    @Test
    void recallsOfAHiddenNamespaceAreAnsweredLikeThoseOfAMissingOne() {
        app().push("unseen/kit", "1.0.0", "private", "unseen bytes");
        recall("unseen/kit", "\"versions\": [\"1.0.0\"]");
        String stranger = app().secondOrganization("unseen-strangers");
        for (String list : List.of("advisories", "advisories.atom")) {
            for (String namespace : List.of("unseen", "no-such")) {
                app().get("/v1/namespaces/" + namespace + "/" + list, null).assertRefused("401");
                app().get("/v1/namespaces/" + namespace + "/" + list, stranger).assertRefused("404 not-found");
            }
        }
        app().get("/v1/namespaces/unseen/advisories?cursor=AAAA", app().admin()).assertRefused("400 invalid-cursor");
    }
}
