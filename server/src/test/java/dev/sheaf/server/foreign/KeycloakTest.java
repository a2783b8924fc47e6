package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Keycloak;
import dev.sheaf.server.testing.program.Tool;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A person of Keycloak, from its login form to `docker login`: the real provider, the real command, a real client.
@Tag("programs")
class KeycloakTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String EMAIL = "ada@acme.test";
    private static final String PASSWORD = "a password at the provider";
    private static final String SECRET = "the secret of the client";
    private static final String REALM = "acme";

    @TempDir
    private Path folder;

    private static String realm(String app) {
        return JSON.writeValueAsString(Map.of(
                "realm",
                REALM,
                "enabled",
                true,
                "clients",
                List.of(Map.of(
                        "clientId",
                        "sheaf",
                        "secret",
                        SECRET,
                        "standardFlowEnabled",
                        true,
                        "redirectUris",
                        List.of(app + "/v1/sign-in/oidc/callback"))),
                "users",
                List.of(Map.of(
                        "username",
                        "ada",
                        "email",
                        EMAIL,
                        "emailVerified",
                        true,
                        "firstName",
                        "Ada",
                        "lastName",
                        "Lovelace",
                        "enabled",
                        true,
                        "credentials",
                        List.of(Map.of("type", "password", "value", PASSWORD, "temporary", false))))));
    }

    private static Map<String, String> settings(int port) {
        return Map.of(
                "oidc-issuer",
                Keycloak.issuer(port, REALM),
                "oidc-client-id",
                "sheaf",
                "oidc-client-secret",
                SECRET,
                "oidc-link-by-email",
                "true");
    }

    @Test
    @Timeout(400) // seconds; Keycloak's start takes most of it where other tests run beside this one
    void fromTheLoginFormToAPull() throws Exception {
        Keycloak.assumeThere();
        var docker = Tool.installed("docker", "docker.io", folder.resolve("docker"))
                .with("--host", "unix://" + folder.resolve("no-daemon.sock"));
        assumeTrue(
                Files.exists(Path.of("../cli/target/classes/dev/sheaf/cli/Main.class")),
                "the module cli is not compiled: the build of the whole project does so before this test");
        int port = Ports.free();
        try (var app = TestApp.start(folder.resolve("data"), settings(port));
                var keycloak = Keycloak.start(folder, port, REALM, realm(app.url()));
                var browser = new Browser()) {
            app.person(EMAIL, "default", "publisher");
            app.push("acme/kit", "1.0.0", "private", "# Kit");
            keycloak.awaitUp(REALM);

            signsIn(app, browser);
            String token = logsTheCommandIn(app, browser);
            pulls(app, docker, token);
        }
    }

    private static void signsIn(TestApp app, Browser browser) {
        var form = browser.open(app.url() + "/v1/sign-in/oidc?redirect=/v1/limits");
        assertThat(form.place().getPath()).startsWith("/realms/" + REALM);
        var wrong = browser.submit(form, Map.of("username", "ada", "password", "wrong"));
        assertThat(wrong.html()).contains("Invalid username or password");

        var back = browser.submit(wrong, Map.of("username", "ada", "password", PASSWORD));

        assertThat(back.place().toString()).as(back.html()).isEqualTo(app.url() + "/v1/limits");
        assertThat(browser.has("sheaf_refresh")).isTrue();
    }

    /// Returns the access token that the command has in the end. Somebody who is signed in must sign in once more;
    /// a browser without a session goes to the provider first.
    private String logsTheCommandIn(TestApp app, Browser browser) throws IOException, InterruptedException {
        var login = command("login", "--device", "--url", app.url()).start();
        try (var said = login.inputReader(StandardCharsets.UTF_8);
                var elsewhere = new Browser()) {
            String code = code(said);
            String device = app.url() + "/device?user_code=" + code;
            assertThat(browser.open(device).html()).contains(code, "You are signed in. Sign in once more");
            var page = elsewhere.open(device);
            assertThat(page.html()).contains("name=\"password\"");
            var form = elsewhere.follow(page, "/v1/sign-in/oidc");
            assertThat(form.place().getPath()).startsWith("/realms/" + REALM);
            var asked = elsewhere.submit(form, Map.of("username", "ada", "password", PASSWORD));
            assertThat(asked.html()).contains(EMAIL, code, "Let it in");
            var organization = Pattern.compile("name=\"organization\"><option value=\"([^\"]+)\"")
                    .matcher(asked.html());
            assertThat(organization.find()).as(asked.html()).isTrue();
            var done = elsewhere.submit(
                    asked, "/device/decision", Map.of("decision", "approve", "organization", organization.group(1)));
            assertThat(done.html()).contains("The device has access");
            String rest = said.lines().collect(Collectors.joining("\n"));
            assertThat(login.waitFor()).as(rest).isZero();
        } finally {
            login.destroyForcibly();
        }
        renewsInManyProcesses();
        return stored().get("accessToken").stringValue();
    }

    /// Reads as far as the line with the code: the process ends by itself if nobody decides.
    private static String code(BufferedReader said) throws IOException {
        var pattern = Pattern.compile("type ([A-Z]{4}-[A-Z]{4})$");
        var before = new ArrayList<String>();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            var found = pattern.matcher(line);
            if (found.find()) {
                return found.group(1);
            }
            before.add(line);
        }
        throw new IllegalStateException(String.join("\n", before));
    }

    private JsonNode stored() throws IOException {
        return JSON.readTree(Files.readAllBytes(session()));
    }

    private Path session() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("share"))) {
            return files.filter(file -> file.endsWith("session")).findFirst().orElseThrow();
        }
    }

    /// With a token that has ended, several at one time: if two used the refresh token up, the session would end.
    private void renewsInManyProcesses() throws IOException, InterruptedException {
        var before = stored();
        var old = new LinkedHashMap<String, Object>();
        before.properties().forEach(member -> old.put(member.getKey(), member.getValue()));
        old.put("accessEndsAt", 0);
        Files.write(session(), JSON.writeValueAsBytes(old));
        var runs = new ArrayList<Process>();
        for (int i = 0; i < 3; i++) {
            runs.add(sheaf(folder.resolve("whoami" + i), "whoami"));
        }
        for (int i = 0; i < runs.size(); i++) {
            String output = folder.resolve("whoami" + i).toString();
            assertThat(runs.get(i).waitFor()).as(output).isZero();
            assertThat(Files.readString(Path.of(output))).contains(EMAIL);
        }
        assertThat(stored().get("refreshToken")).isNotEqualTo(before.get("refreshToken"));
        assertThat(sheaf(folder.resolve("again"), "whoami").waitFor()).isZero();
    }

    private Process sheaf(Path output, String... arguments) throws IOException {
        return command(arguments).redirectOutput(output.toFile()).start();
    }

    private ProcessBuilder command(String... arguments) {
        String classpath = Stream.of("cli", "client", "model")
                .map(module -> Path.of("../" + module + "/target/classes")
                        .toAbsolutePath()
                        .toString())
                .collect(Collectors.joining(File.pathSeparator));
        var command = new ArrayList<String>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                String.join(
                        File.pathSeparator,
                        classpath,
                        Path.of("../cli/target/lib/*").toAbsolutePath().toString(),
                        System.getProperty("java.class.path")),
                "dev.sheaf.cli.Main"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("SHEAF_"));
        builder.environment().remove("DBUS_SESSION_BUS_ADDRESS"); // or a keyring of this machine would be used
        builder.environment().put("XDG_DATA_HOME", folder.resolve("share").toString());
        builder.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        return builder;
    }

    /// With what docker has stored: without a daemon it logs in by itself, and does not pull.
    private void pulls(TestApp app, Tool docker, String token) throws IOException {
        String[] login = {"login", "-u", "ada", "--password-stdin", app.host()};
        assertThat(docker.end("wrong", login).exit()).isNotZero();
        assertThat(docker.run(token, login)).contains("Login Succeeded");
        String basic = JSON.readTree(Files.readAllBytes(folder.resolve("docker/.docker/config.json")))
                .get("auths")
                .get(app.host())
                .get("auth")
                .stringValue();
        assertThat(new String(Base64.getDecoder().decode(basic), StandardCharsets.UTF_8))
                .isEqualTo("ada:" + token);
        var bought = app.send(app.request("GET", "/v2/token?scope=repository:acme/kit:pull", null, null)
                .header("Authorization", "Basic " + basic));
        assertThat(bought.status()).as(bought.text()).isEqualTo(200);
        String pull = bought.json().get("token").stringValue();
        var manifest = app.get("/v2/acme/kit/manifests/1.0.0", pull);
        assertThat(manifest.status()).as(manifest.text()).isEqualTo(200);
        String digest = manifest.json().at("/layers/0/digest").stringValue();
        var layer = app.get("/v2/acme/kit/blobs/" + digest, pull);
        assertThat(layer.text()).isEqualTo("# Kit");
        assertThat(digest)
                .isEqualTo(
                        Digest.sha256("# Kit".getBytes(StandardCharsets.UTF_8)).toString());
        assertThat(app.get("/v2/acme/kit/manifests/1.0.0", null).status()).isEqualTo(401);
    }
}
