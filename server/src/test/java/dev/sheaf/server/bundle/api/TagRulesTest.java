package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.TagHistoryEntry;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.bundle.api.model.BundleClient;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which tags there may be, where they may point, and `latest`: over /v1 and by OCI clients (contract 2).
class TagRulesTest extends V2Scenario {
    private static final String RULE = "is a range of versions";

    private Reply v1(String method, String repository, String rest, @Nullable String body) {
        return app().send(method, "/v1/namespaces/" + repository.replace("/", "/bundles/") + rest, app().admin(), body);
    }

    private void publish(String repository, String... versions) {
        for (String version : versions) {
            assertThat(app().push(repository, version, "public", version).status())
                    .isEqualTo(201);
        }
    }

    private void act(String repository, String version, String verb) {
        assertThat(v1("POST", repository, "/versions/" + version + ":" + verb, "{}")
                        .status())
                .isEqualTo(200);
    }

    private void delete(String repository, String version) {
        assertThat(v1("DELETE", repository, "/versions/" + version + "?reason=test", null)
                        .status())
                .isEqualTo(204);
    }

    private Reply put(String repository, String tag, String version) {
        return v1("PUT", repository, "/tags/" + tag, "{\"version\": \"" + version + "\"}");
    }

    private Reply resolve(String repository, String asked) {
        return v1("GET", repository, ":resolve?version=" + URLEncoder.encode(asked, StandardCharsets.UTF_8), null);
    }

    private String meaning(String repository, String asked) {
        return BundleClient.members(resolve(repository, asked), "resolvedBy", "version");
    }

    private String latest(String repository) {
        return BundleClient.members(v1("GET", repository, "/tags/latest", null), "version")
                + (v1("GET", repository, "/tags/latest", null)
                                .as(TagStatus.class)
                                .managed()
                        ? " kept"
                        : " pinned");
    }

    private List<String> tags(String repository) {
        return v1("GET", repository, "/tags", null).list(TagStatus.class).stream()
                .map(TagStatus::name)
                .toList();
    }

    private int push(String repository, String tag, String json) {
        return app().send(app().request("PUT", "/v2/" + repository + "/manifests/" + tag, app().admin(), json)
                        .setHeader("Content-Type", "application/vnd.oci.image.manifest.v1+json"))
                .status();
    }

    private String manifest(String repository, String version) {
        return call("GET", "/v2/" + repository + "/manifests/" + version, null).text();
    }

    // --- tags that read as ranges ---

    @ParameterizedTest
    @ValueSource(strings = {"3.20", "v1.30.2", "24.04", "20240501", "1234567", "x", "01.0.0", "latest"})
    void imagesAreTakenUnderTheTagsThatTheyHave(String tag) {
        String repository = "images/i" + tag.replace('.', '-').toLowerCase(java.util.Locale.ROOT);
        String image = image(repository, random(10));

        pushManifest(repository, tag, image);

        assertThat(manifest(repository, tag)).isEqualTo(image);
        assertThat(call("GET", "/v2/" + repository + "/tags/list", null)
                        .json()
                        .at("/tags/0")
                        .stringValue())
                .isEqualTo(tag);
        assertThat(resolve(repository, tag).status()).isEqualTo(404);
    }

    @Test
    void aTagThatReadsAsARangePointsToAVersionOfIt() {
        publish("ranged/kit", "1.2.0", "1.4.0", "3.20.1", "3.20.2");

        assertThat(put("ranged/kit", "3.20", "3.20.1").status()).isEqualTo(201);
        assertThat(put("ranged/kit", "v1.2.0", "1.2.0").status()).isEqualTo(201);
        for (String tag : List.of("1", "v1.2.0", "3.21", "20240501", "1.x")) {
            var refused = put("ranged/kit", tag, "3.20.1");
            assertThat(refused.status()).as(tag).isEqualTo(422);
            assertThat(refused.text()).as(tag).contains(RULE);
        }
        var published = v1(
                "POST",
                "ranged/kit",
                ":push",
                "{\"name\": \"Kit\", \"version\": \"4.0.0\", \"tags\": [\"1\"], \"manifest\": [{\"logicalPath\": \"a\","
                        + " \"contentText\": \"a\"}]}");
        assertThat(published.status()).isEqualTo(422);

        assertThat(meaning("ranged/kit", "3.20")).isEqualTo("tag 3.20.1");
        assertThat(meaning("ranged/kit", "3.20.x")).isEqualTo("range 3.20.2");
        assertThat(meaning("ranged/kit", "1")).isEqualTo("range 1.4.0");
        assertThat(meaning("ranged/kit", "v1.2.0")).isEqualTo("tag 1.2.0");
        assertThat(meaning("ranged/kit", "4")).isEqualTo("404 version-not-found");
        assertThat(tags("ranged/kit")).containsExactly("3.20", "latest", "v1.2.0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "3.20", "v1.2.0", "20240501", "1.x"})
    void anOciPushTakesSuchATagWhereverItPoints(String tag) {
        String repository = "taken/kit" + tag.replace('.', '-');
        publish(repository, "1.2.0", "1.4.0", "3.20.1");
        String before = meaning(repository, tag);
        for (String image :
                List.of(image(repository, random(10)), manifest(repository, "3.20.1"), manifest(repository, "1.2.0"))) {
            assertThat(push(repository, tag, image)).isEqualTo(201);

            assertThat(manifest(repository, tag)).isEqualTo(image);
            assertThat(meaning(repository, tag)).isEqualTo(before);
            assertThat(tags(repository)).containsExactly("latest");
            assertThat(v1("GET", repository, "/tags/" + tag, null).status()).isEqualTo(404);
        }
        if (tag.equals("1")) {
            assertThat(put(repository, tag, "1.2.0").status()).isEqualTo(201);
            assertThat(meaning(repository, tag)).isEqualTo("tag 1.2.0");
            push(repository, tag, manifest(repository, "3.20.1"));
            assertThat(meaning(repository, tag)).isEqualTo(before);
            assertThat(v1("GET", repository, "/tags/1/history", null).list(TagHistoryEntry.class))
                    .hasSize(2);
        }
    }

    /// Images name variants of one build like this.
    @Test
    void ofVersionsThatDifferInBuildMetadataTheOthersAreTags() {
        String repository = "builds/temurin";
        String jdk = image(repository, random(10));
        String jre = image(repository, random(11));

        pushManifest(repository, "21.0.5_11-jdk", jdk);
        for (String tag : List.of("21.0.5_11-jre", "21.0.5_11-jre")) {
            pushManifest(repository, tag, jre);
        }
        pushManifest(repository, "21.0.5_11-jdk-noble", jdk);

        assertThat(manifest(repository, "21.0.5_11-jdk")).isEqualTo(jdk);
        assertThat(manifest(repository, "21.0.5_11-jre")).isEqualTo(jre);
        assertThat(manifest(repository, "21.0.5_11-jdk-noble")).isEqualTo(jdk);
        assertThat(meaning(repository, "21.0.5")).isEqualTo("version 21.0.5+11-jdk");
        assertThat(resolve(repository, "21.0.5").as(Resolution.class).tags()).containsExactly("latest");
        assertThat(tags(repository)).containsExactly("latest");
        act(repository, "21.0.5+11-jdk", "yank");
        assertThat(call("DELETE", "/v2/" + repository + "/manifests/21.0.5_11-jre", null)
                        .status())
                .isEqualTo(202);
    }

    @Test
    void whereItsVersionGoesItStaysInItsRange() {
        publish("leaving/kit", "0.9.0", "1.1.0", "1.2.0", "1.3.0");
        put("leaving/kit", "1", "1.2.0");
        put("leaving/kit", "1.3", "1.3.0");
        put("leaving/kit", "word", "1.1.0");

        act("leaving/kit", "1.2.0", "yank");
        assertThat(meaning("leaving/kit", "1")).isEqualTo("tag 1.1.0");
        delete("leaving/kit", "1.1.0");
        assertThat(meaning("leaving/kit", "word")).isEqualTo("tag 0.9.0");
        assertThat(meaning("leaving/kit", "1"))
                .as("no version below in the range")
                .isEqualTo("range 1.3.0");
        act("leaving/kit", "1.3.0", "yank");

        assertThat(tags("leaving/kit")).containsExactly("latest", "word");
        assertThat(meaning("leaving/kit", "1.3")).isEqualTo("404 version-not-found");
    }

    @Test
    void rollsBackOnlyWithinItsRange() {
        String repository = "rolled/kit";
        pushManifest(repository, "1", image(repository, random(10)));
        publish(repository, "1.0.0");
        assertThat(put(repository, "1", "1.0.0").status()).isEqualTo(201);

        var refused = v1("POST", repository, "/tags/1:rollback", "{}");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("it did not exist before its last move");
    }

    @Test
    void otherSuchTagsStayInTheRegistryAlone() {
        String repository = "shadow/kit";
        String image = image(repository, random(10));
        for (String tag : List.of("1", "1.x", "v1", "20240501", "word")) {
            pushManifest(repository, tag, image);
        }
        publish(repository, "1.0.0", "1.1.0");

        assertThat(meaning(repository, "1")).isEqualTo("range 1.1.0");
        assertThat(meaning(repository, "v1")).isEqualTo("range 1.1.0");
        assertThat(meaning(repository, "20240501")).isEqualTo("404 version-not-found");
        assertThat(tags(repository)).containsExactly("latest", "word");
        assertThat(v1("GET", repository, "/tags?limit=1", null)
                        .page(TagStatus.class)
                        .meta()
                        .hasMore())
                .isTrue();
        assertThat(v1("GET", repository, "/tags/1", null).status()).isEqualTo(404);
        assertThat(v1("DELETE", repository, "/tags/1", null).status()).isEqualTo(404);
        assertThat(manifest(repository, "1")).isEqualTo(image);
        assertThat(call("DELETE", "/v2/" + repository + "/manifests/1", null).status())
                .isEqualTo(202);
    }

    // --- latest ---

    @Test
    void anOciPushToLatestPointsAnywhereBelowV2() {
        publish("latest/kit", "1.0.0", "2.0.0");
        String image = image("latest/kit", random(10));

        assertThat(push("latest/kit", "latest", manifest("latest/kit", "2.0.0")))
                .isEqualTo(201);
        assertThat(latest("latest/kit")).as("where it is already").isEqualTo("2.0.0 kept");
        assertThat(push("latest/kit", "latest", image)).isEqualTo(201);
        assertThat(manifest("latest/kit", "latest")).isEqualTo(image);
        assertThat(latest("latest/kit")).isEqualTo("2.0.0 kept");
        publish("latest/kit", "2.1.0");
        assertThat(manifest("latest/kit", "latest")).isEqualTo(image);
        assertThat(latest("latest/kit")).isEqualTo("2.1.0 kept");
        assertThat(meaning("latest/kit", "")).isEqualTo("default 2.1.0");
        assertThat(meaning("latest/kit", "latest")).isEqualTo("tag 2.1.0");
        assertThat(resolve("latest/kit", "").as(Resolution.class).tags()).containsExactly("latest");
        String then = resolve("latest/kit", "").json().get("publishedAt").stringValue();
        assertThat(BundleClient.members(
                        v1("GET", "latest/kit", ":resolve?version=latest&asOf=" + then, null), "version"))
                .isEqualTo("2.1.0");
        var refused = v1("PUT", "latest/kit", "/tags/latest", "{\"version\": \"2.1.0\", \"protected\": true}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(v1("DELETE", "latest/kit", "/tags/latest", null).status()).isEqualTo(204);
        assertThat(manifest("latest/kit", "latest")).isEqualTo(manifest("latest/kit", "2.1.0"));
        assertThat(push("latest/kit", "latest", manifest("latest/kit", "1.0.0")))
                .isEqualTo(201);
        assertThat(latest("latest/kit")).isEqualTo("1.0.0 pinned");
    }

    @Test
    void aLatestFromBeforeTheFirstVersionStaysBelowV2() {
        for (boolean isSame : new boolean[] {true, false}) {
            String repository = "first/kit" + (isSame ? "-same" : "");
            String image = image(repository, random(10));
            pushManifest(repository, "latest", image);
            assertThat(resolve(repository, "").status()).isEqualTo(404);

            pushManifest(repository, "1.0.0", isSame ? image : image(repository, random(11)));
            assertThat(latest(repository)).isEqualTo("1.0.0 kept");
            publish(repository, "1.1.0");

            assertThat(latest(repository)).isEqualTo("1.1.0 kept");
            assertThat(manifest(repository, "latest")).isEqualTo(image);
            assertThat(call("DELETE", "/v2/" + repository + "/manifests/latest", null)
                            .status())
                    .isEqualTo(202);
            assertThat(manifest(repository, "latest")).isEqualTo(manifest(repository, "1.1.0"));
        }
    }

    /// What an older node left: `latest` on a manifest that is no version.
    @Test
    void aLatestThatIsNoVersionHeals() {
        String repository = "broken/kit";
        publish(repository, "1.0.0");
        pushManifest(repository, "image", image(repository, random(10)));
        app().database().write(tx -> tx.handle().execute("""
                UPDATE tag SET kind = 'user',
                    manifest_id = (SELECT t.manifest_id FROM tag t JOIN repository r ON r.id = t.repository_id
                                   WHERE r.namespace = 'broken' AND t.name = 'image')
                WHERE name = 'latest' AND repository_id = (SELECT id FROM repository WHERE namespace = 'broken')
                """));
        v1("PATCH", repository, "", "{\"name\": \"Anew\"}"); // so that nothing of it is remembered

        assertThat(meaning(repository, "")).isEqualTo("default 1.0.0");
        assertThat(meaning(repository, "latest")).isEqualTo("tag 1.0.0");
        publish(repository, "1.1.0");
        assertThat(latest(repository)).isEqualTo("1.1.0 kept");
    }

    @Test
    void aPinThatIsWhereItIsAlreadyIsNone() {
        publish("pinned/kit", "1.0.0", "1.1.0");

        assertThat(put("pinned/kit", "latest", "1.1.0").as(TagStatus.class).managed())
                .isTrue();
        var refused = v1("PUT", "pinned/kit", "/tags/latest", "{\"version\": \"1.1.0\", \"protected\": true}");
        publish("pinned/kit", "1.2.0");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("follows the highest version automatically");
        assertThat(latest("pinned/kit")).isEqualTo("1.2.0 kept");
    }

    @Test
    void aPinGoesToTheNextLowerVersionAndEndsWhereThereIsNone() {
        publish("lower/kit", "1.0.0", "1.1.0", "1.2.0", "1.3.0");
        put("lower/kit", "latest", "1.2.0");

        act("lower/kit", "1.2.0", "yank");
        assertThat(latest("lower/kit")).isEqualTo("1.1.0 pinned");
        act("lower/kit", "1.2.0", "unyank");
        assertThat(latest("lower/kit")).isEqualTo("1.1.0 pinned");
        delete("lower/kit", "1.1.0");
        assertThat(latest("lower/kit")).isEqualTo("1.0.0 pinned");
        act("lower/kit", "1.0.0", "yank");

        assertThat(latest("lower/kit")).isEqualTo("1.3.0 kept");
    }

    @Test
    void aPublisherWhoWantsLatestOnALowerVersionIsWarned() {
        publish("warned/kit", "1.0.0");

        for (String version : List.of("2.0.0", "1.5.0", "3.0.0-rc.1")) {
            var pushed = v1(
                    "POST",
                    "warned/kit",
                    ":push",
                    "{\"name\": \"Kit\", \"version\": \"" + version + "\", \"tags\": [\"latest\"], \"manifest\":"
                            + " [{\"logicalPath\": \"a\", \"contentText\": \"a\"}]}");

            assertThat(pushed.status()).isEqualTo(201);
            assertThat(pushed.as(VersionDetail.class).warnings())
                    .extracting(VersionDetail.Warning::code)
                    .as(version)
                    .isEqualTo(version.equals("2.0.0") ? List.of() : List.of("latest"));
        }
        assertThat(latest("warned/kit")).isEqualTo("2.0.0 kept");
    }

    // --- what those are told who ask in vain ---

    @Test
    void requestedIsWhatWasReadAndCandidatesAreNotYanked() {
        publish("asked/kit", "1.0.0", "1.1.0", "1.2.0");
        act("asked/kit", "1.1.0", "yank");
        String digest = resolve("asked/kit", "1.2.0").as(Resolution.class).ociDigest();
        String moment = "2020-01-01T00:00:00Z";

        for (var query : List.of(
                "1.9.0_b.7",
                "1.9.0%2Bb.7",
                ">=5.0+<6",
                "1.1",
                "v9",
                "stabel",
                "5.x",
                "9.0.0&minAge=P1D",
                "9.0.0&asOf=" + moment,
                "1.0.0&digest=" + digest)) {
            String raw = ":resolve?version=" + query.replace(">", "%3E").replace("<", "%3C");
            var json = v1("GET", "asked/kit", raw, null).json();
            String asked =
                    java.net.URLDecoder.decode(query.replaceAll("&.*", "").replace("+", "%2B"), StandardCharsets.UTF_8);

            assertThat(json.get("code").stringValue()).as(query).isEqualTo("version-not-found");
            assertThat(json.get("requested").stringValue())
                    .as(query)
                    .isEqualTo(asked.equals(">=5.0+<6") ? ">=5.0 <6" : asked);
            assertThat(json.get("candidates").toString()).as(query).doesNotContain("1.1.0");
        }
        var found =
                v1("GET", "asked/kit", ":resolve?version=%3E%3D1.0+%3C2", null).json();
        assertThat(found.get("requested").stringValue()).isEqualTo(">=1.0 <2");
    }
}
