package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.contract.OpenApi;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What holds for requests of every kind: what callers take, what they send, and how they are told what is wrong.
class RequestRulesTest extends OnEveryStack {
    /// Operations that take more, and those that refuse a key before they read.
    private static final List<String> NOT_READ =
            List.of("answerScan", "pushBundle", "putAsset", "approveVersion", "rejectVersion");

    private static final String KIT = "/v1/namespaces/acme/bundles/kit";

    @Override
    public void prepare() {
        assertThat(app().push("acme/kit", "1.0.0", "public", "# Kit").status()).isEqualTo(201);
    }

    // --- Accept ---

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "text/html, image/*",
                "application/json;q=0",
                "application/json; q=0.0, text/html",
                "application/xml",
                "*/*;q=0",
                "nonsense"
            })
    void whoTakesNoJsonIsTold(String accept) {
        for (String path :
                List.of(KIT, KIT + ":resolve", KIT + "/versions", "/v1/hub/bundles", "/v1/limits", "/v1/me")) {
            var reply = accepting("GET", path, accept, null);

            assertThat(reply.status()).as(path).isEqualTo(406);
            assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(reply.json().get("code").stringValue()).isEqualTo("not-acceptable");
            assertThat(reply.json().get("offered").stringValue()).isEqualTo("application/json");
        }
    }

    @Test
    void whoTakesNoJsonChangesNothing() {
        var refused = accepting("POST", KIT + "/versions/1.0.0:yank", "text/html", "{}");
        var patched = accepting("PATCH", KIT, "text/html", "{\"name\": \"Other\"}");

        assertThat(refused.status()).isEqualTo(406);
        assertThat(patched.status()).isEqualTo(406);
        assertThat(app().get(KIT, null).json().get("name").stringValue()).isEqualTo("Test");
        assertThat(app().get(KIT + ":resolve", null).json().get("state").stringValue())
                .isEqualTo("published");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "*/*",
                "*",
                "application/*",
                "application/json",
                "Application/JSON;charset=utf-8",
                "application/problem+json",
                "application/vnd.sheaf.v1+json",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"
            })
    void whoTakesJsonInAnyWordsGetsIt(String accept) {
        assertThat(accepting("GET", KIT, accept, null).status()).isEqualTo(200);
        assertThat(accepting("POST", KIT + ":deprecate", accept, "{}").status()).isEqualTo(200);
    }

    /// What was refused for another reason is a problem whatever Accept says; nothing without a body is refused.
    @Test
    void refusalsAndEmptyAnswersAreNotNegotiated() {
        assertThat(accepting("GET", "/v1/namespaces/acme/bundles/none", "text/html", null)
                        .status())
                .isEqualTo(404);
        assertThat(accepting("DELETE", KIT + "/assets/none.md", "text/html", null)
                        .status())
                .isEqualTo(404);
        assertThat(accepting("GET", "/health/live", "text/html", null).status()).isEqualTo(200);
        assertThat(accepting("GET", "/problems/not-found", "application/json", null)
                        .status())
                .isEqualTo(200);
    }

    // --- Content-Type ---

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json-patch+json",
                "application/json-patch-query+json",
                "application/jsonpatch+json",
                "text/json"
            })
    void anotherKindOfPatchIsNoMergePatch(String type) {
        var reply = sending("PATCH", KIT, type, "{\"name\": \"Other\"}");

        assertThat(reply.status()).isEqualTo(415);
        assertThat(reply.json().get("given").stringValue()).isEqualTo(type);
        assertThat(app().get(KIT, null).json().get("name").stringValue()).isEqualTo("Test");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"application/merge-patch+json", "application/json; charset=utf-8", "application/vnd.x+json"})
    void aMergePatchIs(String type) {
        assertThat(sending("PATCH", KIT, type, "{\"keywords\": [\"other\"]}").status())
                .isEqualTo(200);
    }

    // --- query ---

    /// Of two values, one would be read by us and the other by whoever stands between.
    @ParameterizedTest
    @ValueSource(
            strings = {
                KIT + ":resolve?version=1.0.0&version=2.0.0",
                KIT + ":resolve?version=1.0.0&version=1.0.0",
                KIT + ":resolve?version=1.0.0&%76ersion=1.0.0",
                KIT + ":resolve?minAge=PT0S&minAge=PT0S",
                KIT + ":resolve?asOf=2026-01-01T00:00:00Z&asOf=2026-01-01T00:00:00Z",
                KIT + "/versions?order=created&order=version",
                KIT + "/versions?limit=1&limit=2",
                KIT + "/versions?cursor=a&cursor=b",
                KIT + "/assets?version=1.0.0&version=",
                "/v1/hub/bundles?q=a&q=b",
                "/v1/hub/bundles?sort=recent&sort=stars",
                "/v1/hub/bundles?type=skill&type=prompt",
                "/v1/namespaces/acme/bundles?visibility=public&visibility=private",
                "/v1/organizations/default/audit-log?actor=a&actor=b",
                "/v1/organizations/default/api-keys?state=active&state=expired",
            })
    void aParameterStandsOnce(String path) {
        var reply = app().get(path, app().admin());

        assertThat(reply.status()).as(path).isEqualTo(422);
        assertThat(reply.json().at("/errors/0/code").stringValue()).isEqualTo("duplicate");
        assertThat(path).contains(reply.json().at("/errors/0/field").stringValue());
    }

    // --- errors ---

    @Test
    void allErrorsAreToldThatFit() {
        String keywords =
                String.join(",", IntStream.range(0, 31).mapToObj(i -> "7").toList());
        var reply = app().send("PATCH", KIT, app().admin(), "{\"keywords\": [" + keywords + "]}");

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.json().get("errorCount").intValue()).isEqualTo(31);
        int each = reply.json().at("/errors/0").toString().length() + 2;
        int shown = reply.json().get("errors").size();
        assertThat(reply.response().body()).hasSizeLessThan(4_096);
        assertThat(reply.response().body().length + (shown == 31 ? 4_096 : each))
                .as("%d shown", shown)
                .isGreaterThan(4_095);
    }

    @Test
    void aLongErrorLeavesRoomForTheOthers() {
        var members = new ArrayList<String>();
        for (String name : List.of("license", "repositoryUrl", "homepageUrl", "readmeFormat", "name")) {
            members.add("\"" + name + "\": 7");
        }
        var reply = app().send("PATCH", KIT, app().admin(), "{" + String.join(",", members) + "}");

        assertThat(reply.json().get("errors")).hasSize(5);
    }

    // --- size ---

    @Test
    void aBodyOfMoreThanAMebibyteIsTooLargeWhereverJsonIsTaken() {
        String large = "{\"unknown\": \"" + "a".repeat(1 << 20) + "\"}";
        for (var operation : OpenApi.document().operations()) {
            var body = operation.node().path("requestBody");
            boolean json = OpenApi.document().resolved(body).path("content").has("application/json");
            boolean isOn = !operation.path().startsWith("/ard/"); // there by a setting; ArdApiTest has its large body
            if (json && isOn && !NOT_READ.contains(operation.id())) {
                var path = operation
                        .path()
                        .replace("{org_id}", "default")
                        .replace("{namespace}", "acme")
                        .replace("{bundle}", "kit")
                        .replace("{version}", "1.0.0")
                        .replace("{worker_id}", "01900000-0000-7000-8000-000000000001")
                        .replaceAll("\\{[a-z_]+}", "latest");
                var reply = app().send(operation.method().name(), path, secret(operation), large);

                assertThat(reply.status()).as(operation.id()).isEqualTo(413);
                // errors of JSON-RPC, and plain text for ClawHub's clients
                if (!path.startsWith("/mcp") && !path.startsWith("/api/v1/")) {
                    assertThat(reply.json().get("limit").longValue())
                            .isEqualTo(operation.id().equals("signIn") ? 16 << 10 : 1 << 20);
                }
            }
        }
    }

    private String secret(OpenApi.Operation operation) {
        String scope = operation.node().path("x-sheaf-scope").asString("");
        return scope.equals("person")
                ? app().person(operation.id().toLowerCase(Locale.ROOT) + "@large.test", "default", "owner")
                : app().admin();
    }

    private Reply accepting(String method, String path, String accept, @Nullable String body) {
        return app().send(app().request(method, path, app().admin(), body).header("Accept", accept));
    }

    private Reply sending(String method, String path, String type, String body) {
        return app().send(app().request(method, path, app().admin(), null)
                .method(method, BodyPublishers.ofString(body))
                .header("Content-Type", type));
    }
}
