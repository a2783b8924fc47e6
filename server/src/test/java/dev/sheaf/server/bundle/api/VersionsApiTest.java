package dev.sheaf.server.bundle.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Yank and deprecation over HTTP (contract 3.6).
class VersionsApiTest extends OnEveryStack {
    private static String version(String repository, String version) {
        return bundle(repository) + "/versions/" + version;
    }

    private void push(String repository, String... versions) {
        for (String one : versions) {
            assertThat(app().push(repository, one, "public", one).status()).isEqualTo(201);
        }
    }

    /// Points a tag at a version by pushing the version again, with the tag.
    private Reply tag(String repository, String version, String tag) {
        return app().post(bundle(repository) + ":push", app().admin(), """
                {"name": "Test", "version": "%s", "tags": ["%s"],
                 "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "%s"}]}""".formatted(version, tag, version));
    }

    private Reply verb(String repository, String version, String verb, String body) {
        return app().post(version(repository, version) + ":" + verb, app().admin(), body);
    }

    /// The version that a selector means, or the code of the problem.
    private String resolved(String repository, String selector) {
        var reply = app().get(bundle(repository) + ":resolve?version=" + selector, null);
        return reply.json().get(reply.status() == 200 ? "version" : "code").stringValue();
    }

    /// In the order in which they were made.
    private List<String> records(String table, String column, String subject) {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT " + column + " FROM " + table + " WHERE subject LIKE :subject ORDER BY id")
                        .bind("subject", subject + "%")
                        .mapTo(String.class)
                        .list());
    }

    @Test
    void whoDidSomethingIsTheOrganizationsOwnAffair() {
        push("whose/kit", "1.0.0");
        verb("whose/kit", "1.0.0", "yank", "{\"reason\": \"old\"}");
        var anyone = List.of(
                bundle("whose/kit") + ":resolve?version=1.0.0",
                bundle("whose/kit") + "/versions",
                version("whose/kit", "1.0.0"));

        for (String path : anyone) {
            for (int i = 0; i < 2; i++) { // once as it is made, once as it is remembered
                assertThat(app().get(path, null).text()).doesNotContain("key:").contains("\"publishedBy\":\"whose\"");
                assertThat(app().get(path, app().admin()).text()).contains("\"publishedBy\":\"key:");
            }
        }
    }

    @Test
    void aYankedVersionIsFoundByItsNumberAndDigestOnly() {
        push("yank/kit", "1.0.0", "1.1.0");

        var yanked = verb("yank/kit", "1.1.0", "yank", """
                {"reason": "Loses data", "reasonCode": "broken", "replacement": "1.0.0"}""");

        assertThat(yanked.status()).as(yanked.text()).isEqualTo(200);
        assertThat(yanked.as(VersionDetail.class).state()).isEqualTo("yanked");
        assertThat(yanked.as(VersionDetail.class).yankReason()).isEqualTo("Loses data");
        assertThat(yanked.as(VersionDetail.class).yankedAt()).isNotNull();
        assertThat(yanked.as(VersionDetail.class).tags()).isEmpty();
        String digest = requireNonNull(yanked.as(VersionDetail.class).ociDigest());
        for (String query : List.of("version=1.1.0", "digest=" + digest)) {
            var exact = app().get(bundle("yank/kit") + ":resolve?" + query, app().admin())
                    .as(Resolution.class);
            assertThat(exact.state()).isEqualTo("yanked");
            assertThat(requireNonNull(exact.yank()).reason()).isEqualTo("Loses data");
            assertThat(requireNonNull(exact.yank()).reasonCode()).isEqualTo("broken");
            assertThat(requireNonNull(exact.yank()).replacement()).isEqualTo("1.0.0");
            assertThat(requireNonNull(exact.yank()).by()).startsWith("key:");
        }
        for (String selector : List.of("", "latest", "%5E1.0", "*", "1.x")) {
            assertThat(resolved("yank/kit", selector)).as(selector).isEqualTo("1.0.0");
        }
        assertThat(resolved("yank/kit", "~1.1")).isEqualTo("version-not-found");
    }

    @Test
    void aYankIsRememberedOnceWhateverIsSentAgain() {
        push("twice/kit", "1.0.0");

        verb("twice/kit", "1.0.0", "yank", """
                {"reason": "first"}""");
        var again = verb("twice/kit", "1.0.0", "yank", """
                {"reason": "second"}""");

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.as(VersionDetail.class).yankReason()).isEqualTo("first");
        assertThat(records("event", "type", "twice/kit:1.0.0")).containsExactly("version.published", "version.yanked");
        assertThat(records("audit", "action", "twice/kit:1.0.0")).containsExactly("version.publish", "version.yank");
    }

    @Test
    void tagsMoveToTheNextVersionThatQualifiesOrGo() {
        push("move/kit", "0.9.0", "1.0.0", "1.1.0-rc.1", "1.1.0");
        tag("move/kit", "1.1.0", "stable");
        tag("move/kit", "1.1.0-rc.1", "next");
        tag("move/kit", "0.9.0", "old");

        verb("move/kit", "1.1.0", "yank", "{}");
        assertThat(resolved("move/kit", "stable")).isEqualTo("1.0.0");
        assertThat(resolved("move/kit", "latest")).isEqualTo("1.0.0");
        verb("move/kit", "1.1.0-rc.1", "yank", "{}");
        assertThat(resolved("move/kit", "next")).isEqualTo("1.0.0");
        verb("move/kit", "0.9.0", "yank", "{}");

        assertThat(resolved("move/kit", "old")).isEqualTo("version-not-found");
        assertThat(records("event", "type", "move/kit:old")).containsExactly("tag.moved", "tag.deleted");
        assertThat(records("event", "type", "move/kit:stable")).containsExactly("tag.moved", "tag.moved");
        var throughRegistry = app().get("/v2/move/kit/manifests/old", app().admin());
        assertThat(throughRegistry.status()).isEqualTo(404);
        assertThat(app().get("/v2/move/kit/manifests/1.1.0", app().admin()).status())
                .isEqualTo(200);
    }

    @Test
    void withoutAnyVersionLeftLatestGoesAndComesBack() {
        push("empty/kit", "1.0.0");

        verb("empty/kit", "1.0.0", "yank", "{}");
        String none = resolved("empty/kit", "");
        int tagged = app().get("/v2/empty/kit/manifests/latest", app().admin()).status();
        var back = verb("empty/kit", "1.0.0", "unyank", "{}");
        var again = app().send("POST", version("empty/kit", "1.0.0") + ":unyank", app().admin(), null);

        assertThat(none).isEqualTo("no-active-version");
        assertThat(tagged).isEqualTo(404);
        assertThat(List.of(back.status(), again.status())).containsExactly(200, 200);
        assertThat(back.as(VersionDetail.class).state()).isEqualTo("published");
        assertThat(back.as(VersionDetail.class).yankReason()).isNull();
        assertThat(resolved("empty/kit", "")).isEqualTo("1.0.0");
        assertThat(records("event", "type", "empty/kit:1.0.0"))
                .containsExactly("version.published", "version.yanked", "version.unyanked");
    }

    @Test
    void noPushPointsATagToAYankedVersion() {
        push("refuse/kit", "1.0.0", "1.1.0");
        verb("refuse/kit", "1.1.0", "yank", "{}");

        var refused = tag("refuse/kit", "1.1.0", "stable");

        refused.assertRefused("409 conflict");
        assertThat(resolved("refuse/kit", "stable")).isEqualTo("version-not-found");
    }

    @Test
    void buildMetadataMayBeLeftOutButNotChanged() {
        push("meta/kit", "1.0.0+one");

        assertThat(verb("meta/kit", "1.0.0+two", "yank", "{}").status()).isEqualTo(404);
        assertThat(verb("meta/kit", "1.0.0", "yank", "{}").status()).isEqualTo(200);
        assertThat(verb("meta/kit", "1.0.0_one", "unyank", "{}").status()).isEqualTo(200);
        assertThat(verb("meta/kit", "1.0.0%2Bone", "yank", "{}").status()).isEqualTo(200);
    }

    @Test
    void aDeprecatedVersionStillWorksAndSaysSo() {
        push("advise/kit", "1.0.0", "1.1.0");

        var first = verb("advise/kit", "1.1.0", "deprecate", """
                {"message": "Slow", "replacement": "2.0.0"}""");
        verb("advise/kit", "1.1.0", "deprecate", """
                {"message": "Slow", "replacement": "2.0.0"}""");
        var resolved = app().get(bundle("advise/kit") + ":resolve?version=latest", null)
                .as(Resolution.class);
        var taken = verb("advise/kit", "1.1.0", "undeprecate", "{}").as(VersionDetail.class);

        assertThat(first.json().get("deprecation").toString())
                .isEqualTo("{\"message\":\"Slow\",\"replacement\":\"2.0.0\"}");
        assertThat(resolved.version()).isEqualTo("1.1.0");
        assertThat(requireNonNull(resolved.deprecation()).message()).isEqualTo("Slow");
        assertThat(taken.deprecation()).isNull();
        assertThat(records("audit", "action", "advise/kit:1.1.0"))
                .containsExactly("version.publish", "version.deprecate", "version.undeprecate");
    }

    /// That it is so may be all there is to say.
    @Test
    void aDeprecationNeedsNoMessage() {
        push("hushed/kit", "1.0.0");
        for (String place : List.of("/versions/1.0.0", "")) {
            for (String body : List.of("{}", "", "{\"message\": null}", "{\"message\": \"  \"}")) {
                var deprecated = app().post(bundle("hushed/kit") + place + ":deprecate", app().admin(), body);
                var resolved =
                        app().get(bundle("hushed/kit") + ":resolve", null).json();

                assertThat(deprecated.status()).as("%s %s", place, body).isEqualTo(200);
                assertThat(deprecated.json().get("deprecation").toString()).isEqualTo("{\"message\":\"\"}");
                assertThat(resolved.get("deprecation").toString()).isEqualTo("{\"message\":\"\"}");
                assertThat(app().get("/v2/hushed/kit/manifests/1.0.0", null).header("Warning"))
                        .isEqualTo("299 - \"hushed/kit" + (place.isEmpty() ? "" : " 1.0.0") + " is deprecated\"");
                app().post(bundle("hushed/kit") + place + ":undeprecate", app().admin(), "");
            }
        }
        assertThat(app().get(bundle("hushed/kit") + ":resolve", null)
                        .as(Resolution.class)
                        .deprecation())
                .isNull();
    }

    @Test
    void aDeprecatedBundleSaysSoOnEveryVersion() {
        push("adviseall/kit", "1.0.0");

        var deprecated = app().post(bundle("adviseall/kit") + ":deprecate", app().admin(), """
                {"message": "Use acme/next"}""");
        var resolved = app().get(bundle("adviseall/kit") + ":resolve", null).as(Resolution.class);
        var taken = app().send("POST", bundle("adviseall/kit") + ":undeprecate", app().admin(), null)
                .as(BundleRecord.class);

        assertThat(deprecated.status()).isEqualTo(200);
        assertThat(requireNonNull(deprecated.as(BundleRecord.class).deprecation())
                        .message())
                .isEqualTo("Use acme/next");
        assertThat(requireNonNull(resolved.deprecation()).message()).isEqualTo("Use acme/next");
        assertThat(taken.deprecation()).isNull();
        assertThat(app().get(bundle("adviseall/kit"), null)
                        .as(BundleRecord.class)
                        .deprecation())
                .isNull();
        assertThat(records("event", "type", "adviseall/kit"))
                .contains("bundle.created", "bundle.deprecated", "bundle.undeprecated");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            versions/1.0.0:yank       | {"reasonCode": "dull"}     | /reasonCode
            versions/1.0.0:yank       | {"reason": 7}              | /reason
            versions/1.0.0:yank       | {"replacement": []}        | /replacement
            versions/latest:yank      | {}                         | version
            versions/%5E1.0:yank      | {}                         | version
            versions/1.0.0:deprecate  | {"message": 7}             | /message
            versions/1.0.0:deprecate  | {"message": "a\\u0000b"} | /message
            """)
    void rejectsWrongMemberByNameAndChangesNothing(String path, String body, String pointer) {
        app().push("wrongs/kit", "1.0.0", "public", "one");

        var reply = app().post(bundle("wrongs/kit") + "/" + path, app().admin(), body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.problem().errors().getFirst().field()).isEqualTo(pointer);
        var unchanged = app().get(version("wrongs/kit", "1.0.0"), null).as(VersionDetail.class);
        assertThat(unchanged.state()).isEqualTo("published");
        assertThat(unchanged.deprecation()).isNull();
    }

    @Test
    void anUnknownVersionNamesItsNeighbours() {
        push("unknown/kit", "1.0.0");

        var reply = verb("unknown/kit", "1.0.1", "yank", "{}");

        reply.assertRefused("404 version-not-found");
        assertThat(reply.json().get("candidates").toString()).contains("1.0.0");
    }

    @Test
    void strangersChangeNothingAndLearnNothing() {
        app().push("guard/open", "1.0.0", "public", "one");
        app().push("guard/secret", "1.0.0", "private", "one");
        String stranger = app().secondOrganization("guards");

        for (String verb : List.of(":yank", ":unyank", ":deprecate", ":undeprecate")) {
            var open = app().post(version("guard/open", "1.0.0") + verb, stranger, "{}");
            var hidden = app().post(version("guard/secret", "1.0.0") + verb, stranger, "{}");
            var missing = app().post(version("guard/nothere", "1.0.0") + verb, stranger, "{}");

            assertThat(open.problem().code()).isEqualTo("not-owner");
            assertThat(hidden.status()).isEqualTo(404);
            assertThat(hidden.without("secret")).isEqualTo(missing.without("nothere"));
        }
        assertThat(app().get(version("guard/open", "1.0.0"), null)
                        .as(VersionDetail.class)
                        .state())
                .isEqualTo("published");
    }
}
