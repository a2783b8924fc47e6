package dev.sheaf.client.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.client.testing.TinySessions;
import dev.sheaf.model.key.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Sign-in on a device, with a registry that answers as in RFC 8628.
class DeviceLoginTest {
    private final TinyRegistry registry = TinyRegistry.start();
    private final TinySessions sessions = new TinySessions(registry);
    private final List<Duration> pauses = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @AfterEach
    void stop() {
        registry.close();
    }

    private DeviceLogin login() {
        return DeviceLogin.at(registry.url(), NetworkSettings.ofThisUser(), () -> now, wait -> {
            pauses.add(wait);
            now = now.plus(wait);
        });
    }

    private Session signIn() {
        try (var login = login()) {
            return login.await(login.begin(Scope.WRITE).orElseThrow());
        }
    }

    private static List<Duration> seconds(int... seconds) {
        return java.util.Arrays.stream(seconds).mapToObj(Duration::ofSeconds).toList();
    }

    @Test
    void whatThePersonIsAskedToDo() {
        try (var login = login()) {
            var waiting = login.begin(Scope.WRITE).orElseThrow();

            assertThat(waiting.userCode()).isEqualTo(TinySessions.CODE);
            assertThat(waiting.place()).isEqualTo(registry.url() + "/device");
            assertThat(waiting.placeWithCode()).isEqualTo(registry.url() + "/device?user_code=BCDF-GHJK");
            assertThat(waiting.toString()).doesNotContain("shd_device");
        }
    }

    @Test
    void asksAsOftenAsItMay() {
        sessions.refusing("authorization_pending", "slow_down", "authorization_pending");

        var session = signIn();

        assertThat(session.access().expose()).isEqualTo("access1");
        assertThat(session.accessEndsAt()).isEqualTo(now.plusSeconds(900));
        assertThat(session.toString()).doesNotContain("access1", "shr_1");
        assertThat(pauses).isEqualTo(seconds(5, 5, 10, 10));
    }

    @Test
    void aRegistryThatIsAwayForAMomentIsAskedLessOften() {
        registry.replaceOnce("/v1/oauth/token", exchange -> {
            new TinySessions(registry); // first: the next request comes as soon as this one is broken off
            exchange.close();
        });

        assertThat(signIn().refresh().expose()).isEqualTo("shr_1");
        assertThat(pauses).isEqualTo(seconds(5, 10));
    }

    @Test
    void aRefusalIsTheEnd() {
        sessions.refusing("access_denied");

        assertThatThrownBy(this::signIn)
                .isInstanceOf(SheafException.Unauthenticated.class)
                .hasMessage("because of access_denied");
        assertThat(registry.requests("/v1/oauth/token")).hasSize(1);
    }

    @Test
    void thereIsAnEndWhereNobodyDecides() {
        sessions.refusing("authorization_pending ".repeat(1000).split(" "));

        assertThatThrownBy(this::signIn)
                .isInstanceOf(SheafException.Unauthenticated.class)
                .hasMessageContaining("in time");
        assertThat(registry.requests("/v1/oauth/token")).hasSize(120); // ten minutes, each five seconds
    }

    @Test
    void aRegistryWithoutItIsNotAskedForACode() {
        registry.replace(
                "/.well-known/oauth-authorization-server",
                exchange -> TinyRegistry.problem(exchange, 404, "not-found", "no such page"));

        try (var login = login()) {
            assertThat(login.begin(Scope.READ)).isEmpty();
        }
        assertThat(registry.requests("/v1/")).isEmpty();
    }
}
