package dev.sheaf.server.identity.pages;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.identity.api.OidcApi;
import java.util.List;

/// The page that asks for the code of an authenticator after a sign-in at a provider. Its form is bound to the browser
/// by the cookie that this sign-in left.
public final class ProviderPages {
    private static final String PATH = "/sign-in";
    private static final long MAX_FORM = 16 << 10;

    private final OidcApi oidc;

    public ProviderPages(OidcApi oidc) {
        this.oidc = oidc;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.open(PATH, this::ask), pages.openForm(PATH, this::take));
    }

    private Answer ask(PageCall page) {
        oidc.requireWaiting(page.call());
        return show(page, FormErrors.NONE);
    }

    private static Answer show(PageCall page, FormErrors errors) {
        return page.view("One more code", "identity/pages/providerCode")
                .with("errors", errors)
                .in("account")
                .refused(errors)
                .show();
    }

    private Answer take(PageCall page) {
        var code = Secret.of(page.call().form(MAX_FORM).required("totp"));
        try {
            return oidc.withCode(page.call(), code);
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.TotpRequired wrong) {
                return show(page, FormErrors.of("totp", wrong.detail()).because(wrong));
            }
            throw e;
        }
    }
}
