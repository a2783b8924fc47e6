package dev.sheaf.server.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Passwords are guessed only so often, and the page says so as the API does.
class SignInAttemptsTest extends OnNode {
    @Override
    Map<String, String> settings() {
        return Map.of("rate-failed-authentications", "3");
    }

    private HttpResponse<String> tried() {
        try (var browser = new PageClient(app().url())) {
            return browser.post(
                    "/login",
                    Map.of("_token", browser.token("/login"), "email", "limited@acme.test", "password", "wrong"));
        }
    }

    @Test
    void tooManyAreToldWithWhenToTryAgain() {
        var answer = tried();
        assertThat(answer.statusCode()).isEqualTo(401);
        for (int i = 0; i < 10 && answer.statusCode() == 401; i++) {
            answer = tried();
        }

        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
        assertThat(answer.body()).contains("value=\"limited@acme.test\"", "<h1>Sign in</h1>");
    }
}
