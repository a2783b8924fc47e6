package dev.sheaf.server.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.identity.api.TotpScenario;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.contract.BadBodies;
import dev.sheaf.server.testing.contract.GoodBodies;
import dev.sheaf.server.testing.contract.JobTargets;
import dev.sheaf.server.testing.contract.OpenApi;
import dev.sheaf.server.testing.contract.OpenApi.Operation;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Every operation with a JSON body, with every wrong body that its schema in docs/openapi.yaml suggests: each
/// is refused with all that is wrong, and changes nothing. An operation that is added is tested by being
/// described.
@Tag("slow")
class BadBodiesTest extends OnEveryStack {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int SMALL = 1 << 20;
    private static final List<String> OTHER_TYPES = List.of(
            "text/plain",
            "application/xml",
            "application/x-www-form-urlencoded",
            "application/json-patch+json",
            "application/json-seq",
            "json",
            "*/*");

    private final Map<Target, Map<String, String>> states = new ConcurrentHashMap<>();

    /// @param secret of the caller; null: none
    private record Target(
            Operation operation,
            String namespace,
            String path,
            @Nullable String secret,
            JsonNode good) {}

    /// What the good bodies have asked for is not to change what is looked at.
    @Override
    public Map<String, String> settings() {
        return Map.of("webhooks", "false");
    }

    @TestFactory
    List<DynamicTest> everyOperationRefusesEveryWrongBody() {
        var tests = new ArrayList<DynamicTest>();
        int number = 0;
        states.clear();
        for (var operation : OpenApi.document().operations()) {
            JsonNode schema = schema(operation);
            if (schema != null && operation.path().startsWith("/v1/") && !isOfScanner(operation)) {
                var target = target(operation, "bad" + number++);
                for (var bad : sent(BadBodies.of(OpenApi.document().strict(schema), target.good()))) {
                    tests.add(DynamicTest.dynamicTest(operation.id() + " " + bad, () -> refuses(target, bad)));
                }
                wrongAsAWhole(target)
                        .forEach((what, wrong) -> tests.add(DynamicTest.dynamicTest(
                                operation.id() + " " + what, () -> refusesAsAWhole(target, wrong))));
                tests.add(DynamicTest.dynamicTest(
                        operation.id() + " has changed nothing", () -> assertNothingAtAllChanged(target)));
                tests.add(DynamicTest.dynamicTest(
                        operation.id() + " takes a good body, with a member more", () -> takesMore(target)));
            }
        }
        assertThat(tests).hasSizeGreaterThan(500);
        return tests;
    }

    /// All of them on SQLite. A body is refused before any database is asked, so that the others are sent each eighth.
    private List<BadBodies.Bad> sent(List<BadBodies.Bad> all) {
        return IntStream.range(0, all.size())
                .filter(i -> stack() == Stack.SQLITE || i % 8 == 0)
                .mapToObj(all::get)
                .toList();
    }

    private static @Nullable JsonNode schema(Operation operation) {
        JsonNode body = operation.node().get("requestBody");
        JsonNode content =
                body == null ? null : OpenApi.document().resolved(body).get("content");
        return content == null || !content.has("application/json")
                ? null
                : content.get("application/json").get("schema");
    }

    // --- what is there ---

    /// A bundle with two versions and a tag, in a namespace of its own.
    private Target target(Operation operation, String namespace) {
        app().push(namespace + "/notes", "1.0.0", "public", "one");
        app().push(namespace + "/notes", "1.1.0", "public", "two");
        String bundle = "/v1/namespaces/" + namespace + "/bundles/notes";
        for (String version : List.of("1.1.0", "1.0.0")) {
            String body = "{\"version\": \"" + version + "\"}";
            assertThat(app().send("PUT", bundle + "/tags/stable", app().admin(), body)
                            .status())
                    .isIn(200, 201);
        }
        String path = operation
                .path()
                .replace("{org_id}", "default")
                .replace("{namespace}", namespace)
                .replace("{bundle}", "notes")
                .replace("{version}", "1.0.0")
                .replace("{tag}", "stable")
                .replace("{path}", "SKILL.md");
        String id = app().get(bundle, app().admin()).json().get("id").stringValue();
        String secret = secret(operation);
        String body = people(operation, GoodBodies.of(operation).replace("BUNDLE_ID", id));
        if (isDecision(operation)) {
            secret = app().person(operation.id().toLowerCase(Locale.ROOT) + "@bad.test", "default", "admin");
            body = body.replaceFirst("sha256:[0-9a-f]{64}", held(namespace));
            path = path.replace("1.0.0", "2.0.0");
        }
        var jobs = new JobTargets(app(), namespace);
        String good = jobs.filled(TotpScenario.withCodes(app(), secret, instant(), body))
                .replace("NAMESPACE", namespace);
        path = jobs.filled(path);
        path = path.contains("{key_id}")
                ? path.replace("{key_id}", key(namespace))
                : path.contains("{webhook_id}")
                        ? path.replace("{webhook_id}", webhook())
                        : path.replace("{user_id}", member());
        return new Target(operation, namespace, path, secret, JSON.readTree(good));
    }

    /// Somebody who signed in, with a password of their own.
    private @Nullable String secret(Operation operation) {
        return switch (operation.node().get("x-sheaf-scope").asString("")) {
            case "person" -> app().person(operation.id().toLowerCase(Locale.ROOT) + "@bad.test", "default", "reader");
            case "none", "public-read" -> null;
            default -> app().admin();
        };
    }

    /// Its credential is the token of a question that a scanner got; ScannersApiTest sends wrong bodies with one.
    private static boolean isOfScanner(Operation operation) {
        return operation.id().equals("answerScan");
    }

    private static boolean isDecision(Operation operation) {
        return List.of("approveVersion", "rejectVersion").contains(operation.id());
    }

    /// Pushes version 2.0.0, which needs approval, and returns its digest.
    private String held(String namespace) {
        var policy = app().send("PUT", "/v1/namespaces/" + namespace + "/policy", app().admin(), """
                {"review": {"notBy": "nobody"}}""");
        assertThat(policy.status()).as(policy.text()).isEqualTo(200);
        return app().push(namespace + "/notes", "2.0.0", "public", "three")
                .as(HeldVersion.class)
                .digest();
    }

    private String key(String name) {
        return app().post("/v1/organizations/default/api-keys", app().admin(), "{\"name\": \"" + name + "\"}")
                .json()
                .get("id")
                .stringValue();
    }

    private String webhook() {
        String good = GoodBodies.of("createWebhook");
        return app().post("/v1/organizations/default/webhooks", app().admin(), good)
                .json()
                .get("id")
                .stringValue();
    }

    private String member() {
        return app().get("/v1/organizations/default/members", app().admin())
                .json()
                .at("/data/0/userId")
                .asString("none");
    }

    /// The body, with tokens that were handed out.
    private String people(Operation operation, String body) {
        return switch (operation.id()) {
            case "acceptInvitation" ->
                body.replace("INVITATION", token("/v1/organizations/default/invitations", """
                        {"email": "invited@bad.test", "role": "reader"}""", "token"));
            case "setPassword" -> body.replace("TICKET", token("/v1/admin/users", """
                        {"email": "ticket@bad.test"}""", "passwordToken"));
            case "signIn", "changeMember" -> {
                if (app().get("/v1/admin/users/somebody@bad.test", app().admin())
                                .status()
                        == 404) {
                    app().person("somebody@bad.test", "default", "reader");
                }
                yield body;
            }
            case "offerNamespace" -> {
                app().secondOrganization("taker");
                yield body;
            }
            default -> body;
        };
    }

    private String token(String path, String body, String member) {
        return app().post(path, app().admin(), body).json().get(member).stringValue();
    }

    private void remember(Target target) {
        states.computeIfAbsent(target, this::state);
    }

    private void assertNothingAtAllChanged(Target target) {
        assertThat(state(target)).isEqualTo(states.get(target));
    }

    private String read(String path) {
        var reply = app().get(path, app().admin());
        assertThat(reply.status()).isEqualTo(200);
        return reply.text().replaceAll(",\"lastUsed(At|From)\":\"[^\"]+\"", "");
    }

    /// All that the operations could have changed.
    private Map<String, String> state(Target target) {
        String bundle = "/v1/namespaces/" + target.namespace() + "/bundles/notes";
        var state = new LinkedHashMap<String, String>();
        for (String path : List.of(
                "/v1/namespaces/" + target.namespace() + "/bundles",
                bundle,
                bundle + "/versions",
                bundle + "/tags",
                bundle + "/tags/stable/history",
                bundle + "/assets",
                "/v1/organizations/default/usage",
                "/v1/organizations/default/api-keys?limit=100",
                "/v1/organizations/default/key-policy",
                "/v1/organizations/default/members",
                "/v1/organizations/default/invitations",
                "/v1/organizations/default/transfers",
                "/v1/organizations/default/trusted-publishers",
                "/v1/organizations/default/webhooks",
                "/v1/organizations/default/habitats",
                "/v1/organizations/default/queues",
                "/v1/organizations/default/routes",
                "/v1/organizations/default/jobs",
                "/v1/organizations/default/workers",
                "/v1/admin/tasks")) {
            state.put(path, read(path));
        }
        return state;
    }

    // --- what is sent ---

    private Reply send(Target target, String type, byte[] body) {
        var request = app().request(target.operation().method().name(), target.path(), target.secret(), null)
                .method(target.operation().method().name(), BodyPublishers.ofByteArray(body));
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        return app().send(request);
    }

    private void refuses(Target target, BadBodies.Bad bad) {
        remember(target);
        var reply = send(target, "application/json", bad.json().getBytes(StandardCharsets.UTF_8));

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        var told = new TreeSet<String>();
        reply.json().get("errors").forEach(error -> {
            assertThat(error.get("field")).isEqualTo(error.get("pointer"));
            assertThat(error.get("message")).isEqualTo(error.get("detail"));
            String detail = error.get("detail").stringValue();
            if (!detail.contains("cannot be sent together") && !detail.contains("are required, or \"")) {
                told.add(error.get("pointer").stringValue());
            }
        });
        assertThat(bad.pointers())
                .as(reply.text())
                .allSatisfy(pointer ->
                        assertThat(told).anyMatch(one -> one.equals(pointer) || one.startsWith(pointer + "/")));
        assertThat(told)
                .as("no error of what is right: " + reply.text())
                .allMatch(one -> bad.pointers().stream().anyMatch(one::startsWith));
    }

    /// @param statuses of which the answer has one
    private record Wrong(String type, byte[] body, Set<Integer> statuses) {}

    private static Map<String, Wrong> wrongAsAWhole(Target target) {
        String good = target.good().toString();
        var wrong = new LinkedHashMap<String, Wrong>();
        for (String other : List.of("[]", "7", "\"text\"", "null", "true", "[" + good + "]")) {
            wrong.put("body " + abridged(other), new Wrong("application/json", bytes(other), Set.of(422)));
        }
        boolean optional = !OpenApi.document()
                .resolved(target.operation().node().get("requestBody"))
                .path("required")
                .asBoolean(false);
        for (String broken : List.of(
                good.substring(0, good.length() - 1),
                good + "x",
                good + good,
                "{a: 1}",
                "{\"a\": 01}",
                "{'a': 1}",
                " ",
                "{\"a\": NaN}",
                good.replaceFirst("\\{", "{\"a\": 1, \"a\": 2, "),
                "\ufeff" + good,
                "{\"a\": ".repeat(2_000) + "1" + "}".repeat(2_000),
                "[".repeat(100_000))) {
            boolean tooMuch = target.operation().id().equals("signIn") && broken.length() > 16 << 10;
            var statuses = tooMuch ? Set.of(413) : Set.of(400);
            wrong.put("broken " + abridged(broken), new Wrong("application/json", bytes(broken), statuses));
        }
        wrong.put("no body", new Wrong("application/json", new byte[0], optional ? Set.of() : Set.of(400, 422)));
        wrong.put("Latin-1", new Wrong("application/json", latin1("{\"a\": \"\u00e9\", "), Set.of(400)));
        wrong.put("broken UTF-8", new Wrong("application/json", latin1("{\"a\": \"\u00c0\u0080\"}"), Set.of(400)));
        wrong.put("UTF-16", new Wrong("application/json", good.getBytes(StandardCharsets.UTF_16), Set.of(400)));
        if (!target.operation().id().equals("putAsset")) { // where any other type is the content itself
            for (String type : OTHER_TYPES) {
                wrong.put("type " + type, new Wrong(type, bytes(good), Set.of(415)));
            }
        }
        wrong.put("too big", new Wrong("application/json", bytes(tooBig(target)), Set.of(413)));
        wrong.entrySet().removeIf(entry -> entry.getValue().statuses().isEmpty());
        return wrong;
    }

    /// A good body but for its size, in a member that nobody knows.
    private static String tooBig(Target target) {
        int size = switch (target.operation().id()) {
            case "pushBundle" -> 64 * SMALL;
            case "putAsset" -> 26 * SMALL;
            default -> SMALL;
        };
        return target.good().toString().replaceFirst("\\{", "{\"unknown\": \"" + "a".repeat(size) + "\", ");
    }

    private static String abridged(String text) {
        return text.length() <= 30 ? text : text.substring(0, 12) + "…" + text.substring(text.length() - 12);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private void refusesAsAWhole(Target target, Wrong wrong) {
        remember(target);
        var reply = send(target, wrong.type(), wrong.body());

        assertThat(wrong.statuses()).as(reply.text()).contains(reply.status());
    }

    /// Unknown members are for clients of tomorrow (contract 1.1), but where a misspelt one would open a door,
    /// such as a key that never ends.
    private void takesMore(Target target) {
        String more = "{\"unknown\": {\"a\": [1]}" + (target.good().isEmpty() ? "" : ", ");
        String body = target.good().toString().replaceFirst("\\{", Matcher.quoteReplacement(more));

        var reply = send(target, "application/json", bytes(body));

        if (isClosed(target.operation())) {
            assertThat(reply.status()).isEqualTo(422);
            assertThat(reply.json().at("/errors/0/pointer").stringValue()).isEqualTo("/unknown");
            reply = send(target, "application/json", bytes(target.good().toString()));
        }
        assertThat(reply.status()).as(reply.text()).isBetween(200, 299);
        if (target.operation().method() == RouteMethod.POST && reply.status() != 204) {
            assertThat(reply.text()).isNotEmpty();
        }
    }

    private static boolean isClosed(Operation operation) {
        JsonNode schema = OpenApi.document().resolved(Objects.requireNonNull(schema(operation)));
        return !schema.path("additionalProperties").asBoolean(true)
                || !schema.path("unevaluatedProperties").asBoolean(true);
    }
}
