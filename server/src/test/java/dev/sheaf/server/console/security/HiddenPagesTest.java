package dev.sheaf.server.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// What is private looks like what is missing, to the byte: pages tell nobody that a bundle or an organization exists.
class HiddenPagesTest extends OnNode {
    private static final String NO_ID = "00000000-0000-4000-8000-000000000000";

    private final List<PageClient> strangers = new ArrayList<>();

    @Override
    void prepare() {
        leave();
        strangers.clear();
        new Furnished(app()).make("Secret");
        assertThat(app().push("acme/secret", "1.0.0", "private", "# Secret").status())
                .isEqualTo(201);
        assertThat(app().push("veil/secret", "1.0.0", "private", "# Secret").status())
                .isEqualTo(201);
        app().secondOrganization("others");
        app().secondOrganization("concealed");
        app().person("nobody@acme.test", null, null);
        app().person("stranger@acme.test", "others", "owner");
        strangers.add(new PageClient(app().url()));
        strangers.add(PageClient.of(app(), "nobody@acme.test"));
        strangers.add(PageClient.of(app(), "stranger@acme.test"));
    }

    @AfterAll
    void leave() {
        strangers.forEach(PageClient::close);
    }

    private static String path(Route route, String organization, String namespace, String bundle) {
        return route.pattern()
                .replace("{org_id}", organization)
                .replace("{namespace}", namespace)
                .replace("{bundle}", bundle)
                .replace("{version}", "1.0.0")
                .replace("{pair}", "1.0.0...1.0.0")
                .replace("{path...}", "SKILL.md")
                .replace("{queue_id}", "work")
                .replaceAll("\\{[a-z]+_id}", NO_ID)
                .replaceAll("\\{[^}]*}", "latest");
    }

    /// Everything of an answer but what is another each time.
    private static String whole(HttpResponse<String> answer, String name, String as) {
        var headers = new TreeMap<>(answer.headers().map());
        headers.keySet()
                .removeIf(header ->
                        List.of("date", "x-request-id", "traceresponse").contains(header));
        return (answer.statusCode() + " " + headers + "\n" + answer.body())
                .replaceAll("name=\"_token\" value=\"[^\"]*\"", "")
                .replaceAll("\\b[0-9a-f]{32}\\b", "")
                .replaceAll("ratelimit[^=]*=\\[[^]]*]", "")
                .replace(name, as);
    }

    private HttpResponse<String> ask(Route route, PageClient client, String path) {
        return route.method() == RouteMethod.GET
                ? client.get(path)
                : client.post(
                        path, Map.of("_token", client.token(client == strangers.getFirst() ? "/login" : "/account")));
    }

    private void compare(String hidden, String missing, BiFunction<Route, String, String> path, String part) {
        int compared = 0;
        for (var route : app().pages()) {
            if (route.pattern().contains(part)) {
                for (var stranger : strangers) {
                    String there = whole(ask(route, stranger, path.apply(route, hidden)), hidden, "NAME");
                    String nowhere = whole(ask(route, stranger, path.apply(route, missing)), missing, "NAME");

                    assertThat(there).as(route.method() + " " + route.pattern()).isEqualTo(nowhere);
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThan(10);
    }

    @Test
    void aPrivateBundle() {
        compare("secret", "absent", (route, name) -> path(route, "default", "acme", name), "{bundle}");
    }

    @Test
    void aBundleOfANamespaceThatHasNothingElse() {
        compare("veil", "vain", (route, name) -> path(route, "default", name, "secret"), "{bundle}");
    }

    @Test
    void anOrganizationOfOthers() {
        compare("concealed", "elsewhere", (route, name) -> path(route, name, "acme", "secret"), "{org_id}");
    }
}
