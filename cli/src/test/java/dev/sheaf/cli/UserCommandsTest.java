package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.testing.TinyRegistry;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// The commands about people's accounts, as an administrator runs them.
class UserCommandsTest extends CommandLineFixture {
    private static final String USER = """
            {"id": "01900000-0000-7000-8000-000000000007", "email": "ada@example.org\\u001b", "username": "ada",
             "state": "%s", "totpEnabled": false, "createdAt": "2030-01-01T00:00:00Z",
             "organizations": [{"id": "01900000-0000-7000-8000-000000000001", "handle": "acme", "name": "Acme",
                                "role": "owner"}]}""";

    private void answering(String path, int status, String json) {
        registry.replace(path, exchange -> TinyRegistry.send(exchange, status, json.getBytes(StandardCharsets.UTF_8)));
    }

    private static String ticket(String state) {
        return """
                {"user": %s, "passwordToken": "shp_secret", "passwordTokenExpiresAt": "2030-01-04T00:00:00Z"}""".formatted(USER.formatted(state));
    }

    @Test
    void aTokenStandsAloneOnStandardOutput() {
        answering("/v1/admin/users", 201, ticket("invited"));

        var created = run("admin", "user", "create", "--email", "ada@example.org", "--organization", "acme");

        assertThat(created.status()).as(created.err()).isZero();
        assertThat(created.out()).isEqualTo("shp_secret\n");
        assertThat(created.err()).contains("until 2030-01-04T00:00:00Z").doesNotContain("shp_secret", "\u001b");
    }

    @Test
    void anAccountIsSwitchedAndReset() {
        answering(":disable", 200, USER.formatted("disabled"));
        answering(":enable", 200, USER.formatted("active"));
        answering(":removeTotp", 200, USER.formatted("active"));
        answering(":resetPassword", 200, ticket("active"));

        assertThat(run("admin", "user", "disable", "ada@example.org").err()).contains("is disabled");
        assertThat(run("admin", "user", "enable", "ada@example.org").err()).contains("is active");
        assertThat(run("admin", "user", "remove-totp", "ada@example.org").err()).contains("without an authenticator");
        assertThat(run("admin", "user", "reset-password", "ada@example.org").out())
                .isEqualTo("shp_secret\n");
    }

    @Test
    void accountsAreListed() {
        answering("/v1/admin/users", 200, "{\"data\": [" + USER.formatted("active") + "], \"meta\": {}}");

        var listed = run("admin", "user", "list");

        assertThat(listed.status()).as(listed.err()).isZero();
        assertThat(listed.out()).contains("ada@example.org", "acme (owner)").doesNotContain("\u001b");
    }
}
