package dev.sheaf.server.identity.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.account.TotpEnrolment;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.identity.PasswordRules;
import dev.sheaf.server.identity.factor.TotpChanges;
import io.nayuki.qrcodegen.QrCode;
import java.util.List;
import java.util.Map;

/// The authenticator that an account uses besides the password. Secrets are shown only on the page that answers
/// the form which created them.
public final class FactorPages {
    private static final String PATH = "/account/second-factor";

    private final TotpChanges totp;

    public FactorPages(TotpChanges totp) {
        this.totp = totp;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(PATH, page -> show(page, FormErrors.NONE)),
                pages.form(PATH + "/enrol", this::enrol),
                pages.form(PATH + "/confirm", this::confirm),
                pages.form(PATH + "/renew", this::renew),
                pages.form(PATH + "/remove", this::remove));
    }

    private static Answer show(PageCall page, FormErrors errors) {
        return page.view("Second factor", "identity/pages/factor")
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
            var made = totp.enrol(page.origin(), RequestFields.form(given).to(PasswordRules::given));
            var shown = new TotpEnrolment(made.seed().expose(), made.uri().expose());
            return enrolled(page, shown, FormErrors.NONE);
        } catch (ProblemException e) {
            return show(page, errors(e.problem(), "password"));
        }
    }

    private static Answer enrolled(PageCall page, TotpEnrolment made, FormErrors errors) {
        var code = QrCode.encodeText(made.uri(), QrCode.Ecc.MEDIUM);
        return page.view("Second factor", "identity/pages/factorEnrolled")
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
            var codes = totp.confirm(page.origin(), RequestFields.form(given).to(TotpChanges::code));
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

    private static Answer codes(PageCall page, List<Secret> codes, String title) {
        return page.say(PageNotice.ok(title))
                .view("Recovery codes", "identity/pages/factorCodes")
                .with("codes", codes.stream().map(Secret::expose).toList())
                .in("account")
                .show();
    }

    private Answer renew(PageCall page) {
        try {
            var codes = totp.renewRecoveryCodes(page.origin(), proof(page));
            return codes(page, codes, "The old recovery codes no longer work.");
        } catch (ProblemException e) {
            return show(page, errors(e.problem(), "password", "code"));
        }
    }

    private Answer remove(PageCall page) {
        try {
            totp.remove(page.origin(), proof(page));
            return page.seeOther(PATH, PageNotice.ok("Your second factor is off."));
        } catch (ProblemException e) {
            return show(page, errors(e.problem(), "password", "code"));
        }
    }

    private static TotpChanges.Proof proof(PageCall page) {
        var form = page.form();
        return RequestFields.form(Map.of(
                        "password", form.first("password").orElse(""),
                        "code", form.first("code").orElse("").replace(" ", "")))
                .to(TotpChanges.Proof::parse);
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
