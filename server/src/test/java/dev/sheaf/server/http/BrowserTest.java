package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.App;
import dev.sheaf.server.Welcome;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.SelfSigned;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What browsers are told of answers, and whose pages may call.
class BrowserTest {
    private static final String RESOLVE = "/v1/namespaces/acme/bundles/kit:resolve";
    private static final String APP = "https://app.example.org";

    @TempDir
    private Path folder;

    @Test
    void everyAnswerTellsBrowsersToBeCareful() {
        try (var app = start(Map.of())) {
            for (String path : new String[] {RESOLVE, "/nowhere", "/v2/acme/kit/tags/list", "/problems"}) {
                var reply = app.get(path, null);
                assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
                assertThat(reply.header("Referrer-Policy"))
                        .as(path)
                        .isEqualTo(path.equals("/problems") ? "same-origin" : "no-referrer");
                assertThat(reply.header("Strict-Transport-Security")).isEmpty();
            }
            assertThat(app.get(RESOLVE, null).header("Cross-Origin-Resource-Policy"))
                    .isEqualTo("cross-origin");
            assertThat(app.get(RESOLVE, app.admin()).header("Cross-Origin-Resource-Policy"))
                    .isEqualTo("same-origin");
            var page = app.get("/problems", null);
            assertThat(page.header("X-Frame-Options")).isEqualTo("DENY");
            assertThat(page.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
            assertThat(page.header("Content-Security-Policy")).startsWith("default-src 'none'");
            assertThat(page.header("Permissions-Policy")).contains("camera=()");
            assertThat(page.response().headers().allValues("Content-Security-Policy"))
                    .hasSize(1);
        }
    }

    @Test
    void browsersStayWithTlsWhereTheServiceHasIt() {
        try (var app = start(Map.of("public-url", "https://bundles.example.org"))) {
            assertThat(app.get(RESOLVE, null).header("Strict-Transport-Security"))
                    .isEqualTo("max-age=31536000");
        }
        try (var app = start(Map.of("trusted-proxies", "127.0.0.1"))) {
            assertThat(app.send(app.request("GET", RESOLVE, null, null).header("X-Forwarded-Proto", "https"))
                            .header("Strict-Transport-Security"))
                    .isNotEmpty();
        }
    }

    /// What clients type is another address than the one that a proxy has to be told.
    @Test
    void behindAPublicAddressTheOwnOneIsToldToo() throws Exception {
        var settings = Map.of(
                "data-dir",
                folder.resolve("public").toString(),
                "port",
                "0",
                "public-url",
                "https://bundles.example.org");
        try (var app = App.start(Config.load(settings, Map.of()))) {
            assertThat(new Welcome(false, "sheaf").text(app))
                    .contains("Sheaf is up at https://bundles.example.org (")
                    .contains("), listening on 127.0.0.1:" + app.port() + "\n");
        }
    }

    @Test
    void aNodeWithACertificateIsReachedByHttps() throws Exception {
        var own = SelfSigned.make(folder, "EC");
        var settings = Map.of(
                "data-dir", folder.resolve("data").toString(),
                "port", "0",
                "tls-certificate",
                        Files.writeString(folder.resolve("chain.pem"), own.chain())
                                .toString(),
                "tls-key",
                        Files.writeString(folder.resolve("key.pem"), own.secret())
                                .toString());
        try (var app = App.start(Config.load(settings, Map.of()))) {
            assertThat(app.url()).startsWith("https://127.0.0.1:");
            assertThat(new Welcome(true, "sheaf").text(app))
                    .contains("Sheaf is up at https://", "SHEAF_URL=https://")
                    .doesNotContain("listening on");
        }
    }

    @Test
    void noPageMayCallUnlessItsOriginIsNamed() {
        try (var app = start(Map.of())) {
            assertThat(get(app, APP).header("Access-Control-Allow-Origin")).isEmpty();
            assertThat(get(app, APP).header("Vary")).doesNotContain("Origin");
            assertThat(preflight(app, APP).status()).isEqualTo(405);
        }
    }

    @Test
    void pagesOfNamedOriginsMayCall() {
        try (var app = start(Map.of("cors-origins", APP + ", http://localhost:3000"))) {
            var reply = get(app, APP);
            assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo(APP);
            assertThat(reply.header("Access-Control-Allow-Credentials")).isEqualTo("true");
            assertThat(reply.header("Access-Control-Expose-Headers"))
                    .contains("ETag", "Link", "Location", "RateLimit", "X-Request-Id");
            assertThat(reply.response().headers().allValues("Vary").toString()).contains("Origin");

            var before = preflight(app, APP);
            assertThat(before.status()).isEqualTo(204);
            assertThat(before.header("Access-Control-Allow-Methods")).contains("GET");
            assertThat(before.header("Access-Control-Allow-Headers")).contains("Authorization", "Idempotency-Key");
            assertThat(before.header("Access-Control-Max-Age")).isEqualTo("600");

            for (String other :
                    new String[] {"https://app.example.org.evil.example", "null", "http://app.example.org"}) {
                assertThat(get(app, other).header("Access-Control-Allow-Origin"))
                        .isEmpty();
                assertThat(get(app, other)
                                .response()
                                .headers()
                                .allValues("Vary")
                                .toString())
                        .contains("Origin");
                assertThat(preflight(app, other).status()).isEqualTo(405);
            }
        }
    }

    @Test
    void anyPageMayCallWithoutCookiesWhereAllAreAllowed() {
        try (var app = start(Map.of("cors-origins", "*"))) {
            var reply = get(app, "https://anything.example");

            assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo("*");
            assertThat(reply.header("Access-Control-Allow-Credentials")).isEmpty();
        }
    }

    private TestApp start(Map<String, String> settings) {
        var app = TestApp.start(folder.resolve("data-" + settings.hashCode()), settings);
        assertThat(app.push("acme/kit", "1.0.0", "public", "# Kit").status()).isEqualTo(201);
        return app;
    }

    private static Reply get(TestApp app, String origin) {
        return app.send(app.request("GET", RESOLVE, null, null).header("Origin", origin));
    }

    private static Reply preflight(TestApp app, String origin) {
        return app.send(app.request("OPTIONS", RESOLVE, null, null)
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "GET"));
    }
}
