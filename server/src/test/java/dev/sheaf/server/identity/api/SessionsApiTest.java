package dev.sheaf.server.identity.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.SessionView;
import dev.sheaf.model.wire.account.SignedIn;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Sessions of people over HTTP (contract 5.3).
class SessionsApiTest extends OnEveryStack {
    private static final String REFRESH = "/v1/sessions/current:refresh";

    private Reply signIn(String email) {
        if (app().get("/v1/admin/users/" + email, app().admin()).status() == 404) {
            app().person(email, "default", "reader");
        }
        var reply = app().signIn(email, TestApp.PASSWORD);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private static String token(Reply reply) {
        return reply.as(SignedIn.class).accessToken();
    }

    private static String cookie(Reply reply) {
        String line = reply.header("Set-Cookie");
        return line.substring(0, line.indexOf(';'));
    }

    private Reply refresh(String cookie) {
        return app().send(app().request("POST", REFRESH, null, null).header("Cookie", cookie));
    }

    private int me(String token) {
        return app().get("/v1/users/me", token).status();
    }

    @Test
    void aSessionIsAnAccessTokenAndACookieThatNoScriptReads() {
        var reply = signIn("first@acme.test");

        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(reply.as(SignedIn.class).tokenType()).isEqualTo("Bearer");
        assertThat(reply.as(SignedIn.class).expiresIn()).isBetween(890L, 900L);
        assertThat(reply.json().propertyNames())
                .containsExactlyInAnyOrder("accessToken", "expiresIn", "sessionId", "tokenType");
        assertThat(reply.header("Set-Cookie"))
                .matches(
                        "sheaf_refresh=shr_[\\w-]{75}; Path=/v1/sessions; Max-Age=60\\d{4}; HttpOnly; SameSite=Strict");
        var me = app().get("/v1/users/me", token(reply)).as(User.class);
        assertThat(me.email()).isEqualTo("first@acme.test");
        assertThat(me.username()).isEqualTo("first");
        assertThat(me.organizations().getFirst().role()).isEqualTo("reader");
    }

    @Test
    void nothingOfATokenOrAPasswordIsStored() {
        var reply = signIn("stored@acme.test");

        var stored = app().database()
                .read(tx -> tx.handle()
                                .createQuery("SELECT * FROM session")
                                .mapToMap()
                                .list()
                                .toString()
                        + tx.handle()
                                .createQuery("SELECT * FROM account")
                                .mapToMap()
                                .list()
                        + tx.handle()
                                .createQuery("SELECT * FROM audit")
                                .mapToMap()
                                .list());

        assertThat(stored)
                .containsPattern("\\$argon2id\\$v=19\\$m=\\d+,t=2,p=1\\$")
                .doesNotContain(TestApp.PASSWORD, cookie(reply).substring(40, 80), token(reply));
    }

    @ParameterizedTest
    @CsvSource({"known@acme.test, a wrong password", "unknown@acme.test, a password for tests", "known@acme.test, x"})
    void refusedSignInsLookAlike(String email, String password) {
        signIn("known@acme.test");

        var reply = app().signIn(email, password);

        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.header("Set-Cookie")).isEmpty();
        assertThat(reply.text()).contains("the e-mail address is unknown here, or the password is wrong");
    }

    @Test
    void anAddressIsFoundHoweverItIsWritten() {
        signIn("case@acme.test");

        assertThat(app().signIn("  CASE@Acme.test ", TestApp.PASSWORD).status()).isEqualTo(200);
    }

    @Test
    void aRefreshReplacesTheCookieAndTheTokenGoesOnWorking() {
        var first = signIn("refresh@acme.test");

        var second = refresh(cookie(first));

        assertThat(second.status()).isEqualTo(200);
        assertThat(cookie(second)).isNotEqualTo(cookie(first));
        assertThat(second.as(SignedIn.class).sessionId())
                .isEqualTo(first.as(SignedIn.class).sessionId());
        assertThat(List.of(me(token(first)), me(token(second)))).containsOnly(200);
    }

    @Test
    void aTokenThatIsUsedAgainEndsTheSession() {
        var first = signIn("reuse@acme.test");
        var second = refresh(cookie(first));
        pass(Duration.ofSeconds(11));

        var again = refresh(cookie(first));

        assertThat(again.status()).isEqualTo(401);
        assertThat(again.text()).contains("was already used");
        assertThat(refresh(cookie(second)).status()).isEqualTo(401);
        assertThat(List.of(me(token(first)), me(token(second)))).containsOnly(401);
    }

    @Test
    void aTokenFromLongBeforeEndsTheSessionToo() {
        var first = signIn("older@acme.test");
        var third = refresh(cookie(refresh(cookie(first))));

        assertThat(refresh(cookie(first)).status()).isEqualTo(401);

        assertThat(refresh(cookie(third)).status()).isEqualTo(401);
    }

    @Test
    void anAnswerThatWasLostIsGivenAgainForAMoment() throws Exception {
        var first = signIn("lost@acme.test");
        List<Callable<Reply>> windows =
                List.of(() -> refresh(cookie(first)), () -> refresh(cookie(first)), () -> refresh(cookie(first)));

        var cookies = new ArrayList<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : threads.invokeAll(windows)) {
                assertThat(answer.get().status()).isEqualTo(200);
                cookies.add(cookie(answer.get()));
            }
        }

        assertThat(cookies.stream().distinct()).hasSize(1);
        assertThat(refresh(cookies.getFirst()).status()).isEqualTo(200);
    }

    @Test
    void forgedTokensEndNothing() {
        var reply = signIn("forged@acme.test");
        String good = cookie(reply);
        String forged = good.substring(0, good.length() - 6) + (good.endsWith("AAAAAA") ? "BBBBBB" : "AAAAAA");

        for (String bad : List.of(forged, "sheaf_refresh=shr_", "sheaf_refresh=x", "sheaf_refresh=", "other=1")) {
            assertThat(refresh(bad).status()).isEqualTo(401);
        }

        assertThat(refresh(good).status()).isEqualTo(200);
    }

    @Test
    void otherSitesCannotRefreshOrSignIn() {
        String cookie = cookie(signIn("csrf@acme.test"));

        for (var header : List.of(
                List.of("Origin", "https://evil.test"),
                List.of("Origin", "null"),
                List.of("Sec-Fetch-Site", "cross-site"),
                List.of("Sec-Fetch-Site", "same-site"))) {
            for (String path : List.of(REFRESH, "/v1/sessions")) {
                var request = app().request("POST", path, null, null).header("Cookie", cookie);
                assertThat(app().send(request.header(header.get(0), header.get(1)))
                                .status())
                        .isEqualTo(403);
            }
        }

        var own = app().request("POST", REFRESH, null, null).header("Cookie", cookie);
        assertThat(app().send(own.header("Origin", app().url()).header("Sec-Fetch-Site", "same-origin"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aSessionEndsWhereItIsNotUsedAndAtItsEndInAnyCase() {
        var idle = signIn("idle@acme.test");
        pass(Duration.ofDays(7).plusSeconds(1));
        assertThat(refresh(cookie(idle)).text()).contains("expired");

        var busy = signIn("idle@acme.test");
        for (int days = 0; days < 30; days += 6) {
            busy = refresh(cookie(busy));
            assertThat(busy.status()).as("day " + days).isEqualTo(200);
            pass(Duration.ofDays(6));
        }
        pass(Duration.ofSeconds(1));
        assertThat(refresh(cookie(busy)).status()).isEqualTo(401);
    }

    @Test
    void anAccessTokenEndsAfterAQuarterOfAnHour() {
        String token = token(signIn("quarter@acme.test"));

        pass(Duration.ofMinutes(15));

        assertThat(me(token)).isEqualTo(401);
    }

    @Test
    void peopleSeeAndEndTheirSessions() {
        var here = signIn("many@acme.test");
        var there = signIn("many@acme.test");
        String other = token(signIn("another@acme.test"));
        var id = there.as(SignedIn.class).sessionId();

        var list = app().get("/v1/sessions", token(here)).list(SessionView.class);
        assertThat(list).hasSize(3); // the fixture signs in too
        for (var session : list) {
            boolean isThis = session.id().equals(here.as(SignedIn.class).sessionId());
            assertThat(session.current()).isEqualTo(isThis);
            assertThat(session.address()).isEqualTo("127.0.0.1");
            assertThat(session.device()).startsWith("Java");
        }

        assertThat(app().send("DELETE", "/v1/sessions/" + id, other, null).status())
                .isEqualTo(404);
        assertThat(me(token(there))).isEqualTo(200);
        assertThat(app().send("DELETE", "/v1/sessions/" + id, token(here), null).status())
                .isEqualTo(204);
        assertThat(me(token(there))).isEqualTo(401);
        assertThat(refresh(cookie(there)).status()).isEqualTo(401);

        var out = app().send("DELETE", "/v1/sessions/current", token(here), null);
        assertThat(out.status()).isEqualTo(204);
        assertThat(out.header("Set-Cookie")).startsWith("sheaf_refresh=; ").contains("Max-Age=0");
        assertThat(me(token(here))).isEqualTo(401);
    }

    @Test
    void guessingIsSlowedDownForKnownAndUnknownAlike() {
        signIn("guessed@acme.test");
        for (String email : List.of("guessed@acme.test", "unguessed@acme.test")) {
            for (int i = 0; i < 10; i++) {
                assertThat(app().signIn(email, "wrong").status()).isEqualTo(401);
            }
            var early = app().signIn(email, TestApp.PASSWORD);
            assertThat(early.status()).isEqualTo(429);
            assertThat(early.json().get("throttle").stringValue()).isEqualTo("guesses");
            assertThat(early.header("Retry-After")).isIn("1", "2"); // clocks of nodes follow the database's
        }
        pass(Duration.ofSeconds(2));
        assertThat(app().signIn("unguessed@acme.test", "wrong").status()).isEqualTo(401);
        assertThat(app().signIn("unguessed@acme.test", "wrong").header("Retry-After"))
                .isIn("2", "3");
        assertThat(app().signIn("guessed@acme.test", TestApp.PASSWORD).status()).isEqualTo(200);
        assertThat(app().signIn("guessed@acme.test", "wrong").status()).isEqualTo(401);
    }

    @Test
    void rejectsWrongMemberByName() {
        var reply = app().post("/v1/sessions", null, """
                {"email": "no address", "password": ""}""");

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.text()).contains("/email", "/password");
    }
}
