package dev.sheaf.server.console.account;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.account.RecoveryCodes;
import dev.sheaf.model.wire.account.TotpEnrolment;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import io.nayuki.qrcodegen.QrCode;
import java.util.List;
import java.util.Map;

/// The authenticator that an account uses besides the password. Secrets are shown only on the page that answers
/// the form which created them.
public final class FactorPages {
    private static final String PATH = "/account/second-factor";
    private static final ApiPath TOTP = ApiPath.of("/v1/users/me/totp");

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(PATH, page -> show(page, FormErrors.NONE)),
                pages.form(PATH + "/enrol", this::enrol),
                pages.form(PATH + "/confirm", this::confirm),
                pages.form(PATH + "/renew", this::renew),
                pages.form(PATH + "/remove", this::remove));
    }

    private static Answer show(PageCall page, FormErrors errors) {
        return page.view("Second factor", "account/factor")
                .with(
                        "isOn",
                        page.viewer().user() != null && page.viewer().user().totpEnabled())
                .with("errors", errors)
                .in("account")
                .refused(errors)
                .forMachines("POST /v1/users/me/totp", "sheaf account totp")
                .show();
    }

    private Answer enrol(PageCall page) {
        var form = page.form();
        try {
            var given = Map.of("password", form.first("password").orElse(""));
            return enrolled(page, page.api().post(TotpEnrolment.class, TOTP, given), FormErrors.NONE);
        } catch (ProblemException e) {
            return show(page, errors(e.problem(), "password"));
        }
    }

    private static Answer enrolled(PageCall page, TotpEnrolment made, FormErrors errors) {
        var code = QrCode.encodeText(made.uri(), QrCode.Ecc.MEDIUM);
        return page.view("Second factor", "account/factorEnrolled")
                .with("secret", made.secret())
                .with("uri", made.uri())
                .with("size", code.size)
                .with("path", drawn(code))
                .with("errors", errors)
                .in("account")
                .refused(errors)
                .show();
    }

    /// Returns the dark squares as an SVG path.
    private static String drawn(QrCode code) {
        var path = new StringBuilder();
        for (int y = 0; y < code.size; y++) {
            for (int x = 0; x < code.size; x++) {
                if (code.getModule(x, y)) {
                    path.append('M').append(x).append(' ').append(y).append("h1v1h-1z");
                }
            }
        }
        return path.toString();
    }

    /// Turns the second factor on. After a wrong code, shows the same secret again, which the form contains.
    private Answer confirm(PageCall page) {
        var form = page.form();
        try {
            var given = Map.of("code", form.first("code").orElse("").replace(" ", ""));
            var codes = page.api().post(RecoveryCodes.class, ApiPath.of("/v1/users/me/totp:confirm"), given);
            return codes(page, codes, "Your second factor is on.");
        } catch (ProblemException e) {
            var made = new TotpEnrolment(
                    form.first("secret").orElse(""), form.first("uri").orElse(""));
            boolean isShown = made.uri().startsWith("otpauth://") && made.uri().length() < 500;
            return isShown
                    ? enrolled(page, made, errors(e.problem(), "code"))
                    : show(page, errors(e.problem(), "code"));
        }
    }

    private static Answer codes(PageCall page, RecoveryCodes codes, String title) {
        return page.say(Notice.ok(title))
                .view("Recovery codes", "account/factorCodes")
                .with("codes", codes.recoveryCodes())
                .in("account")
                .show();
    }

    private Answer renew(PageCall page) {
        var proof = proof(page);
        try {
            var path = ApiPath.of("/v1/users/me/totp:renewRecoveryCodes");
            return codes(
                    page, page.api().post(RecoveryCodes.class, path, proof), "The old recovery codes no longer work.");
        } catch (ProblemException e) {
            return show(page, errors(e.problem(), "password", "code"));
        }
    }

    private Answer remove(PageCall page) {
        var proof = proof(page);
        try {
            var headers = Map.of("content-type", "application/json");
            page.api().answer(Method.DELETE, TOTP, headers, Json.write(proof));
            return page.seeOther(PATH, Notice.ok("Your second factor is off."));
        } catch (ProblemException e) {
            return show(page, errors(e.problem(), "password", "code"));
        }
    }

    private static Map<String, String> proof(PageCall page) {
        var form = page.form();
        return Map.of(
                "password", form.first("password").orElse(""),
                "code", form.first("code").orElse("").replace(" ", ""));
    }

    /// Returns the errors of a form. A wrong password or code is an error of the form.
    private static FormErrors errors(Problem problem, String... fields) {
        return problem instanceof Problem.Unauthenticated
                        || problem instanceof Problem.TotpRequired
                        || problem instanceof Problem.Forbidden
                ? new FormErrors(Map.of(), List.of(problem.detail()), problem)
                : PageCall.errors(problem, fields);
    }
}
