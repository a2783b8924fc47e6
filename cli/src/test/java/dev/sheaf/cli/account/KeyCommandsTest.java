package dev.sheaf.cli.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.CommandLineFixture;
import dev.sheaf.client.testing.TinyRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The commands about keys, as a person runs them.
class KeyCommandsTest extends CommandLineFixture {
    @Test
    void aNewKeyStandsAloneOnStandardOutput() {
        var created = run("keys", "create", "ci", "--scope", "write", "--expires-in", "P90D");
        var listed = run("keys", "list");
        String id = Objects.requireNonNull(
                        listed.out().lines().skip(1).findFirst().orElse(null))
                .split(" ")[0];
        var revoked = run("keys", "revoke", id, "--yes");

        assertThat(created.out()).isEqualTo(TinyRegistry.KEY + "\n");
        assertThat(created.err()).contains("(ci) with the scope write").doesNotContain(TinyRegistry.KEY);
        assertThat(listed.out()).contains("ci", "write", "active").doesNotContain(TinyRegistry.KEY);
        assertThat(revoked.status()).isZero();
        assertThat(run("keys", "list", "--json").out()).isEqualTo("[ ]\n");
    }

    private static final String KEY = """
            {"id": "01900000-0000-7000-8000-000000000009", "organizationId": "01900000-0000-7000-8000-000000000001",
             "name": "ci\\u001b", "scopes": ["write"], "hint": "shf_…0000", "state": "%s",
             "createdAt": "2030-01-01T00:00:00Z", "restrictions": {"bundles": ["acme/*"]}%s}""";

    /// What was asked for, and how it is answered.
    private List<TinyRegistry.Seen> answering(String path, int status, String json) {
        registry.replace(path, exchange -> TinyRegistry.send(exchange, status, json.getBytes(StandardCharsets.UTF_8)));
        return registry.requests(path);
    }

    @Test
    void aRotatedKeyStandsAloneOnStandardOutput() {
        String id = "01900000-0000-7000-8000-000000000009";
        answering(id + ":rotate", 201, KEY.formatted("active", ", \"key\": \"" + TinyRegistry.KEY + "\""));

        var rotated = run("keys", "rotate", id, "--overlap", "P7D");

        assertThat(rotated.status()).isZero();
        assertThat(rotated.out()).isEqualTo(TinyRegistry.KEY + "\n");
        assertThat(rotated.err()).contains("replaced by " + id).doesNotContain(TinyRegistry.KEY, "\u001b");
    }

    @Test
    void aKeyIsShownDisabledAndEnabled() {
        String id = "01900000-0000-7000-8000-000000000009";
        answering(id, 200, KEY.formatted("disabled", ""));

        var shown = run("keys", "show", id);
        var disabled = run("keys", "disable", id);
        var enabled = run("keys", "enable", id);

        assertThat(shown.out())
                .contains("disabled", "write", "acme/*", "shf_…0000")
                .doesNotContain("\u001b");
        assertThat(disabled.err()).contains("disabled the key " + id);
        assertThat(enabled.err()).contains("enabled the key " + id);
        assertThat(registry.requests(id).stream().map(TinyRegistry.Seen::method))
                .containsExactly("GET", "PATCH", "PATCH");
    }

    @Test
    void theListIsAskedForABundleAndTheOwnKeyEndsItself() {
        answering("/v1/api-keys/current", 204, "");

        var listed = run("keys", "ls", "--bundle", "acme/kit", "--state", "active");
        var revoked = run("keys", "revoke", "--current", "--yes");

        assertThat(listed.status()).isZero();
        assertThat(registry.requests("/api-keys").getFirst().query())
                .contains("state=active", "bundle=acme")
                .contains("kit");
        assertThat(revoked.status()).as(revoked.err()).isZero();
    }

    @Test
    void thePolicyIsShownAndSetMemberByMember() {
        answering("/key-policy", 200, "{\"maxExpiry\": \"P365D\"}");

        var shown = run("keys", "policy");
        var set = run("keys", "policy", "--default", "P90D");

        assertThat(shown.out()).contains("as long as allowed", "P365D");
        assertThat(set.status()).isZero();
        assertThat(registry.requests("/key-policy").stream().map(TinyRegistry.Seen::method))
                .containsExactly("GET", "GET", "PUT");
    }

    @Test
    void whoamiTellsWhatTheKeyMayDo() {
        answering("/v1/me", 200, """
                {"credentialType": "api_key", "credentialId": "01900000-0000-7000-8000-000000000009",
                 "credentialName": "ci", "hint": "shf_…0000", "namespaces": [{"handle": "acme", "displayName": "Acme"}],
                 "organization": {"id": "01900000-0000-7000-8000-000000000001", "handle": "acme", "name": "Acme"},
                 "runnerId": "01900000-0000-7000-8000-000000000009", "scope": "write", "scopes": ["read", "write"],
                 "grant": "all", "expiresAt": "2030-01-01T00:00:00Z", "rateLimit": {"tier": "credential"}}""");

        assertThat(run("whoami").out()).contains("ci (api key)", "Acme (acme)", "read, write", "2030-01-01");
        assertThat(run("whoami", "--json").out()).contains("\"credentialName\" : \"ci\"");
    }

    private void twoKeys(String second, String state) {
        answering("/api-keys", 200, """
                {"data": [%s, %s], "meta": {"hasMore": false}}""".formatted(
                        KEY.formatted("active", "").replace("\\u001b", ""),
                        KEY.formatted(state, "").replace("ci\\u001b", second).replace("000000000009", "00000000000a")));
    }

    @Test
    void aKeyIsMeantByItsNameOrTheEndOfItsId() {
        twoKeys("ci", "revoked");

        assertThat(run("keys", "revoke", "ci", "--yes").err()).contains("revoked the key ci");
        assertThat(run("keys", "revoke", "…00000000000a", "--yes").status()).isZero();
        assertThat(registry.requests("/api-keys/").stream().map(TinyRegistry.Seen::path))
                .allMatch(path -> path.endsWith("000000000009") || path.endsWith("00000000000a"))
                .hasSize(2);
        var none = run("keys", "revoke", "nightly", "--yes");
        assertThat(none.status()).isEqualTo(3);
        assertThat(none.err()).contains("no key has the name or id nightly");
    }

    @Test
    void aNameOfTwoKeysIsNotEnough() {
        twoKeys("ci", "active");

        var refused = run("keys", "revoke", "ci", "--yes");

        assertThat(refused.status()).isEqualTo(6);
        assertThat(refused.err()).contains("2 keys match ci; use the id of one of them: 01900000-");
        assertThat(registry.requests("/api-keys/")).isEmpty();
    }
}
