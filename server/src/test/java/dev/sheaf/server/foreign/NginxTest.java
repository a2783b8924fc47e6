package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Nginx;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Behind a real nginx, which passes on what a client says of itself: whose address counts.
@Tag("programs")
class NginxTest {
    private static final String CLIENT = "127.0.0.9"; // the proxy is 127.0.0.1
    private static final List<String> LIES = List.of(
            "\"",
            "\\\"",
            "a\", \"b",
            "127.0.0.1",
            "127.0.0.1, \"",
            "\"127.0.0.1",
            "[",
            "for=127.0.0.1",
            "127.0.0.1,",
            ",");

    @TempDir
    private Path folder;

    @Test
    void whatAClientSaysOfItselfIsNotBelieved() throws Exception {
        try (var app = start("x-forwarded");
                var nginx = nginx(app, "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;")) {
            nobodyIsTheProxy(app, nginx, "X-Forwarded-For", "");
        }
    }

    @Test
    void norInTheStandardHeader() throws Exception {
        try (var app = start("forwarded");
                var nginx = nginx(app, """
                        proxy_set_header Forwarded "$http_forwarded, for=\\"$remote_addr:$remote_port\\";proto=$scheme";
                        """)) {
            nobodyIsTheProxy(app, nginx, "Forwarded", "for=");
        }
    }

    private void nobodyIsTheProxy(TestApp app, Nginx nginx, String header, String before) throws Exception {
        String proxys = keyFor(app, "127.0.0.1/32");
        String clients = keyFor(app, CLIENT + "/32");
        try (var client = HttpClient.newBuilder()
                .localAddress(InetAddress.ofLiteral(CLIENT))
                .build()) {
            for (String lie : LIES) {
                assertThat(status(client, nginx, clients, header, before + lie))
                        .as("the client's own key, and %s", lie)
                        .isEqualTo(200);
                assertThat(status(client, nginx, proxys, header, before + lie))
                        .as("a key for the proxy alone, and %s", lie)
                        .isEqualTo(401);
            }
        }
    }

    private static int status(HttpClient client, Nginx nginx, String key, String header, String value)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create(nginx.url() + "/v1/publisher/me"))
                .header("Authorization", "Bearer " + key)
                .header(header, value)
                .build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    private TestApp start(String header) {
        return TestApp.start(
                folder.resolve("data"), Map.of("trusted-proxies", "127.0.0.1", "forwarded-header", header));
    }

    private Nginx nginx(TestApp app, String directive) throws Exception {
        return Nginx.start(
                folder.resolve("nginx"),
                "proxy_pass %s; proxy_http_version 1.1; proxy_set_header Connection \"\"; %s"
                        .formatted(app.url(), directive));
    }

    private static String keyFor(TestApp app, String block) {
        return app.secret("""
                {"name": "%s", "restrictions": {"cidrs": ["%s"]}}""".formatted(block, block));
    }
}
