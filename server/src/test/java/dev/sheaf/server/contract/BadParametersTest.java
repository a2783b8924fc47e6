package dev.sheaf.server.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.OneStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.contract.OpenApi;
import dev.sheaf.server.testing.contract.OpenApi.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/// Every parameter of a path or a query in docs/openapi.yaml with values that are none: refused by name where it is
/// known what they should be, and never an error of the service.
@OneStack
@Tag("slow")
class BadParametersTest extends OnEveryStack {
    private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");
    private static final int MARK = 16; // what a cursor begins with

    private static final List<String> NO_LIMITS = List.of(
            "", "0", "-1", "abc", "1.5", "1e2", "0x10", "+5", "99999999999999999999", "%20", "%31%20", "%D9%A1");
    private static final List<String> NO_CURSORS =
            List.of("", "junk", "!!!", "%00", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "%C3%A9", "a".repeat(5_000));
    /// Texts that nothing is called, which are hard on parsers and databases.
    private static final List<String> HOSTILE = List.of(
            "%00",
            "a%00b",
            "%FF",
            "%C0%AF",
            "%ED%A0%80",
            "%F0%9F%98%80",
            "%E2%80%AE",
            "a".repeat(3_000),
            "%27%22%3B--",
            "%25%5F%5C",
            "*",
            "%2E%2E%2F%2E%2E",
            "%0A%0D",
            "%2B999999999-12-31T23:59:59Z",
            "-999999999-01-01T00:00:00Z",
            "99999999999999999999.0.0",
            "%5E%7C%7C%5E");
    /// Parameters that do not change which entries a list has.
    private static final List<String> NO_FILTERS = List.of("limit", "cursor", "facets", "skills");

    private static final List<String> NO_KEYS =
            List.of("", "\0", "zzz", "-1", "9".repeat(30), "\u00e9\ud83d\ude00", "' OR 1=1", "a/b/c", "\n");
    /// A value that each filter takes, other than none.
    private static final Map<String, String> FILTERS = Map.ofEntries(
            Map.entry("q", "notes"),
            Map.entry("visibility", "public"),
            Map.entry("state", "active"),
            Map.entry("order", "created"),
            Map.entry("version", "1.0.0"),
            Map.entry("type", "skill"),
            Map.entry("asset_type", "skill"),
            Map.entry("sort", "recent"),
            Map.entry("namespace", "acme"),
            Map.entry("bundle", "acme/notes"),
            Map.entry("category", "devops"),
            Map.entry("license", "MIT"),
            Map.entry("tool", "Bash"),
            Map.entry("signed", "true"),
            Map.entry("clean", "true"),
            Map.entry("workflow", "true"),
            Map.entry("scripts", "some"),
            Map.entry("actor", "key:1"),
            Map.entry("action", "a.b"),
            Map.entry("subject", "a"),
            Map.entry("outcome", "success"),
            Map.entry("requestId", "r"),
            Map.entry("since", "2020-01-01T00:00:00Z"),
            Map.entry("until", "2030-01-01T00:00:00Z"),
            Map.entry("by", "credential"),
            Map.entry("from", "2020-01-01"),
            Map.entry("to", "2020-01-01"),
            Map.entry("list", "old-versions"),
            Map.entry("jobType", "t"),
            Map.entry("createdAfter", "2020-01-01T00:00:00Z"),
            Map.entry("createdBefore", "2030-01-01T00:00:00Z"),
            Map.entry("workerId", "01900000-0000-7000-8000-000000000000"),
            Map.entry("habitatId", "01900000-0000-7000-8000-000000000000"),
            Map.entry("habitat_id", "01900000-0000-7000-8000-000000000000"),
            Map.entry("listQueues status", "active"),
            Map.entry("listRunnerQueues status", "active"),
            Map.entry("errorCode", "exit_1"),
            Map.entry("status", "queued"),
            Map.entry("seq", "1"));

    private String person = "";
    private final Map<String, String> cursors = new HashMap<>();

    @TestFactory
    List<DynamicTest> everyParameter() {
        person = app().person("parameters@bad.test", "default", "reader");
        app().push("acme/notes", "1.0.0", "public", "one");
        app().push("acme/notes", "1.1.0", "public", "two");
        app().push("acme/other", "1.0.0", "public", "one");
        app().push("beta/notes", "1.0.0", "public", "one");
        app().key("second", "read");
        String assets = "/v1/namespaces/acme/bundles/notes/assets/";
        assertThat(app().send("PUT", assets + "b.md", app().admin(), "{\"contentText\": \"b\"}")
                        .status())
                .isEqualTo(201);
        String tags = "/v1/namespaces/acme/bundles/notes/tags/";
        for (String version : List.of("1.0.0", "1.1.0")) {
            app().send("PUT", tags + "stable", app().admin(), "{\"version\": \"" + version + "\"}");
        }
        for (String version : List.of("1.0.0", "1.1.0")) {
            app().get("/v1/namespaces/acme/bundles/notes/versions/" + version + ":pull", app().admin());
        }
        app().countDownloads();
        jobs();
        var tests = new ArrayList<DynamicTest>();
        for (var operation : OpenApi.document().operations()) {
            if (operation.path().startsWith("/v1/")) {
                path(operation, tests);
                if (operation.method() == RouteMethod.GET) {
                    query(operation, tests);
                }
            }
        }
        assertThat(cursors).as("lists with more than a page of one").hasSizeGreaterThan(18);
        cursors.keySet().forEach(id -> foreign(id, tests));
        return tests;
    }

    /// Two of each, in the queue `work`.
    private void jobs() {
        String own = "/v1/organizations/default";
        String queue = own + "/queues/work";
        for (String name : List.of("work", "more")) {
            made(own + "/habitats", "{\"name\": \"" + name + "\"}");
            made(own + "/queues", "{\"name\": \"" + name + "\"}");
            made(queue + "/instructions", "{\"name\": \"i\", \"template\": \"Do it.\"}");
            made(queue + "/schedules", "{\"cron\": \"30 2 * * *\"}");
            made(queue + "/jobs", "{}");
            String id = app().get(queue, app().admin()).json().get("id").stringValue();
            made(own + "/routes", """
                    {"name": "r", "eventTypes": ["blob.damaged"], "queueId": "%s"}""".formatted(id));
            String habitat = app().get(own + "/habitats/work", app().admin())
                    .json()
                    .get("id")
                    .stringValue();
            made("/v1/runner/workers:register", """
                    {"instanceId": "%s", "workerType": "t", "habitatId": "%s"}""".formatted(name, habitat));
        }
    }

    private void made(String path, String body) {
        var reply = app().post(path, app().admin(), body);
        assertThat(reply.status()).as(path + ": " + reply.text()).isEqualTo(201);
    }

    private Reply get(String path) {
        var reply = app().get(path, path.matches("/v1/(sessions|users/me|hub/me/stars).*") ? person : app().admin());
        assertThat(reply.status()).as(path + ": " + reply.text()).isLessThan(500);
        return reply;
    }

    // --- paths ---

    private static String filled(String template) {
        return template.replace("{org_id}", "default")
                .replace("{namespace}", "acme")
                .replace("{bundle}", "notes")
                .replace("{version}", "1.0.0")
                .replace("{tag}", "stable")
                .replace("{path}", "SKILL.md")
                .replace("{habitat_id}", "work")
                .replace("{queue_id}", "work")
                .replace("{digest}", "sha256:" + "0".repeat(64))
                .replaceAll("\\{[a-z]+_id}", "01900000-0000-7000-8000-000000000000");
    }

    private void path(Operation operation, List<DynamicTest> tests) {
        var names = PARAMETER
                .matcher(operation.path())
                .results()
                .map(found -> found.group(1))
                .toList();
        for (String name : names) {
            tests.add(DynamicTest.dynamicTest(operation.id() + " {" + name + "}", () -> {
                for (String value : HOSTILE) {
                    String path = filled(operation.path().replace("{" + name + "}", value));
                    if (operation.method() == RouteMethod.GET) {
                        get(path);
                    } else if (!mayBe(name, value)) {
                        String body = operation.method() == RouteMethod.DELETE ? null : "{}";
                        var reply = app().send(operation.method().name(), path, app().admin(), body);
                        assertThat(reply.status())
                                .as(path + ": " + reply.text())
                                .isBetween(400, 499);
                    }
                }
            }));
        }
    }

    /// Paths of assets and selectors may be nearly anything.
    private static boolean mayBe(String name, String value) {
        return List.of("path", "version").contains(name) && !value.startsWith("%00");
    }

    // --- queries ---

    private void query(Operation operation, List<DynamicTest> tests) {
        String path = filled(operation.path());
        var parameters = parameters(operation);
        String needed = operation.id().equals("diffVersions") ? "to=1.1.0&" : "";
        parameters.forEach((name, schema) -> tests.add(DynamicTest.dynamicTest(
                operation.id() + " ?" + name,
                () -> query(path + "?" + (name.equals("to") ? "" : needed), name, schema))));
        if (parameters.containsKey("cursor")) {
            var page = get(path + "?limit=1");
            JsonNode cursor = page.json().at("/meta/nextCursor");
            if (cursor.isString()) {
                cursors.put(operation.id(), cursor.stringValue());
            }
        }
    }

    private static Map<String, JsonNode> parameters(Operation operation) {
        var parameters = new LinkedHashMap<String, JsonNode>();
        operation.node().path("parameters").forEach(reference -> {
            JsonNode parameter = OpenApi.document().resolved(reference);
            if (parameter.get("in").stringValue().equals("query")) {
                parameters.put(
                        parameter.get("name").stringValue(), OpenApi.document().strict(parameter.get("schema")));
            }
        });
        return parameters;
    }

    private void query(String path, String name, JsonNode schema) {
        switch (name) {
            case "limit" -> NO_LIMITS.forEach(value -> refused(path, name, value));
            case "cursor" -> NO_CURSORS.forEach(value -> notACursor(path + "cursor=" + value));
            default -> {
                for (String value : HOSTILE) {
                    get(path + name + "=" + value);
                    get(path + name + "=" + value + "&" + name + "=b");
                }
                get(path + name + "=");
                get(path + name);
                if (schema.has("enum")
                        || schema.has("format")
                        || schema.path("type").asString("").equals("boolean")) {
                    refused(path, name, "nonsense");
                }
                if (schema.has("pattern")) {
                    refused(path, name, "no%20such%20%26%20thing");
                }
                if (schema.has("maxLength")) {
                    refused(path, name, "a".repeat(schema.get("maxLength").intValue() + 1));
                }
            }
        }
    }

    private void refused(String path, String name, String value) {
        var reply = get(path + name + "=" + value);
        assertThat(reply.status()).as(name + "=" + value + ": " + reply.text()).isEqualTo(422);
        assertThat(reply.json().get("errors")).anySatisfy(error -> {
            assertThat(error.get("parameter").stringValue()).isEqualTo(name);
            assertThat(error.get("field").stringValue()).isEqualTo(name);
            assertThat(error.get("pointer").stringValue()).isEmpty();
        });
    }

    private void notACursor(String path) {
        var reply = get(path);
        assertThat(reply.status()).as(path + ": " + reply.text()).isEqualTo(400);
        assertThat(reply.json().get("code").stringValue()).isEqualTo("invalid-cursor");
    }

    /// A cursor is good for its own list with its own filters; with a key that was never there it is at least no
    /// error of the service.
    private void foreign(String id, List<DynamicTest> tests) {
        var operation = OpenApi.document().operation(id);
        String path = filled(operation.path());
        tests.add(DynamicTest.dynamicTest(id + " with cursors of others", () -> {
            cursors.forEach((other, cursor) -> {
                if (other.equals(id)) {
                    assertThat(get(path + "?cursor=" + cursor).status()).isEqualTo(200);
                } else {
                    notACursor(path + "?cursor=" + cursor);
                }
            });
            for (String name : parameters(operation).keySet()) {
                if (!NO_FILTERS.contains(name)) {
                    String value = FILTERS.getOrDefault(id + " " + name, FILTERS.get(name));
                    assertThat(value).as("a value of every filter: " + name).isNotNull();
                    notACursor(path + "?" + name + "=" + value + "&cursor=" + cursors.get(id));
                }
            }
            String mark = new String(Base64.getUrlDecoder().decode(cursors.get(id)), StandardCharsets.UTF_8)
                    .substring(0, MARK);
            for (String key : NO_KEYS) {
                byte[] forged = (mark + key).getBytes(StandardCharsets.UTF_8);
                assertThat(get(path + "?cursor="
                                        + Base64.getUrlEncoder()
                                                .withoutPadding()
                                                .encodeToString(forged))
                                .status())
                        .isIn(200, 400);
            }
        }));
    }
}
