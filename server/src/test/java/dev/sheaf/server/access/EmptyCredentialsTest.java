package dev.sheaf.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whoever sends a credential means it: one that holds nothing is a bad one, not none.
class EmptyCredentialsTest {
    private TestApp app;

    @BeforeEach
    void start(@TempDir Path folder) {
        app = TestApp.start(folder);
        assertThat(app.push("acme/kit", "1.0.0", "public", "# Kit").status()).isEqualTo(201);
    }

    @AfterEach
    void stop() {
        app.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Basic Og==",
                "Basic OiA=",
                "Basic dXNlcjo=",
                "Basic ",
                "Basic",
                "Bearer",
                "Bearer ",
                "",
                " ",
                "None"
            })
    void isRefusedOnPublicThingsToo(String sent) {
        for (String path : List.of(
                "/v1/namespaces/acme/bundles/kit:resolve",
                "/v1/hub/bundles",
                "/v2/acme/kit/tags/list",
                "/v2/",
                "/v2/token?scope=repository:acme/kit:pull",
                "/v1/nowhere")) {
            var reply = app.send(app.request("GET", path, null, null).header("Authorization", sent));

            assertThat(reply.status()).as(path).isEqualTo(401);
            assertThat(reply.header("WWW-Authenticate")).as(path).contains("error=\"invalid_token\"");
        }
    }

    @Test
    void isRefusedInTheFormOfTheTokenEndpoint() {
        for (String field : List.of("password", "refresh_token")) {
            var reply = app.form(
                    "/v2/token",
                    null,
                    "grant_type",
                    field,
                    "username",
                    "x",
                    field,
                    "",
                    "service",
                    app.host(),
                    "scope",
                    "repository:acme/kit:pull");

            assertThat(reply.status()).as(field).isEqualTo(401);
        }
        var missing = app.form("/v2/token", null, "grant_type", "password", "service", app.host());
        assertThat(missing.status()).isEqualTo(401);
    }

    @Test
    void whatIsNoBase64NorAKeyIsRefused() {
        for (String pair : List.of("x:nonsense", "nonsense", "x: ", "x:\u0000")) {
            String basic = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
            var reply = app.send(app.request("GET", "/v2/token", null, null).header("Authorization", "Basic " + basic));

            assertThat(reply.status()).as(pair).isEqualTo(401);
        }
    }
}
