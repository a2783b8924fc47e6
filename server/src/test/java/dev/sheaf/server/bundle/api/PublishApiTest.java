package dev.sheaf.server.bundle.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.PublishReport;
import dev.sheaf.model.wire.bundle.PulledBundle;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.testing.AssetScenario;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void publishesWorkingAssetsAndKeepsThem() {
        edited("freeze/kit", "SKILL.md", "# One\n", "t.json", "{}");

        var published = publish("freeze/kit", """
                {"version": "1.0.0", "tags": ["stable"], "message": "The first\\none"}""");
        var again = publish("freeze/kit", "{\"version\": \"1.0.0\"}");
        put(assets("freeze/kit") + "/SKILL.md", "# Two\n");
        var other = publish("freeze/kit", "{\"version\": \"1.0.0\"}");
        var next = publish("freeze/kit", "{\"version\": \"1.1.0\"}");

        assertThat(published.status()).as(published.text()).isEqualTo(201);
        assertThat(published.header("Location")).isEqualTo(bundle("freeze/kit") + "/versions/1.0.0");
        assertThat(published.as(VersionDetail.class).message()).isEqualTo("The first\none");
        assertThat(published.as(VersionDetail.class).tags()).containsExactly("latest", "stable");
        assertThat(published.as(VersionDetail.class).manifest().assets())
                .extracting(Layer::logicalPath)
                .containsExactly("SKILL.md", "t.json");
        assertThat(again.status()).isEqualTo(200);
        other.assertRefused("409 version-exists");
        assertThat(next.status()).isEqualTo(201);
        assertThat(next.as(VersionDetail.class).message()).isNull();
        assertThat(paths(assets("freeze/kit"), app().admin())).containsExactly("SKILL.md", "t.json");
        assertThat(app().get(bundle("freeze/kit") + "/versions/1.0.0", app().admin())
                        .as(VersionDetail.class)
                        .message())
                .isEqualTo("The first\none");
        assertThat(app().get(assets("freeze/kit") + "/SKILL.md?version=1.0.0", app().admin())
                        .as(Asset.class)
                        .contentText())
                .isEqualTo("# One\n");
    }

    @Test
    void aPushMayHaveAMessage() {
        String push = bundle("freeze/pushed") + ":push";
        String body = """
                {"version": "1.0.0", "message": "%s",
                 "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "# One"}]}""";

        var pushed = app().post(push, app().admin(), body.formatted("The first"));

        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        assertThat(app().get(bundle("freeze/pushed") + "/versions/1.0.0", app().admin())
                        .as(VersionDetail.class)
                        .message())
                .isEqualTo("The first");
        assertThat(app().post(push, app().admin(), body.formatted("x".repeat(4_001)))
                        .text())
                .contains("/message");
    }

    @Test
    void thePublishedDigestIsThatOfAPushOfTheSame() {
        edited("same/kit", "SKILL.md", "# One\n");
        var published = publish("same/kit", "{\"version\": \"1.0.0\"}").as(VersionDetail.class);

        var pushed = app().post(bundle("same/kit") + ":push", app().admin(), """
                {"name": "Kit", "version": "1.0.0", "manifest": [
                  {"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "# One\\n"}]}""");

        assertThat(pushed.status()).as(pushed.text()).isEqualTo(200);
        assertThat(pushed.as(VersionDetail.class).ociDigest()).isEqualTo(published.ociDigest());
    }

    @Test
    void rejectsPublishWithoutAssets() {
        create("none/kit", "private");

        publish("none/kit", "{\"version\": \"1.0.0\"}").assertRefused("422 validation-failed");
        assertThat(app().get(bundle("none/kit") + "/versions", app().admin()).list(VersionSummary.class))
                .isEmpty();
    }

    @Test
    void rejectsUnexpectedLatest() {
        edited("cas/kit", "a.md", "one");

        publish("cas/kit", "{\"version\": \"1.0.0\", \"expectedLatest\": \"0.9.0\"}")
                .assertRefused("409 tag-moved");
        publish("cas/kit", "{\"version\": \"1.0.0\"}");
        put(assets("cas/kit") + "/a.md", "two");
        var moved = publish("cas/kit", "{\"version\": \"1.1.0\", \"expectedLatest\": \"0.9.0\"}");
        var right = publish("cas/kit", "{\"version\": \"1.1.0\", \"expectedLatest\": \"1.0.0\"}");
        var repeated = publish("cas/kit", "{\"version\": \"1.1.0\", \"expectedLatest\": \"1.0.0\"}");

        moved.assertRefused("409 tag-moved");
        assertThat(moved.json().get("actual").stringValue()).isEqualTo("1.0.0");
        assertThat(right.status()).isEqualTo(201);
        assertThat(repeated.status()).isEqualTo(200);
    }

    @Test
    void validateOnlyReportsEverythingAndChangesNothing() {
        edited("dry/kit", "a.md", "one \u202E");
        var report = publish("dry/kit", "{\"version\": \"1.0.0\", \"validateOnly\": true}")
                .as(PublishReport.class);
        assertThat(report.valid()).isTrue();
        assertThat(report.outcome()).isEqualTo("created");
        assertThat(report.assetCount()).isEqualTo(1);
        assertThat(report.warnings()).extracting(VersionDetail.Warning::code).containsExactly("bidirectional-control");
        var real = publish("dry/kit", "{\"version\": \"1.0.0\", \"tags\": [\"kept\"]}")
                .as(VersionDetail.class);
        assertThat(real.ociDigest()).isEqualTo(report.ociDigest());
        app().send("PUT", bundle("dry/kit") + "/tags/kept", app().admin(), """
                {"version": "1.0.0", "protected": true}""");
        assertThat(publish("dry/kit", "{\"version\": \"1.0.0\", \"validateOnly\": true}")
                        .as(PublishReport.class)
                        .outcome())
                .isEqualTo("identical");

        put(assets("dry/kit") + "/a.md", "two");
        long events = rows("event");
        var refused = publish("dry/kit", """
                {"version": "1.0.0", "tags": ["kept", "kept"], "expectedLatest": "3.0.0", "validateOnly": true}""");
        create("dry/empty", "private");
        var empty = publish("dry/empty", "{\"version\": \"1.0.0\", \"validateOnly\": true}")
                .as(PublishReport.class);

        assertThat(refused.status()).isEqualTo(200);
        assertThat(refused.as(PublishReport.class).valid()).isFalse();
        assertThat(refused.as(PublishReport.class).outcome()).isEqualTo("refused");
        assertThat(refused.as(PublishReport.class).problems())
                .extracting(PublishReport.Finding::pointer)
                .containsExactly("/expectedLatest", "/version");
        assertThat(refused.as(PublishReport.class).problems())
                .extracting(PublishReport.Finding::code)
                .containsExactly("tag-moved", "version-exists");
        var protectedTag = publish("dry/kit", "{\"version\": \"1.1.0\", \"tags\": [\"kept\"], \"validateOnly\": true}")
                .as(PublishReport.class);
        assertThat(protectedTag.problems())
                .extracting(PublishReport.Finding::code)
                .containsExactly("tag-protected");
        assertThat(empty.problems().getFirst().code()).isEqualTo("range");
        assertThat(empty.ociDigest()).isNull();
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
    void rejectsWrongMemberByName(String body, String pointer) {
        String repository = "wrongpub" + Integer.toHexString(body.hashCode()) + "/kit";
        edited(repository, "a.md", "one");

        var reply = publish(repository, body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.problem().errors().getFirst().pointer()).isEqualTo(pointer);
    }

    @Test
    void rejectsLongMembers() {
        edited("longpub/kit", "a.md", "one");

        publish("longpub/kit", "{\"version\": \"1.0.0\", \"message\": \"" + "m".repeat(4_001) + "\"}")
                .assertRefused("422 validation-failed");
        publish("longpub/kit", "{\"version\": \"1.0.0-" + "a".repeat(130) + "\"}")
                .assertRefused("422 validation-failed");
        assertThat(publish("longpub/kit", "{\"version\": \"1.0.0\", \"message\": \"" + "m".repeat(4_000) + "\"}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void warningsStayWithTheVersionWhicheverWayItCame() {
        String token = "npm_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ0bC2dF4hJ6";
        var pushed = app().post(bundle("warned/kit") + ":push", app().admin(), """
                {"version": "1.0.0", "visibility": "public", "manifest": [
                  {"logicalPath": "a.md", "assetType": "skill", "contentText": "key %s"}]}""".formatted(token))
                .as(VersionDetail.class);

        var read = app().get(bundle("warned/kit") + "/versions/1.0.0", null);

        var warnings = requireNonNull(read.as(VersionDetail.class).warnings());
        assertThat(warnings).isEqualTo(pushed.warnings());
        assertThat(warnings).extracting(VersionDetail.Warning::code).containsExactly("probable-secret");
        assertThat(read.text()).contains("npm_aB3d").doesNotContain(token);
        assertThat(app().get(bundle("warned/kit") + "/versions/1.0.0:pull", null)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void versionShowsSameYankAsResolve() {
        app().push("yanked/kit", "1.0.0", "public", "x");
        app().post(bundle("yanked/kit") + "/versions/1.0.0:yank", app().admin(), """
                {"reason": "Broken", "reasonCode": "broken", "replacement": "2.0.0"}""");

        var detail = app().get(bundle("yanked/kit") + "/versions/1.0.0", null).as(VersionDetail.class);
        var resolution =
                app().get(bundle("yanked/kit") + ":resolve?version=1.0.0", null).as(Resolution.class);

        assertThat(detail.yank()).isEqualTo(resolution.yank());
        assertThat(detail.yankReason()).isEqualTo("Broken");
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
                    .as(PulledBundle.class);
            int a = Integer.parseInt(pulled.manifest().getFirst().contentText());
            int b = Integer.parseInt(pulled.manifest().get(1).contentText());
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

    private VersionDiff diff(String repository, String from, String to) {
        var reply = app().get(bundle(repository) + "/versions/" + from + ":diff?to=" + to, app().admin());
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.as(VersionDiff.class);
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

        assertThat(requireNonNull(diff.from()).version()).isEqualTo("1.0.0");
        assertThat(diff.to().version()).isEqualTo("1.1.0");
        var seen = new ArrayList<String>();
        diff.changes()
                .forEach(change -> seen.add(change.change() + " "
                        + change.logicalPath() + " "
                        + (change.before() == null ? "-" : change.before().logicalPath()) + " "
                        + Objects.requireNonNullElse(change.similarity(), 0)));
        assertThat(seen)
                .containsExactly(
                        "added added.md - 0",
                        "changed changed.md changed.md 0",
                        "removed gone.md gone.md 0",
                        "renamed likeness.md like.md 90",
                        "renamed new.md old.md 100",
                        "changed x.bin x.bin 0");
        assertThat(diff.changes().get(1).diff())
                .isEqualTo("--- a/changed.md\n+++ b/changed.md\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        assertThat(diff.changes().get(3).diff()).contains("+l6\n");
        assertThat(diff.changes().get(4).diff()).isNull();
        assertThat(diff.changes().get(5).diffOmitted()).isEqualTo("binary");
        assertThat(diff.unchanged()).isEqualTo(1);
        assertThat(diff("diff/kit", "1.0.0", "1.0.0").changes()).isEmpty();
    }

    @Test
    void aDiffOfWhatIsTooLargeSaysSo() {
        edited("big/kit", "big.txt", "x\n".repeat(200_000));
        publish("big/kit", "{\"version\": \"1.0.0\"}");
        put(assets("big/kit") + "/big.txt", "y\n".repeat(200_000).getBytes(StandardCharsets.UTF_8));
        publish("big/kit", "{\"version\": \"1.1.0\"}");

        var change = diff("big/kit", "1.0.0", "1.1.0").changes().getFirst();

        assertThat(change.diffOmitted()).isEqualTo("too-large");
        app().get(bundle("big/kit") + "/versions/1.0.0:diff", app().admin()).assertRefused("422 validation-failed");
        app().get(bundle("big/kit") + "/versions/1.0.0:diff?to=1.1.0&whiteSpace=none", app().admin())
                .assertRefused("422 validation-failed");
        app().get(bundle("big/kit") + "/versions/1.0.0:diff?to=9.0.0", app().admin())
                .assertRefused("404 version-not-found");
        assertThat(app().get(bundle("big/kit") + "/versions/1.0.0:diff?to=1.1.0", null)
                        .status())
                .isEqualTo(401);
    }
}
