package dev.sheaf.server.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OAuthScenario;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.contract.OpenApi;
import dev.sheaf.server.testing.contract.OpenApi.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/// Every operation that takes a form, with forms that are none: refused in the words of OAuth, or on a page for
/// people, and never an error of the service. An operation that is added is tested by being described.
class BadFormsTest extends OnEveryStack {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
    private static final int TOO_BIG = 1 << 20;

    /// What an exchange reads beside the token itself.
    private static final List<String> EXCHANGED = List.of(
            "requested_token_type",
            "scope",
            "namespaces",
            "bundles",
            "cidrs",
            "expires_in",
            "resource",
            "audience",
            "subject_token_type",
            "subject_token");

    /// Values that are hard on parsers and databases, as they are sent.
    private static final List<String> HOSTILE = List.of(
            "%00",
            "a%00b",
            "%FF",
            "%C0%AF",
            "%ED%A0%80",
            "%F0%9F%98%80",
            "%E2%80%AE",
            "%0D%0A",
            "+",
            "%27%22%3B--",
            "*",
            "a".repeat(3_000),
            "99999999999999999999",
            "-1",
            "shf_",
            "shd_x",
            "shr_x",
            "eyJhbGciOiJub25lIn0.e30.",
            "a.b.c");

    /// The required fields of each form, with values that are taken or at least looked at.
    private static final Map<String, Map<String, String>> FORMS = Map.of(
            "getAccessToken",
            Map.of("grant_type", DEVICE, "device_code", "shd_none"),
            "beginDeviceGrant",
            Map.of("client_id", "sheaf"),
            "revokeAccessToken",
            Map.of("token", "none"),
            "introspectToken",
            Map.of("token", "none"),
            "signInForDevice",
            Map.of("user_code", "BBBB-BBBB", "email", "nobody@bad.test", "password", "four words make sense"),
            "takeCode",
            Map.of("totp", "123456"),
            "decideAboutDevice",
            Map.of("user_code", "BBBB-BBBB", "ticket", "none", "decision", "deny"));

    /// What the other kinds of a grant need beside `grant_type`.
    private static final Map<String, String> GRANTS =
            Map.of(DEVICE, "device_code", "refresh_token", "refresh_token", OAuthScenario.EXCHANGE, "subject_token");

    @TestFactory
    List<DynamicTest> everyOperationRefusesFormsThatAreNone() {
        var tests = new ArrayList<DynamicTest>();
        for (var operation : OpenApi.document().operations()) {
            JsonNode schema = operation
                    .node()
                    .path("requestBody")
                    .path("content")
                    .path(FORM)
                    .path("schema");
            if (!schema.isMissingNode() && !operation.path().startsWith("/v2/")) { // which V2TokensTest does
                assertThat(FORMS).as("a form for every operation").containsKey(operation.id());
                wrong(operation, schema)
                        .forEach((what, wrong) -> tests.add(
                                DynamicTest.dynamicTest(operation.id() + " " + what, () -> refuses(operation, wrong))));
                schema.get("properties")
                        .propertyNames()
                        .forEach(name -> tests.add(DynamicTest.dynamicTest(
                                operation.id() + " hostile " + name, () -> survives(operation, name))));
            }
        }
        assertThat(tests).hasSizeGreaterThan(70);
        return tests;
    }

    private record Wrong(String type, String body, Set<Integer> statuses) {}

    private Map<String, Wrong> wrong(Operation operation, JsonNode schema) {
        var good = Objects.requireNonNull(FORMS.get(operation.id()));
        var wrong = new LinkedHashMap<String, Wrong>();
        String whole = encoded(good);
        wrong.put("no field", new Wrong(FORM, "", Set.of(400)));
        wrong.put("broken encoding", new Wrong(FORM, whole + "&x=%zz", Set.of(400)));
        wrong.put("JSON", new Wrong("application/json", "{}", Set.of(415)));
        wrong.put("text", new Wrong("text/plain", whole, Set.of(415)));
        wrong.put("too big", new Wrong(FORM, whole + "&x=" + "a".repeat(TOO_BIG), Set.of(413)));
        schema.get("required").forEach(node -> {
            String name = node.stringValue();
            wrong.put(name + " absent", new Wrong(FORM, encoded(without(good, name)), Set.of(400)));
            wrong.put(name + " empty", new Wrong(FORM, encoded(without(good, name)) + "&" + name + "=", Set.of(400)));
        });
        schema.get("properties").propertyNames().forEach(name -> {
            if (good.containsKey(name)) {
                wrong.put(name + " twice", new Wrong(FORM, whole + "&" + name + "=b", Set.of(400)));
            }
        });
        if (operation.id().equals("getAccessToken")) {
            GRANTS.forEach((grant, needs) -> wrong.put(
                    needs + " of " + grant + " absent",
                    new Wrong(FORM, encoded(Map.of("grant_type", grant)), Set.of(400))));
            exchanges(wrong);
        }
        if (operation.id().equals("decideAboutDevice")) {
            wrong.put("neither yes nor no", new Wrong(FORM, whole.replace("deny", "maybe"), Set.of(400)));
        }
        return wrong;
    }

    /// An exchange that is good but for one field that it reads.
    private void exchanges(Map<String, Wrong> wrong) {
        String whole = encoded(Map.of(
                "grant_type",
                OAuthScenario.EXCHANGE,
                "subject_token",
                app().admin(),
                "subject_token_type",
                OAuthScenario.API_KEY));
        wrong.put("exchange with nothing wrong", new Wrong(FORM, whole, Set.of(200)));
        for (String name : EXCHANGED) {
            wrong.put("exchange with nonsense in " + name, new Wrong(FORM, whole + "&" + name + "=%26no", Set.of(400)));
            String again = "&" + name + "=read";
            wrong.put("exchange with two of " + name, new Wrong(FORM, whole + again + again, Set.of(400)));
        }
    }

    private static Map<String, String> without(Map<String, String> form, String name) {
        var less = new LinkedHashMap<>(form);
        less.remove(name);
        return less;
    }

    private static String encoded(Map<String, String> form) {
        return String.join(
                "&",
                form.entrySet().stream()
                        .map(field -> field.getKey() + "=" + field.getValue().replace(" ", "+"))
                        .toList());
    }

    private Reply send(Operation operation, String type, String body) {
        @Nullable
        String secret = operation.node().get("x-sheaf-scope").stringValue().equals("none") ? null : app().admin();
        return app().send(app().request("POST", operation.path(), secret, body).setHeader("Content-Type", type));
    }

    private void refuses(Operation operation, Wrong wrong) {
        var reply = send(operation, wrong.type(), wrong.body());

        assertThat(wrong.statuses()).as(reply.text()).contains(reply.status());
        if (reply.status() >= 400) {
            assertToldAsDescribed(operation, reply);
        }
    }

    private void survives(Operation operation, String name) {
        String whole = encoded(without(Objects.requireNonNull(FORMS.get(operation.id())), name));
        for (String value : HOSTILE) {
            var reply = send(operation, FORM, whole + "&" + name + "=" + value);
            assertThat(reply.status())
                    .as(name + "=" + value + ": " + reply.text())
                    .isLessThan(500);
            if (reply.status() >= 400) {
                assertToldAsDescribed(operation, reply);
            }
        }
    }

    @Test
    void whoBelongsNowhereKnowsNoTokens() {
        String person = app().person("nowhere@bad.test", null, null);

        var reply = app().form("/v1/oauth/introspect", person, "token", app().admin());

        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.text()).isEqualTo("{\"active\":false}");
    }

    private static void assertToldAsDescribed(Operation operation, Reply reply) {
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        if (operation.path().startsWith("/v1/oauth/")) {
            assertThat(reply.header("Content-Type")).isEqualTo("application/json");
            assertThat(reply.json().get("error").stringValue()).matches("[a-z_]+");
            String words = reply.json().get("error_description").stringValue();
            assertThat(words).isNotBlank().hasSizeLessThanOrEqualTo(800);
            assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(words)).isTrue();
        } else {
            assertThat(reply.header("Content-Type")).startsWith("text/html");
        }
    }
}
