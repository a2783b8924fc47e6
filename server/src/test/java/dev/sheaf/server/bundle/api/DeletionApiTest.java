package dev.sheaf.server.bundle.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.PublishReport;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.testing.AssetScenario;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Deleted versions and bundles over HTTP (contract 3.7).
class DeletionApiTest extends AssetScenario {
    private static String version(String repository, String version) {
        return bundle(repository) + "/versions/" + version;
    }

    private Reply delete(String path, String key) {
        return app().send("DELETE", path, key, null);
    }

    private void assertGoneFromTheRegistryAndLists(String digest, String layer, String asset) {
        for (String reference : List.of("1.0.0", digest)) {
            var reply = app().get("/v2/gone/kit/manifests/" + reference, app().admin());
            assertThat(reply.status()).as(reply.text()).isEqualTo(410);
            assertThat(reply.json().at("/errors/0/code").stringValue()).isEqualTo("MANIFEST_UNKNOWN");
        }
        assertThat(app().get("/v2/gone/kit/blobs/" + layer, app().admin()).status())
                .isEqualTo(404);
        assertThat(app().get("/v1/runner/assets/" + asset, app().admin()).status())
                .isEqualTo(404);
        assertThat(app().get("/v2/gone/kit/tags/list", null).text()).doesNotContain("1.0.0");
        assertThat(app().get(bundle("gone/kit") + "/versions", null).list(VersionSummary.class))
                .extracting(VersionSummary::version)
                .containsExactly("1.1.0");
        app().post(version("gone/kit", "1.0.0") + ":yank", app().admin(), "{}").assertRefused("410 version-deleted");
        delete(version("gone/kit", "1.0.0"), app().admin()).assertRefused("410 version-deleted");
        assertThat(app().get(version("gone/kit", "1.1.0"), null).status()).isEqualTo(200);
    }

    private void upload(String repository, byte[] blob) {
        var begun = app().send("POST", "/v2/" + repository + "/blobs/uploads/", app().admin(), null);
        assertThat(put(begun.header("Location") + "?digest=" + Digest.sha256(blob), blob)
                        .status())
                .isEqualTo(201);
    }

    private String push(String repository, String version, String text) {
        var reply = app().push(repository, version, "public", text);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return requireNonNull(reply.as(VersionDetail.class).ociDigest());
    }

    private List<String> records(String table, String column, String subject) {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT " + column + " FROM " + table + " WHERE subject = :subject")
                        .bind("subject", subject)
                        .mapTo(String.class)
                        .list());
    }

    @Test
    void aDeletedVersionIsGoneByNumberAndDigestEverywhere() {
        String digest = push("gone/kit", "1.0.0", "first words");
        push("gone/kit", "1.1.0", "other words");
        var asset = app().get(assets("gone/kit") + "?version=1.0.0", null)
                .list(Asset.class)
                .getFirst()
                .id();
        String layer =
                Digest.sha256("first words".getBytes(StandardCharsets.UTF_8)).toString();

        assertThat(delete(version("gone/kit", "1.0.0"), app().key("gone-write", "write"))
                        .status())
                .isEqualTo(204);

        var paths = List.of(
                version("gone/kit", "1.0.0"),
                version("gone/kit", "1.0.0") + ":pull",
                version("gone/kit", "1.0.0") + ":diff?to=1.1.0",
                version("gone/kit", "1.1.0") + ":diff?to=1.0.0",
                version("gone/kit", digest),
                bundle("gone/kit") + ":resolve?version=1.0.0",
                bundle("gone/kit") + ":resolve?digest=" + digest,
                assets("gone/kit") + "?version=1.0.0",
                assets("gone/kit") + "/SKILL.md?version=1.0.0");
        for (String path : paths) {
            assertThat(app().get(path, null).refusal()).as(path).isEqualTo("410 version-deleted");
        }
        assertGoneFromTheRegistryAndLists(digest, layer, asset.toString());
        assertThat(records("event", "type", "gone/kit:1.0.0"))
                .containsExactlyInAnyOrder("version.published", "version.deleted");
        assertThat(records("audit", "action", "gone/kit:1.0.0"))
                .containsExactlyInAnyOrder("version.publish", "version.delete");
    }

    @Test
    void neitherNumberNorDigestIsEverUsedAgain() {
        String digest = push("reuse/kit", "1.0.0", "words");
        push("reuse/kit", "1.1.0", "more words");
        var manifest = app().get("/v2/reuse/kit/manifests/1.0.0", app().admin());
        var config = manifest.json().at("/config/digest").stringValue();
        var configBytes = app().get("/v2/reuse/kit/blobs/" + config, app().admin())
                .response()
                .body();
        delete(version("reuse/kit", "1.0.0"), app().admin());

        var same = app().push("reuse/kit", "1.0.0", "public", "words");
        var other = app().push("reuse/kit", "1.0.0+build", "public", "new words");
        put(assets("reuse/kit") + "/a.md", "x");
        var published = app().post(bundle("reuse/kit") + ":publish", app().admin(), "{\"version\": \"1.0.0\"}");
        var report = app().post(
                        bundle("reuse/kit") + ":publish",
                        app().admin(),
                        "{\"version\": \"1.0.0\", \"validateOnly\": true}")
                .as(PublishReport.class);
        upload("reuse/kit", configBytes);
        upload("reuse/kit", "words".getBytes(StandardCharsets.UTF_8));
        var byDigest = put(
                "/v2/reuse/kit/manifests/" + digest,
                manifest.response().body(),
                "Content-Type",
                MediaType.IMAGE_MANIFEST);
        var byTag = put(
                "/v2/reuse/kit/manifests/2.0.0", manifest.response().body(), "Content-Type", MediaType.IMAGE_MANIFEST);

        same.assertRefused("410 version-deleted");
        other.assertRefused("410 version-deleted");
        published.assertRefused("410 version-deleted");
        assertThat(report.problems()).extracting(PublishReport.Finding::code).containsExactly("version-deleted");
        assertThat(byDigest.status()).as(byDigest.text()).isEqualTo(410);
        assertThat(byTag.status()).as(byTag.text()).isEqualTo(410);
        assertThat(app().get(version("reuse/kit", "2.0.0"), null).status()).isEqualTo(404);
        assertThat(app().push("reuse/other", "1.0.0", "public", "words").status())
                .as("in another repository it is free")
                .isEqualTo(201);
    }

    @Test
    void tagsMoveAwayAsWithAYank() {
        push("tags/kit", "1.0.0", "one");
        push("tags/kit", "1.1.0", "two");
        for (String tag : List.of("stable", "latest")) {
            app().send("PUT", bundle("tags/kit") + "/tags/" + tag, app().admin(), "{\"version\": \"1.1.0\"}");
        }

        delete(version("tags/kit", "1.1.0"), app().admin());
        assertThat(app().get(bundle("tags/kit") + ":resolve", null)
                        .as(Resolution.class)
                        .tags())
                .containsExactly("latest", "stable");
        delete(version("tags/kit", "1.0.0"), app().admin());

        app().get(bundle("tags/kit") + ":resolve", null).assertRefused("404 no-active-version");
        assertThat(app().get(bundle("tags/kit") + "/tags", null).list(TagStatus.class))
                .isEmpty();
        assertThat(app().get(bundle("tags/kit"), null).as(BundleRecord.class).versionCount())
                .isZero();
    }

    @Test
    void aManifestThatIsAnotherVersionTooStaysThatOne() {
        String digest = push("shared/kit", "1.0.0", "one");
        var bytes = app().get("/v2/shared/kit/manifests/1.0.0", app().admin())
                .response()
                .body();
        assertThat(put("/v2/shared/kit/manifests/1.0.1", bytes, "Content-Type", MediaType.IMAGE_MANIFEST)
                        .status())
                .isEqualTo(201);

        delete(version("shared/kit", "1.0.1"), app().admin());

        assertThat(app().get(bundle("shared/kit") + ":resolve", null)
                        .as(Resolution.class)
                        .version())
                .isEqualTo("1.0.0");
        assertThat(app().get("/v2/shared/kit/manifests/" + digest, null).status())
                .isEqualTo(200);
        assertThat(app().get("/v2/shared/kit/manifests/1.0.1", null).status()).isEqualTo(410);
        delete(version("shared/kit", "1.0.0") + "?reason=others+have+pulled+it", app().admin());
        assertThat(app().get("/v2/shared/kit/manifests/" + digest, app().admin())
                        .status())
                .isEqualTo(410);
    }

    @Test
    void afterThreeDaysItTakesAnAdminKeyAndAReason() {
        push("late/kit", "1.0.0", "one");
        push("late/kit", "1.1.0", "two");
        pass(Duration.ofHours(72).plusSeconds(1));
        String write = app().key("late-write", "write");
        String path = version("late/kit", "1.0.0");

        delete(path, write).assertRefused("409 conflict");
        delete(path + "?reason=because", write).assertRefused("409 conflict");
        delete(path, app().admin()).assertRefused("422 validation-failed");
        delete(path + "?reason=%20", app().admin()).assertRefused("422 validation-failed");
        assertThat(app().get(path, null).status()).isEqualTo(200);
        assertThat(app().send("DELETE", path, app().admin(), "{\"reason\": \"wrong licence\"}")
                        .status())
                .isEqualTo(204);
        assertThat(delete(version("late/kit", "1.1.0") + "?reason=b%C3%A9cause", app().admin())
                        .status())
                .isEqualTo(204);
        var data = records("event", "data", "late/kit:1.0.0");
        assertThat(data).anyMatch(text -> text.contains("wrong licence"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"reason": 7}            | ''
            {"reason": ["x"]}        | ''
            {"reason": "a\\u0000b"}  | ''
            []                       | ''
            {}                       | ?reason=a%00b
            {}                       | ?purge=maybe
            """)
    void rejectsMalformedDeletions(String body, String query) {
        String repository = "wrongdel" + Integer.toHexString((body + query).hashCode()) + "/kit";
        push(repository, "1.0.0", "one");

        app().send("DELETE", version(repository, "1.0.0") + query, app().admin(), body)
                .assertRefused("422 validation-failed");
        app().send("DELETE", version(repository, "1.0.0"), app().admin(), "{\"reason\": \"" + "r".repeat(1_001) + "\"}")
                .assertRefused("422 validation-failed");
        assertThat(app().get(version(repository, "1.0.0"), null).status()).isEqualTo(200);
    }

    @Test
    void rejectsDeletionByNonOwners() {
        push("theirs/kit", "1.0.0", "one");
        String stranger = app().secondOrganization("thieves");

        delete(version("theirs/kit", "1.0.0"), stranger).assertRefused("403 not-owner");
        delete(bundle("theirs/kit"), stranger).assertRefused("403 not-owner");
        assertThat(app().send("DELETE", version("theirs/kit", "1.0.0"), null, null)
                        .status())
                .isEqualTo(401);
        assertThat(delete(version("theirs/kit", "1.0.0") + "?purge=true&reason=x", app().key("theirs-w", "write"))
                        .text())
                .contains("API key requires 'admin' scope");
        assertThat(app().send(app().request("DELETE", version("theirs/kit", "1.0.0"), app().admin(), null)
                                .header("If-Match", "\"other\""))
                        .status())
                .isEqualTo(412);
        assertThat(app().get(version("theirs/kit", "1.0.0"), null).status()).isEqualTo(200);
    }

    // --- bundles ---

    @Test
    void aDeletedBundleIsHiddenAtOnceAndCanBeRestored() {
        String digest = push("hidden/kit", "1.0.0", "one");
        app().push("hidden/other", "1.0.0", "private", "x");
        put(assets("hidden/kit") + "/more.md", "more");
        var before = app().get(bundle("hidden/kit"), app().admin()).as(BundleRecord.class);
        var paths = List.of(
                bundle("hidden/kit"),
                bundle("hidden/kit") + ":resolve",
                bundle("hidden/kit") + "/versions",
                version("hidden/kit", "1.0.0"),
                bundle("hidden/kit") + "/tags",
                assets("hidden/kit"),
                "/v2/hidden/kit/tags/list",
                "/v2/hidden/kit/manifests/1.0.0",
                "/v2/hidden/kit/manifests/" + digest);
        paths.forEach(path ->
                assertThat(app().get(path, app().admin()).status()).as(path).isEqualTo(200));

        assertThat(delete(bundle("hidden/kit"), app().key("hidden-write", "write"))
                        .status())
                .isEqualTo(204);

        for (String path : paths) {
            assertThat(app().get(path, app().admin()).status()).as(path).isEqualTo(404);
            assertThat(app().get(path, null).status()).as(path).isEqualTo(401);
        }
        assertTheNameStaysTaken();
        var restored = app().post(bundle("hidden/kit") + ":restore", app().admin(), "{}");
        assertThat(restored.status()).as(restored.text()).isEqualTo(200);
        assertThat(restored.as(BundleRecord.class)).isEqualTo(before);
        paths.forEach(path ->
                assertThat(app().get(path, app().admin()).status()).as(path).isEqualTo(200));
        assertThat(paths(assets("hidden/kit"), app().admin())).contains("more.md");
        assertTheEventsTell();
    }

    private void assertTheEventsTell() {
        assertThat(records("event", "type", "hidden/kit"))
                .containsExactlyInAnyOrder(
                        "bundle.created",
                        "bundle.listed",
                        "bundle.withdrawn",
                        "bundle.deleted",
                        "bundle.listed",
                        "bundle.restored");
    }

    private void assertTheNameStaysTaken() {
        assertThat(app().get("/v1/namespaces/hidden/bundles", app().admin()).text())
                .doesNotContain("hidden/kit");
        assertThat(app().get("/v2/_catalog?n=1000", app().admin()).text()).doesNotContain("hidden/kit");
        app().push("hidden/kit", "2.0.0", "public", "new").assertRefused("409 conflict");
        app().post("/v1/namespaces/hidden/bundles", app().admin(), """
                {"slug": "kit", "name": "Again"}""").assertRefused("409 conflict");
        assertThat(app().send("POST", "/v2/hidden/kit/blobs/uploads/", app().admin(), null)
                        .status())
                .isEqualTo(409);
        assertThat(app().post(bundle("hidden/kit") + ":restore", app().key("hidden-w2", "write"), "{}")
                        .status())
                .isEqualTo(403);
        assertThat(app().post(bundle("hidden/kit") + ":restore", app().secondOrganization("restorers"), "{}")
                        .refusal())
                .isIn("404 bundle-not-found", "403 not-owner");
    }

    @Test
    void afterThirtyDaysOnlyTombstonesAreLeft() {
        push("end/kit", "1.0.0", "an unusual sentence for the end");
        push("end/kit", "1.1.0", "another one");
        put(assets("end/kit") + "/more.md", "and more");
        delete(bundle("end/kit"), app().admin());

        pass(Duration.ofDays(29));
        app().purgeDue();
        assertThat(app().post(bundle("end/kit") + ":restore", app().admin(), "{}")
                        .status())
                .isEqualTo(200);
        delete(bundle("end/kit"), app().admin());
        pass(Duration.ofDays(30).plusMinutes(1));
        app().post(bundle("end/kit") + ":restore", app().admin(), "{}").assertRefused("409 conflict");
        app().purgeDue();
        app().purgeDue();

        for (String table : List.of("link", "manifest", "tag")) {
            assertThat(count("SELECT count(*) FROM " + table + " t JOIN repository r ON r.id = t.repository_id"
                            + " WHERE r.namespace = 'end'"))
                    .as(table)
                    .isZero();
        }
        assertThat(count("SELECT count(*) FROM tombstone t JOIN repository r ON r.id = t.repository_id"
                        + " WHERE r.namespace = 'end'"))
                .isEqualTo(2);
        app().post(bundle("end/kit") + ":restore", app().admin(), "{}").assertRefused("409 conflict");
        app().push("end/kit", "3.0.0", "public", "new").assertRefused("409 conflict");
    }

    private long count(String query) {
        return app().database()
                .read(tx -> tx.handle().createQuery(query).mapTo(Long.class).one());
    }

    // --- races ---

    @Test
    void aDeletionAndAPushOfTheSameVersionGoOneAfterTheOther() throws Exception {
        for (int i = 0; i < 6; i++) {
            String number = "1.0." + i;
            push("race/kit", number, "text " + i);
            var replies = new ArrayList<Future<Reply>>();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                replies.add(threads.submit(
                        () -> delete(version("race/kit", number) + "?reason=others+pull+it", app().admin())));
                for (int k = 0; k < 3; k++) {
                    String text = "text " + i;
                    replies.add(threads.submit(() -> app().push("race/kit", number, "public", text)));
                    replies.add(threads.submit(() -> app().get(version("race/kit", number) + ":pull", null)));
                }
            }

            assertThat(replies.getFirst().get().status()).isEqualTo(204);
            for (var reply : replies.subList(1, replies.size())) {
                assertThat(reply.get().status()).as(reply.get().text()).isIn(200, 404, 410);
            }
            app().get(version("race/kit", number), null).assertRefused("410 version-deleted");
        }
    }
}
