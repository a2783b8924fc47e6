package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What holds for every page, whatever it is about. Hundreds of requests that no person makes: by plain HTTP alone.
class PageRoutesTest extends OnConsole {
    private static final List<String> VALUES = List.of(
            "nothing",
            "00000000-0000-0000-0000-000000000000",
            "%3Cscript%3E",
            "%E2%80%AE",
            "1.0.0...2.0.0",
            "a".repeat(300));

    @Override
    public boolean isByHand() {
        return false;
    }

    private List<Route> pages() {
        return app().pages().stream()
                .filter(route -> !route.pattern().startsWith("/-/"))
                .toList();
    }

    private static String filled(String pattern, String value) {
        return pattern.replaceAll("\\{[^}]*}", Matcher.quoteReplacement(value));
    }

    @Test
    void whoHasNotSignedInIsLedToWhereThatIsPossible() {
        for (Route route : pages()) {
            if (route.method() == RouteMethod.GET && route.need() == RoutePermission.PERSON) {
                try (var browser = browser()) {
                    var shown = browser.open(at(filled(route.pattern(), "nothing")));

                    assertThat(shown.place().getPath()).as(route.pattern()).isEqualTo("/login");
                }
            }
        }
    }

    @Test
    void noFormIsTakenFromNobody() {
        for (Route route : pages()) {
            if (route.method() == RouteMethod.POST && route.need() == RoutePermission.PERSON) {
                try (var browser = browser()) {
                    var shown = browser.post(at(filled(route.pattern(), "nothing")), "a=b");

                    assertThat(shown.status()).as(route.pattern()).isEqualTo(401);
                }
            }
        }
    }

    @Test
    void aFormOfSomebodyUnknownIsSmall() {
        String many = "email=a&_token=0" + "&f".repeat(200);
        String large = "email=" + "a".repeat(17 << 10);
        for (Route route : pages()) {
            boolean isOver = route.pattern().equals("/setup"); // its form is not read any more
            if (route.method() == RouteMethod.POST && route.need() == RoutePermission.PUBLIC_READ && !isOver) {
                for (String body : List.of(many, large)) {
                    try (var browser = browser()) {
                        var shown = browser.post(at(filled(route.pattern(), "nothing")), body);

                        assertThat(shown.status()).as(route.pattern()).isEqualTo(413);
                        assertThat(shown.html())
                                .containsAnyOf("over the limit of 200 fields", "over the limit of 16384 bytes");
                    }
                }
            }
        }
    }

    @Test
    void noFormIsTakenWithoutItsToken() {
        try (var browser = person("forms@acme.test", "default", "owner")) {
            for (Route route : pages()) {
                if (route.method() == RouteMethod.POST && route.need() == RoutePermission.PERSON) {
                    var shown = browser.post(at(filled(route.pattern(), "default")), "_token=0&name=x");

                    assertThat(shown.status()).as(route.pattern()).isIn(400, 403, 404, 415);
                    assertThat(browser.open(at("/account")).status()).isEqualTo(200);
                }
            }
        }
    }

    @Test
    void noAddressMakesAPageFail() {
        var failed = new ArrayList<String>();
        try (var browser = person("odd@acme.test", "default", "owner")) {
            for (Route route : pages()) {
                for (String value : VALUES) {
                    if (route.method() == RouteMethod.GET) {
                        var shown = browser.open(at(filled(route.pattern(), value)));
                        if (shown.status() >= 500 || shown.html().contains("<script>alert")) {
                            failed.add(shown.status() + " " + shown.place());
                        }
                    }
                }
            }
        }
        assertThat(failed).isEmpty();
    }

    @Test
    void everyPageForbidsWhatIsNotOfThisHost() {
        for (Route route : pages()) {
            if (route.method() == RouteMethod.GET && route.need() == RoutePermission.PUBLIC_READ) {
                var reply = app().send(app().request("GET", filled(route.pattern(), "nothing"), null, null)
                        .header("Accept", "text/html"));
                if (reply.header("Content-Type").startsWith("text/html")) {
                    assertThat(reply.header("Content-Security-Policy"))
                            .as(route.pattern())
                            .startsWith("default-src 'none'; ")
                            .contains("frame-ancestors 'none'", "form-action 'self'")
                            .doesNotContain("unsafe");
                    assertThat(reply.header("X-Frame-Options")).isEqualTo("DENY");
                }
            }
        }
    }

    @Test
    void whatPagesLoadIsKeptForEver() {
        String html = app().send(app().request("GET", "/", null, null).header("Accept", "text/html"))
                .text();
        var files = Pattern.compile("\"(/-/[^\"#]+)").matcher(html);
        int seen = 0;
        while (files.find()) {
            var reply = app().get(files.group(1), null);

            assertThat(reply.status()).as(files.group(1)).isEqualTo(200);
            assertThat(reply.header("Cache-Control")).contains("immutable");
            seen++;
        }
        assertThat(seen).isGreaterThan(3);
    }

    @Test
    void aFormOfAnotherSiteIsRefused() throws IOException, InterruptedException {
        app().person("cross@acme.test", "default", "owner");
        var request = app().request("POST", "/login", null, "")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header("Origin", "https://evil.test")
                .build();
        try (var client = HttpClient.newHttpClient()) {
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(403);
        }
    }
}
