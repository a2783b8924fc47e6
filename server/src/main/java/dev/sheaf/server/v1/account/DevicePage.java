package dev.sheaf.server.v1.account;

import dev.sheaf.model.Problem;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.identity.signin.DeviceGrants;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The pages on which somebody lets a device in: plain HTML that loads nothing and runs nothing. Whatever was sent
/// stands in it escaped.
public final class DevicePage {
    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self';"
            + " frame-ancestors 'none'; base-uri 'none'";

    private DevicePage() {}

    /// Asks for the code.
    static Answer askCode() {
        return page(200, "Let a device in", """
                <form method="get" action="/device"><label>Code that the device shows
                <input name="user_code" autocomplete="off" autocapitalize="characters" required></label>
                <button>Go on</button></form>
                """);
    }

    /// Says what is asked for, and asks who decides.
    ///
    /// @param provider what the one to sign in with is called; null: there is none
    static Answer signIn(DeviceGrants.Asked asked, @Nullable String provider) {
        String link = OidcApi.PATH + "?redirect="
                + URLEncoder.encode(DeviceApi.PATH_OF_CODE + asked.userCode(), StandardCharsets.UTF_8);
        String other = provider == null
                ? ""
                : "<p>Or <a href=\"" + escape(link) + "\">sign in with " + escape(provider) + "</a>.</p>";
        return page(200, "Let a device in", about(asked) + """
                <p>If you did not begin this, close this page.</p>
                <form method="post" action="/device"><input type="hidden" name="user_code" value="%s">
                <label>E-mail address <input name="email" type="email" autocomplete="username" required></label>
                <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
                <label>Code, if the account takes one <input name="totp" autocomplete="one-time-code"></label>
                <button>Sign in</button></form>%s
                """.formatted(escape(asked.userCode()), other));
    }

    /// Asks for the decision.
    static Answer decide(DeviceGrants.Choice choice) {
        var options = new StringBuilder();
        choice.organizations()
                .forEach(own -> options.append("<option value=\"")
                        .append(own.id())
                        .append("\">")
                        .append(escape(own.name()))
                        .append("</option>"));
        String allow = choice.organizations().isEmpty()
                ? "<p>You are a member of no organization, so there is nothing to allow.</p>"
                : "<label>For the organization <select name=\"organization\">" + options
                        + "</select></label><button name=\"decision\" value=\"approve\">Allow</button>";
        return page(
                200,
                "Allow this device?",
                about(choice.asked())
                        + """
                <p>You are %s.</p>
                <form method="post" action="/device/decision"><input type="hidden" name="user_code" value="%s">
                <input type="hidden" name="ticket" value="%s">%s
                <button name="decision" value="deny">Deny</button></form>
                """.formatted(
                                        escape(choice.email()),
                                        escape(choice.asked().userCode()),
                                        escape(choice.ticket().expose()),
                                        allow));
    }

    static Answer done(boolean allowed) {
        return page(
                200,
                allowed ? "The device is let in" : "The device is kept out",
                "<p>You can close this page" + (allowed ? " and go back to the device" : "") + ".</p>");
    }

    private static String about(DeviceGrants.Asked asked) {
        return """
                <p>The program <b>%s</b> at the address <b>%s</b>, which shows the code <b>%s</b>, asks for the scope
                <b>%s</b>.</p>
                """.formatted(
                        escape(asked.client()),
                        escape(asked.address()),
                        escape(asked.userCode()),
                        escape(asked.scope().toString()));
    }

    /// A problem as a page.
    public static Answer error(Problem problem, Call call) {
        return problem(problem, "/device", "Begin again");
    }

    /// @param href where to go from there
    static Answer problem(Problem problem, String href, String link) {
        return page(
                ProblemJson.status(problem),
                "That did not work",
                "<p>" + escape(problem.detail()) + "</p><p><a href=\"" + href + "\">" + link + "</a></p>");
    }

    static Answer page(int status, String title, String body) {
        String html = """
                <!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s</title>
                <meta name="viewport" content="width=device-width"><style>body{font:1rem/1.5 sans-serif;max-width:30rem;
                margin:3rem auto;padding:0 1rem}label,button{display:block;margin:1rem 0}</style></head>
                <body><h1>%s</h1>%s</body></html>
                """.formatted(title, title, body);
        return Answer.bytes(status, "text/html; charset=utf-8", html.getBytes(StandardCharsets.UTF_8))
                .with("Content-Security-Policy", POLICY)
                .with("X-Frame-Options", "DENY")
                .with("X-Content-Type-Options", "nosniff")
                .with("Referrer-Policy", "no-referrer")
                .with("Cache-Control", "no-store");
    }

    static String escape(String text) {
        var escaped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'') {
                escaped.append("&#").append(c).append(';');
            } else {
                escaped.appendCodePoint(c);
            }
        });
        return escaped.toString();
    }
}
