package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.client.testing.TinySessions;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Signing in with a browser, and out.
class LoginTest extends CommandLineFixture {
    private final TinySessions sessions = new TinySessions(registry).every(0);

    private String authorization(String path) {
        return registry.requests(path).getLast().headers().getFirst("Authorization");
    }

    @BeforeEach
    void onATerminal() {
        terminal = true;
    }

    @Test
    void onATerminalAnAddressAndACodeAreShown() {
        sessions.refusing("authorization_pending", "authorization_pending");

        var login = run("login");

        assertThat(login.status()).as(login.err()).isZero();
        assertThat(login.out()).isEmpty();
        assertThat(login.err())
                .contains(registry.url() + "/device?user_code=BCDF-GHJK", "type BCDF-GHJK", "as laptop of Acme")
                .doesNotContain("access1", "shr_1", "shd_device");
        run("whoami");
        assertThat(authorization("/v1/me")).isEqualTo("Bearer access1");
        environment.put("SHEAF_API_KEY", "shf_variable");
        run("whoami");
        assertThat(authorization("/v1/me")).isEqualTo("Bearer shf_variable");
    }

    @Test
    void withoutATerminalItMustBeAskedFor() {
        terminal = false;

        assertThat(run("login").status()).isEqualTo(2);
        assertThat(registry.requests("/v1/")).isEmpty();
        assertThat(run("login", "--device").status()).isZero();
        assertThat(run("login", "--device", "--key-stdin").status()).isEqualTo(2);
        assertThat(run("login", "--device", "--scope", "root").status()).isEqualTo(2);
    }

    @Test
    void whoIsRefusedIsNotLoggedIn() {
        sessions.refusing("access_denied");

        var login = run("login");

        assertThat(login.status()).isEqualTo(4);
        assertThat(login.err()).contains("because of access_denied");
        assertThat(folder.resolve("home")).doesNotExist();
    }

    @Test
    void aRegistryWithoutSignInAsksForAKey() {
        registry.replace(
                "/.well-known/oauth-authorization-server",
                exchange -> TinyRegistry.problem(exchange, 404, "not-found", "no such page"));

        var login = run("login", "--device");

        assertThat(login.status()).isEqualTo(2);
        assertThat(login.err()).contains("has no sign-in with a browser", "--key-stdin");
    }

    @Test
    void logoutEndsTheSessionAtTheRegistry() {
        run("login");

        var logout = run("logout");

        assertThat(logout.err()).contains("logged out of " + registry.url());
        assertThat(sessions.revoked()).containsExactly("shr_1");
        assertThat(run("logout").err()).contains("nothing was stored");
        run("whoami");
        assertThat(authorization("/v1/me")).isNull();
    }

    @Test
    void logoutSaysSoWhereTheRegistryIsAway() {
        run("login");
        Path session = folder.resolve("home/.local/share/sheaf/credentials/"
                + registry.url().authority().replace(':', '_') + "/session");
        assertThat(session).exists();
        registry.close();

        var logout = run("logout");

        assertThat(logout.status()).isEqualTo(9);
        assertThat(logout.err()).contains("forgotten here");
        assertThat(session).doesNotExist();
    }

    @Test
    void anotherLoginEndsTheSessionBeforeIt() {
        run("login");

        assertThat(runWith("shf_key", "login", "--key-stdin").status()).isZero();

        assertThat(sessions.revoked()).containsExactly("shr_1");
        run("whoami");
        assertThat(authorization("/v1/me")).isEqualTo("Bearer shf_key");
        assertThat(run("login").status()).isZero();
        run("whoami");
        assertThat(authorization("/v1/me")).isEqualTo("Bearer access2");
    }

    /// Who has no key is not told to use another one, nor of the scopes of keys.
    @Test
    void whoIsSignedInIsToldOfTheRole() {
        assertThat(run("login").status()).isZero();
        registry.replace(
                "/members",
                exchange -> TinyRegistry.problem(exchange, 403, "forbidden", "API key requires 'admin' scope"));

        var listed = run("members", "list");

        assertThat(listed.status()).as(listed.err()).isEqualTo(5);
        assertThat(listed.err())
                .as(listed.err())
                .contains(
                        "this session does not allow that: it needs the scope admin",
                        " --scope admin; if your role does")
                .doesNotContain("API key", "keys create");
    }
}
