package dev.sheaf.server.bundle.requirement;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.DependentBundle;
import dev.sheaf.model.wire.bundle.RequiredBundle;
import dev.sheaf.model.wire.bundle.RequirementChange;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.ResolvedRequirement;
import dev.sheaf.model.wire.bundle.SkippedRequirement;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What versions require, over HTTP.
class RequirementsApiTest extends V2Scenario {
    private Reply push(String key, String repository, String version, String visibility, String requires) {
        return app().post(bundle(repository) + ":push", key, """
                {"name": "Test", "version": "%s", "visibility": "%s", "requires": %s,
                 "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "%s"}]}""".formatted(version, visibility, requires, version));
    }

    private Reply push(String repository, String version, String requires) {
        return push(app().admin(), repository, version, "public", requires);
    }

    private void published(String repository, String version, String requires) {
        var reply = push(repository, version, requires);
        assertThat(reply.status()).as(reply.text()).isIn(200, 201);
    }

    private Reply closure(String repository, String query, @Nullable String key) {
        return app().get(bundle(repository) + ":resolve?closure=true" + query, key);
    }

    private static List<String> shown(Resolution resolution) {
        return requireNonNull(resolution.closure()).stream()
                .map(one -> one.ref() + " " + one.version() + " " + one.requiredBy() + " " + one.range())
                .toList();
    }

    @Test
    void aVersionShowsWhatItRequiresAndItsConfigHasIt() {
        published("req/lib", "1.2.0", "[]");
        published("req/other", "1.0.0", "[]");

        var pushed = push("req/kit", "1.0.0", """
                [{"bundle": "req/other", "range": "*", "optional": true}, {"bundle": "req/lib", "range": " ^1.2 "}]""");

        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        var expected = List.of(new RequiredBundle("req/lib", "^1.2", null), new RequiredBundle("req/other", "*", true));
        assertThat(pushed.as(VersionDetail.class).requires()).isEqualTo(expected);
        var shown = app().get(bundle("req/kit") + "/versions/1.0.0", null).as(VersionDetail.class);
        assertThat(shown.requires()).isEqualTo(expected);
        var manifest = app().get("/v2/req/kit/manifests/1.0.0", null).json();
        String config = manifest.at("/config/digest").stringValue();
        assertThat(app().get("/v2/req/kit/blobs/" + config, null).text())
                .endsWith("],\"requires\":[{\"bundle\":\"req/lib\",\"range\":\"^1.2\"},"
                        + "{\"bundle\":\"req/other\",\"range\":\"*\",\"optional\":true}]}");
        assertThat(app().get(bundle("req/lib") + "/versions/1.2.0", null)
                        .as(VersionDetail.class)
                        .requires())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"bundle\": \"bad/kit\", \"range\": \"*\"}] | cannot require itself",
                "[{\"bundle\": \"bad/lib\", \"range\": \"*\"}, {\"bundle\": \"bad/lib\", \"range\": \"^1\"}] | twice",
                "[{\"bundle\": \"bad/lib\", \"range\": \"new\"}] | is not a range",
                "[{\"bundle\": \"bad/lib\", \"range\": \"\"}] | is not a range",
                "[{\"bundle\": \"example.com/bad/lib\", \"range\": \"*\"}] | /requires/0/bundle",
                "[{\"bundle\": \"bad/lib\"}] | is required",
                "{} | must be an array",
            })
    void aWrongListIsRefused(String requires, String reason) {
        published("bad/lib", "1.0.0", "[]");

        var refused = push("bad/kit", "1.0.0", requires);

        refused.assertRefused("422 validation-failed");
        assertThat(refused.text()).contains(reason);
    }

    @Test
    void aMissingBundleAndAnotherOrganizationsPrivateOneAreRefusedAlike() {
        String others = app().secondOrganization("reqother");
        assertThat(push(others, "reqother/secret", "1.0.0", "private", "[]").status())
                .isEqualTo(201);

        var hidden = push("alike/kit", "1.0.0", "[{\"bundle\": \"reqother/secret\", \"range\": \"*\"}]");
        var missing = push("alike/kit", "1.0.0", "[{\"bundle\": \"reqother/nothing\", \"range\": \"*\"}]");

        hidden.assertRefused("422 requirement-not-readable");
        assertThat(hidden.problem().detail().replace("secret", "nothing"))
                .isEqualTo(missing.problem().detail());
        assertThat(app().get(bundle("alike/kit"), app().admin()).status()).isEqualTo(404);
    }

    @Test
    void readersOfTheVersionMustBeAbleToReadWhatItRequires() {
        push(app().admin(), "reads/private", "1.0.0", "private", "[]");
        String requires = "[{\"bundle\": \"reads/private\", \"range\": \"^1\"}]";

        var shown = push("reads/shown", "1.0.0", requires);
        var own = push(app().admin(), "reads/own", "1.0.0", "private", requires);
        var later = app().send("PATCH", bundle("reads/own"), app().admin(), "{\"visibility\": \"public\"}");
        var none = push("reads/none", "1.0.0", requires.replace("^1", "^2"));

        shown.assertRefused("422 requirement-not-readable");
        assertThat(shown.problem().detail()).contains("not everybody");
        assertThat(own.status()).as(own.text()).isEqualTo(201);
        later.assertRefused("422 requirement-not-readable");
        none.assertRefused("422 requirement-not-readable");
    }

    @Test
    void aPublishOfTheWorkingSetKeepsTheRequirementsOfTheLatestVersion() {
        published("kept/lib", "1.0.0", "[]");
        published("kept/kit", "1.0.0", "[{\"bundle\": \"kept/lib\", \"range\": \"^1\"}]");

        var kept = app().post(bundle("kept/kit") + ":publish", app().admin(), "{\"version\": \"1.1.0\"}");
        var none = app().post(
                        bundle("kept/kit") + ":publish", app().admin(), "{\"version\": \"1.2.0\", \"requires\": []}");
        var checked = app().post(bundle("kept/kit") + ":publish", app().admin(), """
                {"version": "1.3.0", "validateOnly": true, "requires": [{"bundle": "kept/lib", "range": "^7"}]}""");

        assertThat(kept.as(VersionDetail.class).requires()).containsExactly(new RequiredBundle("kept/lib", "^1", null));
        assertThat(none.as(VersionDetail.class).requires()).isNull();
        assertThat(checked.text()).contains("requirement-not-readable", "\"/requires/0\"");
    }

    /// A foreign client sends the config itself.
    @Test
    void aConfigOfAnOciClientIsReadAndJudgedAlike() {
        published("oci/lib", "1.0.0", "[]");

        var good = pushImage("oci/kit", "1.0.0", "[{\"bundle\": \"oci/lib\", \"range\": \"^1\"}]");
        var own = pushImage("oci/kit", "1.1.0", "[{\"bundle\": \"oci/kit\", \"range\": \"^1\"}]");
        var missing = pushImage("oci/kit", "1.2.0", "[{\"bundle\": \"oci/none\", \"range\": \"^1\"}]");
        var wrong = pushImage("oci/kit", "1.3.0", "[{\"bundle\": \"oci/lib\", \"range\": 1}]");

        assertThat(good.status()).as(good.text()).isEqualTo(201);
        assertThat(app().get(bundle("oci/kit") + "/versions/1.0.0", app().admin())
                        .as(VersionDetail.class)
                        .requires())
                .containsExactly(new RequiredBundle("oci/lib", "^1", null));
        assertThat(own.text()).contains("cannot require itself");
        assertThat(missing.status()).isEqualTo(422);
        assertThat(missing.text()).contains("oci/kit cannot require oci/none");
        assertThat(wrong.text()).contains("range is missing");
        assertThat(List.of(own.status(), wrong.status())).allMatch(status -> status >= 400 && status < 500);
    }

    private Reply pushImage(String repository, String version, String requires) {
        byte[] layer = utf8("text of " + version);
        byte[] config = utf8("""
                {"name": "Kit", "assets": [{"logical_path": "a.md", "asset_type": "prompt", "content_sha256": "%s",
                 "size": %d, "media_type": "text/markdown"}], "requires": %s}""".formatted(Digest.sha256(layer).hex(), layer.length, requires));
        pushBlob(repository, layer);
        pushBlob(repository, config);
        return pushManifest(repository, version, """
                {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                 "artifactType": "application/vnd.sheaf.bundle.v1", "config": %s,
                 "layers": [{"mediaType": "text/markdown", "digest": "%s", "size": %d,
                             "annotations": {"org.opencontainers.image.title": "a.md"}}]}""".formatted(
                descriptor("application/vnd.sheaf.bundle.config.v1+json", config), Digest.sha256(layer), layer.length));
    }

    // --- the closure ---

    @Test
    void resolvesAllThatAVersionNeeds() {
        published("tree/leaf", "1.0.0", "[]");
        published("tree/leaf", "1.1.0", "[]");
        published("tree/leaf", "2.0.0", "[]");
        published("tree/branch", "1.0.0", "[{\"bundle\": \"tree/leaf\", \"range\": \"^1\"}]");
        published("tree/odd", "1.0.0", "[{\"bundle\": \"tree/leaf\", \"range\": \"^2\"}]");
        published("tree/top", "1.0.0", """
                [{"bundle": "tree/branch", "range": "*"}, {"bundle": "tree/odd", "range": "^1", "optional": true}]""");

        var found = closure("tree/top", "", null);

        assertThat(found.status()).as(found.text()).isEqualTo(200);
        assertThat(found.header("Cache-Control")).isEqualTo("private, no-cache");
        var resolution = found.as(Resolution.class);
        assertThat(shown(resolution))
                .containsExactly("tree/branch 1.0.0 [tree/top] *", "tree/leaf 1.1.0 [tree/branch] ^1");
        assertThat(resolution.skipped()).containsExactly(new SkippedRequirement("tree/top", "tree/odd", "^1"));
        assertThat(requireNonNull(resolution.closure()).stream().map(ResolvedRequirement::digest))
                .allMatch(digest -> digest.startsWith("sha256:"));
        assertThat(app().get(bundle("tree/top") + ":resolve", null)
                        .as(Resolution.class)
                        .closure())
                .isNull();
    }

    @Test
    void yankedAndRecalledVersionsAreNoCandidates() {
        published("gone/lib", "1.0.0", "[]");
        published("gone/lib", "1.1.0", "[]");
        published("gone/lib", "1.2.0", "[]");
        published("gone/kit", "1.0.0", "[{\"bundle\": \"gone/lib\", \"range\": \"^1\"}]");
        app().post(bundle("gone/lib") + "/versions/1.2.0:yank", app().admin(), "{}");
        app().post(bundle("gone/lib") + ":recall", app().admin(), """
                {"versions": ["1.1.0"], "severity": "high", "reason": "bad"}""");

        var one = closure("gone/kit", "", null);
        app().post(bundle("gone/lib") + "/versions/1.0.0:yank", app().admin(), "{}");
        var none = closure("gone/kit", "", null);

        assertThat(shown(one.as(Resolution.class))).containsExactly("gone/lib 1.0.0 [gone/kit] ^1");
        none.assertRefused("409 unsatisfiable");
        assertThat(none.json().at("/demands/0").toString())
                .isEqualTo("{\"by\":\"gone/kit:1.0.0\",\"bundle\":\"gone/lib\",\"range\":\"^1\"}");
    }

    @Test
    void whatTheCallerMayNotReadDoesNotExist() {
        push(app().admin(), "priv/lib", "1.0.0", "private", "[]");
        push(app().admin(), "priv/kit", "1.0.0", "private", "[{\"bundle\": \"priv/lib\", \"range\": \"^1\"}]");
        String confined = app().secret("""
                {"name": "confined", "scopes": ["read"], "restrictions": {"bundles": ["priv/kit"]}}""");

        var owner = closure("priv/kit", "", app().admin());
        var other = closure("priv/kit", "", confined);

        assertThat(shown(owner.as(Resolution.class))).containsExactly("priv/lib 1.0.0 [priv/kit] ^1");
        other.assertRefused("409 unsatisfiable");
    }

    @Test
    void anotherOwnerOfTheNamespaceMustBeAccepted() {
        String others = app().secondOrganization("newowner");
        push(others, "newowner/any", "1.0.0", "public", "[]");
        published("moved/lib", "1.0.0", "[]");
        published("staying/kit", "1.0.0", "[{\"bundle\": \"moved/lib\", \"range\": \"^1\"}]");
        app().database()
                .write(tx -> tx.change(
                        "UPDATE namespace SET organization_id = (SELECT organization_id FROM namespace WHERE name = 'newowner')"
                                + " WHERE name = 'moved'"));

        var refused = closure("staying/kit", "", null);
        var accepted = closure("staying/kit", "&acceptOwner=moved", null);

        assertThat(others).isNotEmpty();
        refused.assertRefused("409 owner-changed");
        assertThat(refused.problem().detail()).contains("moved/lib", "acceptOwner");
        assertThat(shown(accepted.as(Resolution.class))).containsExactly("moved/lib 1.0.0 [staying/kit] ^1");
    }

    @Test
    void aClosureOfThePastIsRefused() {
        published("past/kit", "1.0.0", "[]");

        closure("past/kit", "&asOf=" + Objects.requireNonNull(instant()), null).assertRefused("422 validation-failed");
    }

    // --- dependents ---

    private List<String> dependents(String repository, @Nullable String key) {
        return app().get(bundle(repository) + "/dependents", key).list(DependentBundle.class).stream()
                .map(one -> one.ref() + " " + one.version() + " " + one.range())
                .toList();
    }

    private List<String> events(String organization, String key) {
        return app().get("/v1/organizations/" + organization + "/events?limit=100", key)
                .text()
                .lines()
                .flatMap(line -> Stream.of(line.split("\\},\\{")))
                .filter(event -> event.contains("dependency.affected"))
                .toList();
    }

    @Test
    void aBundleListsWhoRequiresItAndOthersSeePublicOnesOnly() {
        String others = app().secondOrganization("usesother");
        published("used/lib", "1.0.0", "[]");
        published("used/a", "1.0.0", "[{\"bundle\": \"used/lib\", \"range\": \"^1\"}]");
        published("used/a", "1.1.0", "[{\"bundle\": \"used/lib\", \"range\": \"*\"}]");
        push(app().admin(), "used/b", "1.0.0", "private", "[{\"bundle\": \"used/lib\", \"range\": \"^1\"}]");
        push(others, "usesother/hidden", "1.0.0", "private", "[{\"bundle\": \"used/lib\", \"range\": \"^1\"}]");
        push(others, "usesother/shown", "1.0.0", "public", "[{\"bundle\": \"used/lib\", \"range\": \"^1\"}]");

        assertThat(dependents("used/lib", null)).containsExactly("used/a 1.1.0 *", "usesother/shown 1.0.0 ^1");
        assertThat(dependents("used/lib", app().admin()))
                .containsExactly("used/a 1.1.0 *", "used/b 1.0.0 ^1", "usesother/shown 1.0.0 ^1");
        assertThat(dependents("used/lib", others))
                .containsExactly("used/a 1.1.0 *", "usesother/hidden 1.0.0 ^1", "usesother/shown 1.0.0 ^1");
        var first = app().get(bundle("used/lib") + "/dependents?limit=1", null);
        assertThat(first.list(DependentBundle.class)).hasSize(1);
        assertThat(app().get(bundle("used/lib") + "/dependents?limit=1&cursor=" + first.nextCursor(), null)
                        .text())
                .contains("usesother");
        assertThat(app().get("/used/lib", null).text())
                .contains("Used by", "usesother/shown")
                .doesNotContain("hidden 1");
        assertThat(app().get("/used/a", null).text()).contains("Requires", "used/lib");
        assertThat(app().get("/used/a/versions/1.0.0", null).text()).contains("Requires", "used/lib");
    }

    @Test
    void whatTheOwnOrganizationNeedsIsDeletedByForceOnly() {
        String others = app().secondOrganization("delother");
        published("needed/lib", "1.0.0", "[]");
        published("needed/lib", "2.0.0", "[]");
        published("needed/kit", "1.0.0", "[{\"bundle\": \"needed/lib\", \"range\": \"^1\"}]");
        published("needed/any", "1.0.0", "[{\"bundle\": \"needed/lib\", \"range\": \"*\"}]");
        push(others, "delother/kit", "1.0.0", "public", "[{\"bundle\": \"needed/lib\", \"range\": \"^1\"}]");
        pass(Duration.ofDays(4));
        String version = bundle("needed/lib") + "/versions/1.0.0?reason=old";

        var refused = app().send("DELETE", version, app().admin(), null);
        var whole = app().send("DELETE", bundle("needed/lib") + "?reason=old", app().admin(), null);
        var forced = app().send("DELETE", version + "&force=true", app().admin(), null);

        refused.assertRefused("409 required-by");
        assertThat(refused.json().at("/dependents").toString()).isEqualTo("[\"needed/kit:1.0.0\"]");
        whole.assertRefused("409 required-by");
        assertThat(forced.status()).as(forced.text()).isEqualTo(204);
        assertThat(forced.header("Warning")).contains("delother/kit");
        closure("needed/kit", "", null).assertRefused("409 unsatisfiable");
    }

    @Test
    void dependentsAreToldOfAYank() {
        String others = app().secondOrganization("toldother");
        published("told/lib", "1.0.0", "[]");
        published("told/lib", "2.0.0", "[]");
        push(others, "toldother/kit", "1.0.0", "private", "[{\"bundle\": \"told/lib\", \"range\": \"^1\"}]");
        push(others, "toldother/new", "1.0.0", "private", "[{\"bundle\": \"told/lib\", \"range\": \"^2\"}]");

        app().post(bundle("told/lib") + "/versions/1.0.0:yank", app().admin(), "{}");
        app().tellDependents();

        assertThat(events("toldother", others))
                .singleElement()
                .satisfies(event -> assertThat(event)
                        .contains("toldother/kit:1.0.0", "\"cause\":\"yanked\"")
                        .doesNotContain("told/lib"));
        assertThat(events("default", app().admin())).isEmpty();
        app().tellDependents();
        assertThat(events("toldother", others)).hasSize(1);
    }

    @Test
    void aComparisonShowsWhatChangedInRequirements() {
        published("cmp/lib", "1.0.0", "[]");
        published("cmp/kit", "1.0.0", "[{\"bundle\": \"cmp/lib\", \"range\": \"*\"}]");
        published("cmp/kit", "1.1.0", "[{\"bundle\": \"cmp/lib\", \"range\": \"^1\"}]");

        var diff = app().get(bundle("cmp/kit") + "/versions/1.0.0:diff?to=1.1.0", null)
                .as(VersionDiff.class);

        assertThat(diff.requires())
                .containsExactly(new RequirementChange(
                        "changed",
                        "cmp/lib",
                        new RequiredBundle("cmp/lib", "*", null),
                        new RequiredBundle("cmp/lib", "^1", null)));
        assertThat(app().get("/cmp/kit/compare/1.0.0...1.1.0", null).text())
                .contains("What it requires changed", "cmp/lib");
    }

    /// A range is stored in a line, and printed.
    @Test
    void aRangeHasNoLineBreaks() {
        published("breaks/lib", "1.0.0", "[]");
        for (String range : List.of(">=1.0.0\\n<3.0.0", "*\\u2028x", ">=1\\t<3")) {
            push("breaks/app", "1.0.0", "[{\"bundle\": \"breaks/lib\", \"range\": \"" + range + "\"}]")
                    .assertRefused("422 validation-failed");
        }
    }
}
