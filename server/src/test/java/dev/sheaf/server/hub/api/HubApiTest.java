package dev.sheaf.server.hub.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.model.wire.hub.HubPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The hub over HTTP: what it shows, to whom, and how (contract 1.4, 3.8).
class HubApiTest extends HubScenario {
    private static List<String> names(JsonNode node) {
        return List.copyOf(new TreeSet<>(node.propertyNames()));
    }

    private static final List<String> SUMMARY = List.of(
            "assetTypes",
            "bundleType",
            "capabilities",
            "createdAt",
            "displayName",
            "downloads30d",
            "downloadsTotal",
            "findingCodes",
            "findings",
            "id",
            "isDeprecated",
            "isSigned",
            "latestVersion",
            "license",
            "mcpServers",
            "publisher",
            "readExtent",
            "scripts",
            "skillsCount",
            "slug",
            "starsCount",
            "summary",
            "tags",
            "tools",
            "updatedAt",
            "worstFinding");

    private void publishKit(String repository) {
        publish(repository, "1.0.0");
        publish(repository, "1.1.0");
        patch(repository, """
                {"name": "The Kit", "description": "First part.\\nStill.\\n\\nSecond.", "readmeContent": "# Hi",
                 "readmeFormat": "markdown", "license": "MIT", "repositoryUrl": "https://example.org/r",
                 "homepageUrl": "https://example.org", "keywords": ["DevOps", "notes", "capability:read"]}""");
        app().post(bundle(repository) + "/versions/1.0.0:deprecate", app().admin(), "{\"message\": \"Old\"}");
    }

    @Test
    void aListShowsEveryMemberOfASummary() {
        publishKit("shape/kit");

        var page = anonymous("/v1/hub/bundles?namespace=shape");

        assertThat(page.header("Cache-Control")).isEqualTo("public, max-age=30");
        assertThat(names(page.json().get("data").get(0))).isEqualTo(SUMMARY);
        var summary = page.list(HubBundle.class).getFirst();
        assertThat(summary.publisher()).isEqualTo(new HubPublisher("shape", "shape", "unverified", null));
        assertThat(summary.slug()).isEqualTo("kit");
        assertThat(summary.displayName()).isEqualTo("The Kit");
        assertThat(summary.summary()).isEqualTo("First part. Still.");
        assertThat(summary.assetTypes()).containsExactly("skill");
        assertThat(summary.bundleType()).isEqualTo("skill");
        assertThat(summary.tags()).containsExactly("DevOps", "notes");
        assertThat(summary.capabilities()).containsExactly("read");
        assertThat(summary.latestVersion()).isEqualTo("1.1.0");
        assertThat(summary.starsCount()).isZero();
        assertThat(summary.downloadsTotal()).isZero();
        assertThat(summary.downloads30d()).isZero();
        assertThat(summary.createdAt()).isBeforeOrEqualTo(summary.updatedAt());
    }

    @Test
    void aBundleIsShownWithEveryMember() {
        publishKit("whole/kit");

        var detail = anonymous(hub("whole/kit"));

        var whole = detail.as(HubBundle.class);
        assertThat(names(detail.json()))
                .containsAll(SUMMARY)
                .contains("description", "repositoryUrl", "homepageUrl", "readmeContent", "readmeFormat", "versions");
        assertThat(whole.id())
                .isEqualTo(app().get(bundle("whole/kit"), app().admin())
                        .as(BundleRecord.class)
                        .id());
        assertThat(whole.description()).contains("Second.");
        assertThat(whole.readmeContent()).isEqualTo("# Hi");
        assertThat(whole.isDeprecated()).isFalse();
        assertThat(whole.installCommand()).isEqualTo("sheaf add whole/kit");
        assertThat(whole.loadCommand()).isEqualTo("sheaf pull whole/kit:1.1.0");
        var versions = requireNonNull(whole.versions());
        assertThat(versions).extracting(HubBundle.Version::version).containsExactly("1.1.0", "1.0.0");
        assertThat(names(detail.json().at("/versions/0"))).containsExactly("isDeprecated", "publishedAt", "version");
        assertThat(versions.get(1).deprecatedMessage()).isEqualTo("Old");
        assertThat(app().send(app().request("GET", hub("whole/kit"), null, null)
                                .header("If-None-Match", detail.header("ETag")))
                        .status())
                .isEqualTo(304);
    }

    @Test
    void theTwinsAnswerAsTheRoutesOfNamespacesDo() {
        publish("twin/kit", "1.0.0");

        for (String rest : List.of(":resolve?version=%5E1", "/versions/latest:pull")) {
            var twin = anonymous(hub("twin/kit") + rest);

            assertThat(twin.status()).isEqualTo(200);
            assertThat(twin.text())
                    .isEqualTo(anonymous(bundle("twin/kit") + rest).text());
            assertThat(twin.header("ETag")).isNotEmpty();
        }
        anonymous(hub("twin/kit") + ":resolve?version=9.9.9").assertRefused("404 version-not-found");
    }

    @Test
    void whatIsHiddenIsMissingForEverybodyOnEveryRoute() {
        assertThat(app().push("hidden/private", "1.0.0", "private", "x").status())
                .isEqualTo(201);
        app().post("/v1/namespaces/hidden/bundles", app().admin(), """
                {"slug": "empty", "name": "Empty", "visibility": "public", "keywords": ["legal"]}""");
        publish("hidden/yanked", "1.0.0", "{\"keywords\": [\"legal\"], \"readmeContent\": \"unfindable\"}");
        app().post(bundle("hidden/yanked") + "/versions/1.0.0:yank", app().admin(), "{}");
        var stranger = app().secondOrganization("strangers");

        for (String rest : List.of(
                "",
                ":resolve",
                "/versions/1.0.0:pull",
                "/readme",
                "/feed.atom",
                "/badge.svg",
                "/assets",
                "/assets/SKILL.md")) {
            String missing = masked(anonymous(hub("hidden/missing") + rest), "hidden/missing");
            assertThat(missing).startsWith("404 application/problem+json").contains("bundle-not-found");
            for (String name : List.of("hidden/private", "hidden/empty", "hidden/yanked", "hidden/missing")) {
                for (String key : new String[] {null, app().admin(), stranger}) {
                    assertThat(masked(app().get(hub(name) + rest, key), name))
                            .as(name + rest)
                            .isEqualTo(missing);
                }
            }
        }
        for (String name : List.of("hidden/private", "hidden/empty", "hidden/yanked", "hidden/missing")) {
            app().send("PUT", hub(name) + "/star", stranger, null).assertRefused("404 bundle-not-found");
            app().post(hub(name) + ":deprecate", app().admin(), "{\"message\": \"x\"}")
                    .assertRefused("404 bundle-not-found");
        }
    }

    @Test
    void whatIsHiddenIsInNoListFeedOrCount() {
        publish("unseen/yanked", "1.0.0", "{\"keywords\": [\"legal\"], \"readmeContent\": \"unfindable\"}");
        app().post(bundle("unseen/yanked") + "/versions/1.0.0:yank", app().admin(), "{}");
        assertThat(app().push("unseen/private", "1.0.0", "private", "x").status())
                .isEqualTo(201);

        assertThat(refs("namespace=unseen")).isEmpty();
        assertThat(refs("q=unfindable")).isEmpty();
        assertThat(refs("q=unseen%2Fprivate")).isEmpty();
        assertThat(refs(anonymous("/v1/hub/publishers/unseen/bundles"))).isEmpty();
        assertThat(masked(anonymous("/v1/hub/publishers/unseen/feed.atom"), "publisher unseen")
                        .replace("/unseen/", "//"))
                .isEqualTo(masked(anonymous("/v1/hub/publishers/nobody/feed.atom"), "publisher nobody")
                        .replace("/nobody/", "//"));
        assertThat(anonymous("/v1/hub/categories?limit=x").status()).isEqualTo(422);
        assertThat(anonymous("/v1/hub/categories").text())
                .contains("{\"slug\":\"legal\",\"name\":\"Legal\",\"displayName\":\"Legal\",\"description\":"
                        + "\"Contracts, policies, licences and compliance.\",\"bundleCount\":0}");
        assertThat(app().get(hub("unseen/missing"), "shf_bad").status()).isEqualTo(401);
    }

    @Test
    void showsFollowEveryChangeAtOnce() {
        publish("follow/kit", "1.0.0", "{\"keywords\": [\"Sales\"], \"description\": \"zebra\"}");
        assertThat(refs("q=zebra&category=sales")).containsExactly("follow/kit");

        patch("follow/kit", "{\"description\": \"giraffe\", \"keywords\": null}");
        assertThat(refs("q=zebra")).isEmpty();
        assertThat(refs("category=sales")).isEmpty();
        assertThat(refs("q=giraffe")).containsExactly("follow/kit");

        patch("follow/kit", "{\"visibility\": \"private\"}");
        assertThat(refs("q=giraffe")).isEmpty();
        assertThat(anonymous(hub("follow/kit")).status()).isEqualTo(404);

        patch("follow/kit", "{\"visibility\": \"public\"}");
        assertThat(refs("q=giraffe")).containsExactly("follow/kit");

        app().post(bundle("follow/kit") + "/versions/1.0.0:yank", app().admin(), "{}");
        assertThat(refs("q=giraffe")).isEmpty();
        publish("follow/kit", "1.0.1");
        assertThat(anonymous(hub("follow/kit")).as(HubBundle.class).latestVersion())
                .isEqualTo("1.0.1");
        app().post(bundle("follow/kit") + "/versions/1.0.0:unyank", app().admin(), "{}");
        assertThat(anonymous(hub("follow/kit")).as(HubBundle.class).versions())
                .extracting(HubBundle.Version::version)
                .containsExactly("1.0.1", "1.0.0");

        assertThat(app().post(hub("follow/kit") + ":deprecate", app().admin(), "{\"message\": \"Gone\"}")
                        .status())
                .isEqualTo(200);
        assertThat(anonymous(hub("follow/kit")).as(HubBundle.class).isDeprecated())
                .isTrue();
        app().post(hub("follow/kit") + ":undeprecate", app().admin(), "{}");
        assertThat(anonymous(hub("follow/kit")).as(HubBundle.class).isDeprecated())
                .isFalse();
    }

    @Test
    void aBundleIsDeprecatedWithoutAMessageHereToo() {
        publish("hushed/kit", "1.0.0");
        for (String body : List.of("{}", "")) {
            assertThat(app().post(hub("hushed/kit") + ":deprecate", app().admin(), body)
                            .status())
                    .isEqualTo(200);
            assertThat(anonymous(hub("hushed/kit")).as(HubBundle.class).isDeprecated())
                    .isTrue();
            app().post(hub("hushed/kit") + ":undeprecate", app().admin(), body);
        }
        app().post(bundle("hushed/kit") + "/versions/1.0.0:deprecate", app().admin(), "{}");
        var version = requireNonNull(
                        anonymous(hub("hushed/kit")).as(HubBundle.class).versions())
                .getFirst();
        assertThat(version.isDeprecated()).isTrue();
        assertThat(version.deprecatedMessage()).isNullOrEmpty();
    }

    @Test
    void aBundleIsFilteredByKindCategoryAndNamespaceAndPagesSurviveInserts() {
        var expected = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            publish("filter/kit-" + i, "1.0.0", "{\"keywords\": [\"finance\"]}");
            expected.addFirst("filter/kit-" + i);
        }
        pass(Duration.ofSeconds(1));
        app().post("/v1/namespaces/filter/bundles/prompts:push", app().admin(), """
                {"name": "P", "visibility": "public", "version": "1.0.0", "manifest": [
                  {"logicalPath": "a.md", "assetType": "prompt", "contentText": "a"},
                  {"logicalPath": "b.json", "assetType": "tool", "contentText": "{}"}]}""");

        assertThat(refs("namespace=filter&type=prompt")).containsExactly("filter/prompts");
        assertThat(refs("namespace=filter&asset_type=tool_config")).containsExactly("filter/prompts");
        assertThat(anonymous("/v1/hub/bundles?namespace=filter&type=prompt").text())
                .contains("\"assetTypes\":[\"toolset\",\"prompt\"],\"bundleType\":\"collection\"");
        assertThat(refs("namespace=filter&category=finance&limit=2")).containsExactlyElementsOf(expected);
        assertThat(refs(anonymous("/v1/hub/publishers/filter/bundles?sort=recent&limit=1")))
                .containsExactly("filter/prompts");
        var first = anonymous("/v1/hub/bundles?namespace=filter&sort=recent&limit=3&type=skill");
        publish("filter/kit-9", "1.0.0");
        var second = anonymous(
                "/v1/hub/bundles?namespace=filter&sort=recent&limit=3&type=skill&cursor=" + first.nextCursor());
        assertThat(refs(first)).containsExactly("filter/kit-4", "filter/kit-3", "filter/kit-2");
        assertThat(refs(second)).containsExactly("filter/kit-1", "filter/kit-0");
        anonymous("/v1/hub/bundles?namespace=filter&limit=3&type=prompt&cursor=" + first.nextCursor())
                .assertRefused("400 invalid-cursor");
        anonymous("/v1/hub/bundles?type=car").assertRefused("422 validation-failed");
        anonymous("/v1/hub/bundles?sort=best").assertRefused("422 validation-failed");
        assertThat(refs("category=nonsense")).isEmpty();
    }

    @Test
    void aPersonStarsForHerselfWhateverHerRole() {
        publish("liked/kit", "1.0.0");
        publish("liked/other", "1.0.0");
        assertThat(app().push("liked/hidden", "1.0.0", "private", "x").status()).isEqualTo(201);
        var reader = app().person("reader@stars.test", "default", "reader");
        var nobody = app().person("nobody@stars.test", null, null);
        app().send("PUT", hub("liked/kit") + "/star", app().admin(), null);

        var given = app().send("PUT", hub("liked/kit") + "/star", reader, null);
        pass(Duration.ofSeconds(1));
        app().send("PUT", hub("liked/other") + "/star", reader, null);
        app().send("PUT", hub("liked/other") + "/star", reader, null);
        app().send("PUT", hub("liked/kit") + "/star", nobody, null);

        assertThat(given.text()).isEqualTo("{\"starred\":true,\"starsCount\":2}");
        assertThat(app().get(hub("liked/kit") + "/star", app().admin()).text())
                .isEqualTo("{\"starred\":true,\"starsCount\":3}");
        assertThat(app().get(hub("liked/other") + "/star", nobody).text())
                .isEqualTo("{\"starred\":false,\"starsCount\":1}");
        assertThat(refs(app().get("/v1/hub/me/stars", reader))).containsExactly("liked/other", "liked/kit");
        assertThat(refs(app().get("/v1/hub/me/stars", nobody))).containsExactly("liked/kit");
        var first = app().get("/v1/hub/me/stars?limit=1", reader);
        assertThat(refs(first)).containsExactly("liked/other");
        assertThat(refs(app().get("/v1/hub/me/stars?limit=1&cursor=" + first.nextCursor(), reader)))
                .containsExactly("liked/kit");
        assertThat(app().get("/v1/hub/me/stars", app().admin()).status()).isEqualTo(403);
        app().send("PUT", hub("liked/hidden") + "/star", reader, null).assertRefused("404 bundle-not-found");

        patch("liked/other", "{\"visibility\": \"private\"}");
        assertThat(refs(app().get("/v1/hub/me/stars", reader))).containsExactly("liked/kit");
        var taken = app().send("DELETE", hub("liked/kit") + "/star", reader, null);
        assertThat(taken.text()).isEqualTo("{\"starred\":false,\"starsCount\":2}");
        assertThat(refs(app().get("/v1/hub/me/stars", reader))).isEmpty();
    }

    @Test
    void anOrganizationHasOneStar() {
        publish("star/one", "1.0.0");
        publish("star/two", "1.0.0");
        var other = app().secondOrganization("starrers");

        for (String key : List.of(app().admin(), other, other, app().key("star-writer", "write"))) {
            assertThat(app().send("PUT", hub("star/one") + "/star", key, null).status())
                    .isEqualTo(200);
        }

        assertThat(anonymous(hub("star/one")).as(HubBundle.class).starsCount()).isEqualTo(2);
        assertThat(refs("namespace=star&sort=stars")).containsExactly("star/one", "star/two");
        assertThat(app().get(hub("star/one") + "/star", other).text()).isEqualTo("{\"starred\":true,\"starsCount\":2}");
        assertThat(app().get(hub("star/one") + "/star", null).status()).isEqualTo(401);
        var taken = app().send("DELETE", hub("star/one") + "/star", other, null);
        assertThat(taken.text()).isEqualTo("{\"starred\":false,\"starsCount\":1}");
        assertThat(app().send("DELETE", hub("star/one") + "/star", other, null).text())
                .isEqualTo("{\"starred\":false,\"starsCount\":1}");
        assertThat(app().send("PUT", hub("star/one") + "/star", null, null).status())
                .isEqualTo(401);
        assertThat(app().send("PUT", hub("star/one") + "/star", app().key("star-reader", "read"), null)
                        .status())
                .isEqualTo(403);
        assertThat(app().post(hub("star/one") + ":deprecate", other, "{\"message\": \"x\"}")
                        .refusal())
                .startsWith("403");
    }

    @Test
    void aPublisherListsABundleThatHasAVersion() {
        assertThat(app().push("list/kit", "1.0.0", "private", "x").status()).isEqualTo(201);
        var made = app().post("/v1/namespaces/list/bundles", app().admin(), "{\"slug\": \"empty\", \"name\": \"E\"}")
                .as(BundleRecord.class);
        var id = app().get(bundle("list/kit"), app().admin())
                .as(BundleRecord.class)
                .id();
        String body = """
                {"bundleId": "%s", "slug": "%s", "displayName": "Listed", "description": "D", "readmeContent": "# R"}""";

        var listed = app().post("/v1/hub/publishers/list/listings", app().admin(), body.formatted(id, "kit"));

        assertThat(listed.status()).as(listed.text()).isEqualTo(201);
        assertThat(listed.header("Location")).isEqualTo(hub("list/kit"));
        assertThat(listed.as(HubBundle.class).displayName()).isEqualTo("Listed");
        assertThat(anonymous(hub("list/kit")).as(HubBundle.class).readmeContent())
                .isEqualTo("# R");
        app().post(
                        "/v1/hub/publishers/list/listings",
                        app().admin(),
                        body.formatted(made.id().toString(), "empty"))
                .assertRefused("409 conflict");
        assertThat(app().get(bundle("list/empty"), app().admin()).text()).contains("\"visibility\":\"private\"");
        app().post(
                        "/v1/hub/publishers/list/listings",
                        app().admin(),
                        body.formatted(made.id().toString(), "kit"))
                .assertRefused("422 validation-failed");
        var stranger = app().secondOrganization("listers");
        app().post("/v1/hub/publishers/list/listings", stranger, body.formatted(id, "empty"))
                .assertRefused("404 bundle-not-found");
        assertThat(app().get("/v1/hub/me/publishers", stranger).text())
                .isEqualTo("{\"data\":[],\"meta\":{\"nextCursor\":null,\"hasMore\":false}}");
        assertThat(app().get("/v1/hub/me/publishers?limit=100", app().admin()).text())
                .contains("{\"handle\":\"list\",\"displayName\":\"list\",\"trustTier\":\"unverified\"}");
    }
}
