package dev.sheaf.server.v1.account;

import dev.sheaf.model.Problem;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;

/// The page that asks for the code of an authenticator after a sign-in at the provider. Like [DevicePage], it loads
/// nothing and runs nothing.
public final class SignInPage {
    private SignInPage() {}

    static Answer askCode() {
        return DevicePage.page(200, "One more code", """
                <form method="post" action="/sign-in"><label>Code that your authenticator shows, or a recovery code
                <input name="totp" autocomplete="one-time-code" required></label>
                <button>Sign in</button></form>
                """);
    }

    /// A problem as a page. Another code may do; without a sign-in at the provider none does.
    public static Answer error(Problem problem, Call call) {
        return problem instanceof Problem.TotpRequired || problem instanceof Problem.RateLimited
                ? DevicePage.problem(problem, "/sign-in", "Try another code")
                : DevicePage.problem(problem, OidcApi.PATH, "Begin again");
    }
}
