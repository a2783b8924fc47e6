package dev.sheaf.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.TestApp;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What an organization may not have called: on one stack, for no row is written.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class WebhookTargetsTest {
    private static final String ALL = "/v1/organizations/default/webhooks";

    private final Receiver listener = new Receiver();
    private TestApp app;

    @BeforeAll
    void start(@TempDir Path folder) {
        app = TestApp.start(folder);
    }

    @AfterAll
    void stop() {
        app.close();
        listener.close();
    }

    private int port() {
        return URI.create(listener.url()).getPort();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://hooks.example.org/",
                "https://127.0.0.1/",
                "https://127.0.0.1:%d/",
                "https://127.1/",
                "https://127.0.1:%d/",
                "https://2130706433/",
                "https://0x7f000001/",
                "https://0x7f.1/",
                "https://0177.0.0.1/",
                "https://017700000001/",
                "https://127.0.0.1./",
                "https://0/",
                "https://0.0.0.0/",
                "https://[::1]/",
                "https://[::]/",
                "https://[0:0:0:0:0:0:0:1]/",
                "https://[::ffff:127.0.0.1]/",
                "https://[::ffff:7f00:1]/",
                "https://[::127.0.0.1]/",
                "https://[64:ff9b::7f00:1]/",
                "https://[64:ff9b::169.254.169.254]/",
                "https://[2002:7f00:1::]/",
                "https://[fe80::1]/",
                "https://[fe80::1%%251]/",
                "https://[fc00::1]/",
                "https://[fd00:ec2::254]/",
                "https://[ff02::1]/",
                "https://10.0.0.1/",
                "https://172.16.0.1/",
                "https://192.168.0.1/",
                "https://100.64.0.1/",
                "https://100.100.100.200/",
                "https://169.254.169.254/latest/meta-data/",
                "https://168.63.129.16/",
                "https://192.0.2.1/",
                "https://255.255.255.255/",
                "https://hooks.example.org:22/",
                "https://hooks.example.org:25/",
                "https://hooks.example.org:6379/",
                "https://hooks.example.org:0/",
                "https://hooks.example.org:99999/",
                "https://user@hooks.example.org/",
                "https://user:password@hooks.example.org/",
                "https://hooks.example.org#@127.0.0.1/",
                "https://127.0.0.1\\\\@hooks.example.org/",
                "https:///",
                "https:hooks.example.org",
                "//hooks.example.org/",
                "hooks.example.org",
                "ftp://hooks.example.org/",
                "file:///etc/passwd",
                "gopher://127.0.0.1/",
                "https://hooks example.org/",
                "https://１２７.０.０.１/",
                "https://ⓛocalhost/",
                ""
            })
    void anAddressThatIsNotOfThePublicInternetIsRefused(String url) {
        var reply = app.post(
                ALL, app.admin(), "{\"url\": \"%s\"}".formatted(url.contains("%") ? url.formatted(port()) : url));

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.json().at("/errors/0/pointer").stringValue()).isEqualTo("/url");
        assertThat(listener.received()).isEmpty();
    }

    private static String test(TestApp node, String path) {
        var asked = node.post(path + ":test", node.admin(), "{}");
        assertThat(asked.status()).as(asked.text()).isEqualTo(202);
        return path + "/deliveries/" + asked.json().get("id").stringValue();
    }

    /// Names are looked up where the connection is made: nothing is told of them before.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://localhost:%d/",
                "https://localhost.:%d/",
                "https://ip6-localhost:%d/",
                "https://nowhere.invalid:%d/"
            })
    void aNameOfThisMachineIsNotCalledAndLooksLikeOneThatDoesNotExist(String url) {
        var made = app.post(ALL, app.admin(), "{\"url\": \"%s\"}".formatted(url.formatted(port())));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String path = ALL + "/" + made.json().get("id").stringValue();

        String delivery = test(app, path);

        Eventually.within(
                Duration.ofSeconds(30),
                () -> app.get(delivery, app.admin()).json().get("attemptCount").intValue() == 1);
        assertThat(app.get(delivery, app.admin()).json().at("/attempts/0/error").stringValue())
                .isEqualTo("the host " + URI.create(url.formatted(port())).getHost()
                        + " is not known on the public internet; the setting webhook-private-addresses allows other"
                        + " addresses");
        assertThat(listener.received()).isEmpty();
    }

    @Test
    void whatWasAllowedOnceIsNotCalledAfterTheSettingIsGone(@TempDir Path folder) {
        var settings = new LinkedHashMap<>(Map.of("webhook-http", "true", "webhook-private-addresses", "true"));
        String path;
        try (var receiver = new Receiver()) {
            Secret admin;
            try (var before = TestApp.start(folder, InstantSource.system(), settings)) {
                admin = Secret.of(before.admin());
                var made = before.post(ALL, before.admin(), "{\"url\": \"%s\"}".formatted(receiver.url()));
                path = ALL + "/" + made.json().get("id").stringValue();
            }
            int heard = receiver.received().size();
            try (var after = TestApp.on(folder, admin)) {
                String delivery = test(after, path);

                Eventually.within(
                        Duration.ofSeconds(30),
                        () -> after.get(delivery, after.admin())
                                        .json()
                                        .get("attemptCount")
                                        .intValue()
                                == 1);
                assertThat(after.get(delivery, after.admin())
                                .json()
                                .at("/attempts/0/error")
                                .stringValue())
                        .contains("must begin with https://");
                assertThat(receiver.received()).hasSize(heard);
            }
        }
    }

    @Test
    void aKeyThatIsConfinedToAPartHasNothingToDoWithThem() {
        var key = app.post("/v1/organizations/default/api-keys", app.admin(), """
                        {"name": "part", "scopes": ["admin"], "restrictions": {"namespaces": ["part"]}}""")
                .json()
                .get("key")
                .stringValue();

        assertThat(app.get(ALL, key).status()).isEqualTo(403);
        assertThat(app.post(ALL, key, "{\"url\": \"https://hooks.example.org/\"}")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void anotherOrganizationSeesNothingOfThem() {
        String path = ALL + "/"
                + app.post(ALL, app.admin(), "{\"url\": \"https://hooks.example.org/\"}")
                        .json()
                        .get("id")
                        .stringValue();
        String other = app.secondOrganization("strangers");

        assertThat(app.get(path, other).status()).isIn(403, 404);
        assertThat(app.get(path.replace("default", "strangers"), other).status())
                .isEqualTo(404);
        assertThat(app.send("DELETE", path.replace("default", "strangers"), other, null)
                        .status())
                .isEqualTo(404);
        assertThat(app.get(path, app.admin()).status()).isEqualTo(200);
    }

    @Test
    void everythingWrongIsNamed() {
        var reply = app.post(ALL, app.admin(), """
                {"url": "https://hooks.example.org/", "eventTypes": ["version.publish"], "rateLimit": 0,
                 "headers": {"Host": "x", "Webhook-Id": "1", "A b": "c", "X": "two\\nlines"},
                 "secret": "whsec_short", "namespaces": ["-"], "colour": "red"}""");

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.json()
                        .get("errors")
                        .valueStream()
                        .map(error -> error.get("pointer").stringValue()))
                .contains("/eventTypes/0", "/rateLimit", "/headers", "/secret", "/colour");
    }
}
