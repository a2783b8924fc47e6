package dev.sheaf.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.identity.api.OidcSignInTest;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Requests;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The part of [SecretsScenario] with pages: the cookies of a browser, and the tokens in its forms.
final class SecretsOfPages {
    private static final Pattern TOKEN = Pattern.compile("name=\"_token\" value=\"([^\"]+)\"");

    private final Requests requests;
    private final List<String> answers;
    private final Map<SecretKind, List<String>> made = new EnumMap<>(SecretKind.class);

    SecretsOfPages(Requests requests, List<String> answers) {
        this.requests = requests;
        this.answers = answers;
    }

    /// @param wrong another password
    /// @return the secrets by their kinds
    Map<SecretKind, List<String>> run(String email, String password, String wrong) {
        var login = page("/login", "");
        String visitor = OidcSignInTest.cookie(login, "sheaf_visitor");
        String before = token(login);
        refused(form("/login", visitor, "_token", before, "email", email, "password", wrong));
        refused(form("/login", visitor, "_token", before + "0", "email", email, "password", password));
        refused(form("/login", visitor + "x", "_token", before, "email", email, "password", password));
        var in = form("/login", visitor, "_token", before, "email", email, "password", password);
        assertThat(in.status()).as(in.text()).isEqualTo(303);
        String cookie = OidcSignInTest.cookie(in, "sheaf_session");
        String after = use(cookie, before);
        misuse(cookie);
        form("/logout", cookie, "_token", after);
        refused(form("/account/profile", cookie, "_token", after, "fullName", "One"));
        add(SecretKind.PAGE_COOKIE, value(cookie));
        add(SecretKind.VISITOR, value(visitor));
        add(SecretKind.FORM_TOKEN, before, after);
        return made;
    }

    /// @param before a token of a form from before the session
    /// @return the token of the session
    private String use(String cookie, String before) {
        var account = page("/account", cookie);
        assertThat(account.status()).isEqualTo(200);
        String token = token(account);
        refused(form("/account/profile", cookie, "_token", before, "fullName", "One"));
        refused(form("/account/profile", cookie, "_token", token + "0", "fullName", "One"));
        refused(form("/account/profile", cookie, "_token", token, "fullName", "x".repeat(1000)));
        assertThat(form("/account/profile", cookie, "_token", token, "fullName", "One")
                        .status())
                .isEqualTo(303);
        refused(form("/organizations/nobody/queues", cookie, "_token", token, "name", "One"));
        return token;
    }

    /// The cookie wherever else somebody could put it.
    private void misuse(String cookie) {
        String secret = value(cookie);
        refused(page("/v1/users/me", cookie));
        refused(requests.get("/v1/users/me", secret));
        refused(requests.form("/v1/oauth/introspect", secret, "token", secret));
        refused(requests.send(requests.request("POST", "/v1/sessions/current:refresh", null, null)
                .header("Cookie", "sheaf_refresh=" + secret)));
        assertThat(page("/account?token=" + secret, cookie + "x").status()).isEqualTo(303);
        refused(page("/v1/organizations?cursor=" + secret, cookie));
    }

    private Reply page(String path, String cookie) {
        return requests.send(requests.request("GET", path, null, null)
                .header("Accept", path.startsWith("/v1") ? "application/json" : "text/html")
                .header("Cookie", cookie.isEmpty() ? "a=b" : cookie));
    }

    private Reply form(String path, String cookie, String... fields) {
        var body = new ArrayList<String>();
        for (int i = 0; i < fields.length; i += 2) {
            body.add(fields[i] + "=" + URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return requests.send(requests.request("POST", path, null, String.join("&", body))
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json") // or the answer would hold a page with a token of its own
                .header("Cookie", cookie));
    }

    private void refused(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isBetween(400, 499);
        answers.add(reply.text().replaceAll(TOKEN.pattern(), ""));
    }

    private void add(SecretKind kind, String... secrets) {
        made.computeIfAbsent(kind, all -> new ArrayList<>()).addAll(List.of(secrets));
    }

    private static String token(Reply page) {
        var found = TOKEN.matcher(page.text());
        assertThat(found.find()).as(page.text()).isTrue();
        return found.group(1);
    }

    private static String value(String cookie) {
        return cookie.substring(cookie.indexOf('=') + 1);
    }
}
