package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/// Names that look like others, and such as would break out of a line: what identifies is ASCII, what is shown is
/// text like any other.
@SuppressWarnings("NullAway") // set by JUnit
class HostileNamesTest extends OnEveryStack {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String ORGANIZATION = "/v1/organizations/default";

    private String person;
    private int count;

    @Override
    public Map<String, String> settings() {
        return Map.of("max-live-keys", "1000");
    }

    @Override
    public void prepare() {
        person = app().person("names@acme.test", "default", "admin");
    }

    static Stream<String> hostile() {
        return Stream.of(
                "\u0430cme", // Cyrillic a
                "ac\u200bme", // zero width space
                "ac\u202eme", // right to left
                "\uff41\uff43\uff4d\uff45", // full width
                "acme\u0301", // combining accent
                "\u017faint", // long s, which is s in upper case
                "\u212aey", // Kelvin sign, which is k in lower case
                "acme\r\nSet-Cookie: a=b",
                "acme\n",
                "acme\u2028x",
                "acme\u0085x",
                "acme\u001b[2Jx",
                "acme\"><script>x",
                "acme%0d%0ax",
                "acme/../x",
                "ACME",
                "-acme",
                " acme");
    }

    private static String json(String... members) {
        var object = JSON.createObjectNode();
        for (int i = 0; i < members.length; i += 2) {
            object.put(members[i], members[i + 1]);
        }
        return object.toString();
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void whatIdentifiesIsRefused(String name) {
        var replies = List.of(
                app().post("/v1/organizations", app().admin(), json("handle", name, "name", "x")),
                app().post(ORGANIZATION + "/namespaces", app().admin(), json("handle", name)),
                app().send("PATCH", "/v1/users/me", person, json("username", name)));
        for (var reply : replies) {
            assertThat(reply.status()).as(reply.text()).isEqualTo(422);
            assertHarmless(reply);
        }
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void anAddressIsAsciiOnOneLine(String name) {
        String address = name + "@acme.test";
        var replies = List.of(
                app().post("/v1/admin/users", app().admin(), json("email", address, "fullName", "x")),
                app().post("/v1/admin/users", app().admin(), json("email", "x@" + name + ".test")),
                app().post(ORGANIZATION + "/invitations", app().admin(), json("email", address, "role", "reader")),
                app().post("/v1/sessions", null, json("email", address, "password", "x")));
        for (var reply : replies) {
            if (!List.of("ACME", "-acme", " acme", "acme%0d%0ax", "acme/../x").contains(name)) { // which are ASCII
                assertThat(reply.status()).as(reply.text()).isEqualTo(422);
            }
            assertHarmless(reply);
        }
    }

    /// Names for people come back as they were sent, escaped, in the body alone.
    @ParameterizedTest
    @MethodSource("hostile")
    void whatIsShownIsKeptAsText(String name) {
        String own = name + " " + ++count;
        var key = app().post(ORGANIZATION + "/api-keys", app().admin(), json("name", own, "description", own));
        String secret = key.json().get("key").stringValue();
        var namespace = app().post(
                        ORGANIZATION + "/namespaces",
                        app().admin(),
                        json("handle", "names-" + count, "displayName", own));
        var profile = app().send("PATCH", "/v1/users/me", person, json("fullName", own));
        var organization = app().send("PATCH", ORGANIZATION, app().admin(), json("name", own));

        assertThat(key.json().get("name").stringValue()).isEqualTo(own);
        assertThat(namespace.json().get("displayName").stringValue()).isEqualTo(own);
        assertThat(profile.json().get("fullName").stringValue()).isEqualTo(own);
        assertThat(organization.json().get("name").stringValue()).isEqualTo(own);
        for (var reply : List.of(
                key,
                namespace,
                profile,
                organization,
                app().get("/v1/me", secret),
                app().get("/v1/users/me", person),
                app().post(ORGANIZATION + "/api-keys", app().admin(), json("name", own)),
                app().get(ORGANIZATION + "/audit-log", app().admin()))) {
            assertThat(reply.status()).isIn(200, 201, 409);
            assertHarmless(reply);
        }
    }

    /// Nothing of a name is in a header, and no control character is bare in a body.
    private static void assertHarmless(Reply reply) {
        assertThat(reply.status()).isLessThan(500);
        assertThat(reply.response().headers().map().toString().replaceAll("Date=[^\\]]*", ""))
                .doesNotContain("a=b", "script", "\u0430", "\u202e", "\u001b");
        assertThat(reply.text().chars().filter(c -> c < ' ')).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0fficial", "adm1n", "ad-min", "adrnin", "5heaf", "v-1", "hub", "root"})
    void reservedNamesAreRefusedInDisguise(String name) {
        var organization = app().post("/v1/organizations", app().admin(), json("handle", name, "name", "x"));
        var namespace = app().post(ORGANIZATION + "/namespaces", app().admin(), json("handle", name));

        assertThat(organization.json().get("code").stringValue()).isEqualTo("name-reserved");
        assertThat(namespace.json().get("code").stringValue()).isEqualTo("name-reserved");
    }

    @Test
    void addressesThatDifferInCaseAreOneAccount() {
        app().post("/v1/admin/users", app().admin(), json("email", "Same@Acme.test"));

        var again = app().post("/v1/admin/users", app().admin(), json("email", "sAME@acme.TEST"));

        assertThat(again.status()).isEqualTo(409);
    }
}
