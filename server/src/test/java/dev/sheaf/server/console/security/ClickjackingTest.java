package dev.sheaf.server.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.RouteMethod;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Another site puts a page into a frame that nobody sees, so that people click what they did not mean to.
class ClickjackingTest extends OnNode {
    private static void assertNotFramed(String path, HttpResponse<String> answer) {
        if (answer.headers().firstValue("Content-Type").orElse("").startsWith("text/html")) {
            assertThat(answer.headers().firstValue("Content-Security-Policy"))
                    .as(path)
                    .hasValueSatisfying(policy -> assertThat(policy).contains("frame-ancestors 'none'"));
            assertThat(answer.headers().firstValue("X-Frame-Options")).as(path).hasValue("DENY");
        } else if (answer.statusCode() == 200) {
            assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                    .as(path)
                    .doesNotContain("html", "svg", "xml");
        }
    }

    @Test
    void noPageMayBeFramed() {
        app().person("framed@acme.test", "default", "owner");
        try (var owner = PageClient.of(app(), "framed@acme.test");
                var visitor = new PageClient(app().url())) {
            for (var route : app().pages()) {
                if (route.method() == RouteMethod.GET) {
                    String path = route.pattern().replaceAll("\\{[^}]*}", "default");
                    assertNotFramed(path, owner.get(path));
                    assertNotFramed(path, visitor.get(path));
                }
            }
        }
    }

    @Test
    void noRefusalMayBeFramed() {
        try (var visitor = new PageClient(app().url())) {
            assertNotFramed("404", visitor.get("/nobody/nothing"));
            assertNotFramed("401", visitor.post("/account/profile", Map.of("a", "b")));
            assertNotFramed("403", visitor.post("/login", Map.of("a", "b")));
            assertNotFramed("405", visitor.post("/account/sessions", Map.of("a", "b")));
        }
    }
}
