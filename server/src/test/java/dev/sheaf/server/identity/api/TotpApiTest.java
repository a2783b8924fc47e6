package dev.sheaf.server.identity.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.RecoveryCodes;
import dev.sheaf.model.wire.account.TotpEnrolment;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.testing.Authenticator;
import dev.sheaf.server.testing.TestApp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// Codes of authenticators besides passwords (RFC 6238), over HTTP.
class TotpApiTest extends TotpScenario {
    @Test
    void aSecretIsShownOnceAndAsksForNothingUntilItIsConfirmed() {
        String token = app().person("enrols@acme.test", "default", "reader");

        var enrolled = app().post(TOTP, token, BODY);

        assertThat(enrolled.header("Cache-Control")).isEqualTo("no-store");
        String secret = enrolled.as(TotpEnrolment.class).secret();
        assertThat(secret).matches("[A-Z2-7]{32}");
        assertThat(enrolled.as(TotpEnrolment.class).uri())
                .isEqualTo("otpauth://totp/Sheaf:enrols%40acme.test?secret=" + secret
                        + "&issuer=Sheaf&algorithm=SHA1&digits=6&period=30");
        assertThat(signIn("enrols@acme.test", null).status()).isEqualTo(200);
        assertThat(account("enrols@acme.test").totpEnabled()).isFalse();
        var second = enrol(token);
        assertThat(second.secret()).isNotEqualTo(secret);
        assertThat(told(confirm(token, new Authenticator(secret).code(instant()))))
                .isEqualTo("422 validation-failed");
        assertThat(told(confirm(token, second.code(instant())))).isEqualTo("200");
        assertThat(told(confirm(token, second.code(instant().plus(Authenticator.STEP)))))
                .isEqualTo("409 conflict");
        assertThat(told(app().post(TOTP, token, BODY))).isEqualTo("409 conflict");
    }

    @Test
    void aPasswordTakesACodeFromThenOn() {
        var person = person("coded@acme.test");
        assertThat(account(person.email()).totpEnabled()).isTrue();
        pass(Authenticator.STEP);

        var without = signIn(person.email(), null);
        var wrong = signIn(person.email(), person.authenticator().wrong(instant()));
        String code = person.authenticator().code(instant());
        var right = signIn(person.email(), code.substring(0, 3) + " " + code.substring(3));

        for (var refused : List.of(without, wrong)) {
            assertThat(told(refused)).isEqualTo("401 totp-required");
            assertThat(refused.json().get("totpRequired").booleanValue()).isTrue();
            assertThat(refused.header("WWW-Authenticate")).startsWith("Bearer realm=");
            assertThat(refused.header("Set-Cookie")).isEmpty();
        }
        assertThat(without.text()).contains("also needs a code");
        assertThat(wrong.text()).contains("the code is wrong");
        assertThat(right.status()).as(right.text()).isEqualTo(200);
        var wrongPassword = app().post("/v1/sessions", null, """
                {"email": "%s", "password": "wrong", "totp": "%s"}""".formatted(person.email(), code));
        assertThat(wrongPassword.status()).isEqualTo(401);
        assertThat(wrongPassword.text()).doesNotContain("totp");
    }

    @Test
    void aCodeIsGoodOnceAndAStepBeforeAndBehind() {
        var person = person("once@acme.test");
        assertThat(told(signIn(person.email(), person.authenticator().code(instant()))))
                .as("used by confirm")
                .isEqualTo("401 totp-required");
        pass(Authenticator.STEP.multipliedBy(5));
        String before = person.authenticator().code(instant().minus(Authenticator.STEP));
        String ahead = person.authenticator().code(instant().plus(Authenticator.STEP));
        String tooOld = person.authenticator().code(instant().minus(Authenticator.STEP.multipliedBy(2)));
        String tooNew = person.authenticator().code(instant().plus(Authenticator.STEP.multipliedBy(2)));

        var told = new ArrayList<String>();
        for (String code : List.of(tooOld, tooNew, before, before, ahead, before, ahead)) {
            told.add(told(signIn(person.email(), code)));
        }

        assertThat(told)
                .containsExactly(
                        "401 totp-required",
                        "401 totp-required",
                        "200",
                        "401 totp-required",
                        "200",
                        "401 totp-required",
                        "401 totp-required");
    }

    @Test
    void ofManyWithOneCodeAtOneTimeOneComesIn() throws Exception {
        var person = person("storm@acme.test");
        pass(Authenticator.STEP);
        for (String code : List.of(
                person.authenticator().code(instant()), person.recoveryCodes().getFirst())) {
            Callable<Integer> one = () -> signIn(person.email(), code).status();

            var statuses = new ArrayList<Integer>();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (var answer : threads.invokeAll(List.of(one, one, one, one))) {
                    statuses.add(answer.get());
                }
            }

            assertThat(statuses).containsOnlyOnce(200).containsOnly(200, 401);
        }
    }

    @Test
    void recoveryCodesAreGoodOnceForTheirOwner() {
        var person = person("recovers@acme.test");
        var other = person("recovers-too@acme.test");
        assertThat(person.recoveryCodes())
                .hasSize(10)
                .doesNotHaveDuplicates()
                .allMatch(code -> code.matches("([a-z2-9]{4}-){6}[a-z2-9]{4}"));
        String code = person.recoveryCodes().getLast();

        assertThat(told(signIn(other.email(), code))).isEqualTo("401 totp-required");
        assertThat(told(signIn(person.email(), code.toUpperCase(Locale.ROOT).replace('-', ' '))))
                .isEqualTo("200");
        assertThat(told(signIn(person.email(), code))).isEqualTo("401 totp-required");
        assertThat(told(signIn(person.email(), person.recoveryCodes().getFirst())))
                .isEqualTo("200");
    }

    @Test
    void guessingCodesIsSlowedDownApartFromPasswords() {
        var person = person("guesses@acme.test");
        pass(Authenticator.STEP);
        String wrong = person.authenticator().wrong(instant());
        for (int i = 0; i < 10; i++) {
            assertThat(told(remove(person.token(), TestApp.PASSWORD, wrong))).isEqualTo("422 validation-failed");
        }

        var early = signIn(person.email(), person.authenticator().code(instant()));

        assertThat(told(early)).isEqualTo("429 rate-limited");
        assertThat(told(remove(
                        person.token(), TestApp.PASSWORD, person.authenticator().code(instant()))))
                .isEqualTo("429 rate-limited");
        pass(Duration.ofSeconds(3));
        assertThat(told(signIn(person.email(), person.authenticator().code(instant()))))
                .isEqualTo("200");
    }

    @Test
    void whoRemovesItNeedsThePasswordAndACode() {
        var person = person("removes@acme.test");
        pass(Authenticator.STEP);
        String code = person.authenticator().code(instant());

        assertThat(remove(person.token(), "wrong", code).text()).contains("/password");
        assertThat(remove(
                                person.token(),
                                TestApp.PASSWORD,
                                person.authenticator().wrong(instant()))
                        .text())
                .contains("/code");
        assertThat(told(remove(person.token(), TestApp.PASSWORD, code))).isEqualTo("204");

        assertThat(account(person.email()).totpEnabled()).isFalse();
        assertThat(told(signIn(person.email(), null))).isEqualTo("200");
        assertThat(told(remove(person.token(), TestApp.PASSWORD, code))).isEqualTo("404 not-found");
        var again = enrol(person.token());
        assertThat(told(confirm(person.token(), again.code(instant())))).isEqualTo("200");
        assertThat(told(signIn(person.email(), person.recoveryCodes().getFirst())))
                .as("a recovery code of the one before")
                .isEqualTo("401 totp-required");
    }

    @Test
    void anAdministratorRemovesItAndAllIsRemembered() {
        var person = person("helped@acme.test");

        var removed = app().send("POST", "/v1/admin/users/" + person.email() + ":removeTotp", app().admin(), null);

        assertThat(removed.status()).as(removed.text()).isEqualTo(200);
        assertThat(removed.as(User.class).totpEnabled()).isFalse();
        assertThat(told(signIn(person.email(), null))).isEqualTo("200");
        assertThat(told(app().send("POST", "/v1/admin/users/nobody@x.test:removeTotp", app().admin(), null)))
                .isEqualTo("404 not-found");
        var id = removed.as(User.class).id();
        assertThat(rows("SELECT action FROM audit WHERE subject = '" + id + "'"))
                .containsExactlyInAnyOrder("user.create", "user.enrol_totp", "user.enable_totp", "user.remove_totp");
        assertThat(rows("SELECT type FROM event WHERE subject = 'helped@acme.test' AND type LIKE 'user.%'"))
                .containsExactlyInAnyOrder("user.totp_enabled", "user.totp_disabled");
    }

    @Test
    void removesUnconfirmedEnrolmentWithoutEvent() {
        enrol(app().person("pending@acme.test", "default", "reader"));

        app().send("POST", "/v1/admin/users/pending@acme.test:removeTotp", app().admin(), null);

        assertThat(rows("SELECT type FROM event WHERE subject = 'pending@acme.test' AND type LIKE 'user.%'"))
                .isEmpty();
    }

    private List<String> rows(String sql) {
        return app().database()
                .read(tx -> tx.handle().createQuery(sql).mapTo(String.class).list());
    }

    @Test
    void nothingOfASecretOrACodeIsStored() {
        var person = person("sealed@acme.test");

        String stored = app().database()
                .read(tx -> List.of("totp", "recovery_code", "audit", "event").stream()
                        .map(table -> tx.handle()
                                .createQuery("SELECT * FROM " + table)
                                .mapToMap()
                                .list()
                                .toString())
                        .toList()
                        .toString());

        String code = person.recoveryCodes().getFirst();
        assertThat(stored).doesNotContain(person.authenticator().secret(), code, code.replace("-", ""));
    }

    @Test
    void aSessionThatIsFoundOpenIsNotEnough() {
        String token = app().person("open@acme.test", "default", "reader");

        assertThat(app().post(TOTP, token, "{}").text()).contains("/password", "is required");
        assertThat(told(app().send("POST", TOTP, token, null))).isEqualTo("422 validation-failed");
        assertThat(app().post(TOTP, token, "{\"password\": \"wrong\"}").text())
                .contains("/password", "is not the password");
        assertThat(account("open@acme.test").totpEnabled()).isFalse();
        assertThat(told(confirm(token, "123456"))).as("nothing was made").isEqualTo("409 conflict");
        assertThat(told(app().post(TOTP, app().admin(), BODY))).isEqualTo("403 forbidden");
    }

    @Test
    void otherRecoveryCodesTakeThePasswordAndACode() {
        var person = person("renews@acme.test");
        pass(Authenticator.STEP);
        String code = person.authenticator().code(instant());

        assertThat(renew(person.token(), "wrong", code).text()).contains("/password");
        assertThat(renew(
                                person.token(),
                                TestApp.PASSWORD,
                                person.authenticator().wrong(instant()))
                        .text())
                .contains("/code");
        var renewed = renew(person.token(), TestApp.PASSWORD, code);

        assertThat(told(renewed)).isEqualTo("200");
        assertThat(renewed.header("Cache-Control")).isEqualTo("no-store");
        assertThat(renewed.as(RecoveryCodes.class).recoveryCodes()).hasSize(10);
        assertThat(told(signIn(person.email(), person.recoveryCodes().getFirst())))
                .isEqualTo("401 totp-required");
        String other = renewed.as(RecoveryCodes.class).recoveryCodes().get(3);
        assertThat(told(renew(person.token(), TestApp.PASSWORD, other))).isEqualTo("200");
        assertThat(told(signIn(person.email(), other))).as("it was used").isEqualTo("401 totp-required");
        assertThat(told(renew(app().person("none@acme.test", null, null), TestApp.PASSWORD, "123456")))
                .isEqualTo("404 not-found");
        assertThat(rows("SELECT action FROM audit WHERE actor_name = 'renews@acme.test'"))
                .contains("user.renew_recovery_codes");
    }

    @Test
    void whoHasNoPasswordMustHaveSignedInJustNow() {
        String token = app().person("passwordless@acme.test", "default", "reader");
        app().database()
                .write(tx -> tx.handle()
                        .execute("UPDATE account SET password = NULL WHERE email = 'passwordless@acme.test'"));

        var authenticator = enrol(token);
        assertThat(told(confirm(token, authenticator.code(instant())))).isEqualTo("200");
        pass(Duration.ofMinutes(11));

        var late = remove(token, TestApp.PASSWORD, authenticator.code(instant()));
        assertThat(told(late)).isEqualTo("403 forbidden");
        assertThat(late.text()).contains("sign in again");
    }
}
