package dev.sheaf.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import dev.sheaf.server.webhook.Receiver.Received;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a server has sent is verified by the code of docs/webhooks-verify*.md and by the public libraries of Standard
/// Webhooks: good is what was sent just now, in every other case it is not.
@Timeout(120)
@Tag("programs")
class WebhookGuideTest {
    private static final Path PACKAGES = Path.of("../target/tools/webhooks/node_modules");
    private static final String ALL = "/v1/organizations/default/webhooks";
    private static final Map<String, String> LOOSE =
            Map.of("webhook-http", "true", "webhook-private-addresses", "true");

    /// A delivery, and what its receiver knows.
    ///
    /// @param publicKey as `/.well-known/webhook-keys` has it
    private record Case(String name, Received received, String secret, String publicKey) {
        Case as(String other, byte[] body) {
            return new Case(
                    other,
                    new Received(received.nanos(), received.path(), received.headers(), body),
                    secret,
                    publicKey);
        }

        Case of(String other, Case whoseKeys) {
            return new Case(other, received, whoseKeys.secret, whoseKeys.publicKey);
        }
    }

    @TempDir
    private Path folder;

    private static final List<Case> good = new ArrayList<>();
    private static final List<Case> bad = new ArrayList<>();

    /// One delivery each: of a webhook, of the same while its secret is replaced (known by the old one, and by
    /// the new one), and of a server whose clock is an hour behind.
    @BeforeAll
    static void deliver(@TempDir Path data) {
        good.clear();
        bad.clear();
        try (var app = TestApp.start(data.resolve("now"), LOOSE);
                var receiver = new Receiver()) {
            var first = delivered(app, receiver, "first");
            String path = ALL + "/" + first.received().json().get("subject").stringValue();
            String secret = app.post(path + ":rotate-secret", app.admin(), "{}")
                    .json()
                    .get("secret")
                    .stringValue();
            app.post(path + ":test", app.admin(), "{}");
            var second = receiver.await(2).get(1);
            good.add(first);
            good.add(new Case("known by the old secret", second, first.secret(), first.publicKey()));
            good.add(new Case("known by the new secret", second, secret, first.publicKey()));
        }
        var late = Instant.now().minus(Duration.ofHours(1));
        try (var app = TestApp.start(data.resolve("late"), () -> late, LOOSE);
                var receiver = new Receiver()) {
            var old = delivered(app, receiver, "an hour old");
            bad.add(old);
            bad.add(good.getFirst().of("of another installation", old));
        }
        byte[] body = good.getFirst().received().body().clone();
        body[body.length - 2] ^= 1;
        bad.add(good.getFirst().as("changed on the way", body));
        bad.add(good.getFirst().as("cut short", Arrays.copyOf(body, body.length - 1)));
    }

    private static Case delivered(TestApp app, Receiver receiver, String name) {
        var made = app.post(ALL, app.admin(), """
                {"url": "%s", "eventTypes": ["version.*"]}""".formatted(receiver.url())).json();
        var tested = app.post(ALL + "/" + made.get("id").stringValue() + ":test", app.admin(), "{}");
        assertThat(tested.status()).as(tested.text()).isEqualTo(202);
        var key = app.get("/.well-known/webhook-keys", null).json().at("/keys/0/publicKey");
        var received = receiver.await(1).getFirst();
        return new Case(name, received, made.get("secret").stringValue(), key.stringValue());
    }

    // --- the page ---

    /// The block of the pages in that language.
    private static String block(String language) throws IOException {
        String pages = Files.readString(Path.of("../docs/webhooks.md"))
                + Files.readString(Path.of("../docs/webhooks-verify.md"))
                + Files.readString(Path.of("../docs/webhooks-verify-scripts.md"));
        var found = Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(pages);
        assertThat(found.find()).as(language).isTrue();
        return found.group(1);
    }

    /// Each case in a folder of its own, as files; their folders in order.
    private List<String> written() throws IOException {
        var folders = new ArrayList<String>();
        for (var one :
                java.util.stream.Stream.concat(good.stream(), bad.stream()).toList()) {
            Path own = Files.createDirectories(folder.resolve("cases").resolve(one.name()));
            for (String header : List.of("webhook-id", "webhook-timestamp", "webhook-signature")) {
                Files.writeString(own.resolve(header), one.received().header(header));
            }
            Files.write(own.resolve("body"), one.received().body());
            Files.writeString(own.resolve("secret"), one.secret());
            Files.writeString(own.resolve("key"), one.publicKey());
            folders.add(own.toString());
        }
        return folders;
    }

    private void verifies(Tool program, String... first) throws IOException {
        var arguments = new ArrayList<>(List.of(first));
        arguments.addAll(written());
        String expected = good.stream().map(one -> "true true\n").collect(Collectors.joining())
                + bad.stream().map(one -> "false false\n").collect(Collectors.joining());

        assertThat(program.run("", arguments.toArray(String[]::new))).isEqualTo(expected);
    }

    @Test
    void theCodeOfJava() throws Exception {
        Files.writeString(folder.resolve("WebhookVerifier.java"), block("java"));
        Files.writeString(folder.resolve("Main.java"), """
                import java.nio.file.*;
                import java.util.*;

                class Main {
                    public static void main(String[] folders) throws Exception {
                        for (String folder : folders) {
                            Map<String, String> headers = new HashMap<>();
                            for (String name : List.of("webhook-id", "webhook-timestamp", "webhook-signature")) {
                                headers.put(name, Files.readString(Path.of(folder, name)));
                            }
                            byte[] body = Files.readAllBytes(Path.of(folder, "body"));
                            String secret = Files.readString(Path.of(folder, "secret"));
                            String key = Files.readString(Path.of(folder, "key"));
                            System.out.println(WebhookVerifier.verifyWithSecret(headers, body, secret) + " "
                                    + WebhookVerifier.verifyWithKeys(headers, body, List.of(key)));
                        }
                    }
                }
                """);
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");

        verifies(
                Tool.at(java, folder),
                "-XX:TieredStopAtLevel=1",
                folder.resolve("Main.java").toString());
    }

    @Test
    void theCodeOfPython() throws Exception {
        var python = Tool.installed("python3", "python3", folder);
        assumeTrue(
                python.end("", "-c", "import cryptography").exit() == 0,
                "Python has no package cryptography (Debian's package python3-cryptography)");
        Path main = Files.writeString(folder.resolve("main.py"), block("python") + """

                import pathlib
                import sys

                for folder in map(pathlib.Path, sys.argv[1:]):
                    names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
                    headers = {name: (folder / name).read_text() for name in names}
                    body = (folder / "body").read_bytes()
                    with_secret = verify_with_secret(headers, body, (folder / "secret").read_text())
                    with_keys = verify_with_keys(headers, body, [(folder / "key").read_text()])
                    print(f"{with_secret} {with_keys}".lower())
                """);

        verifies(python, main.toString());
    }

    @Test
    void theCodeOfJavaScript() throws Exception {
        var node = Tool.installed("node", "nodejs", folder);
        Files.writeString(folder.resolve("verify.mjs"), block("javascript"));
        Path main = Files.writeString(folder.resolve("main.mjs"), """
                import { readFileSync } from "node:fs";
                import { verifyWithKeys, verifyWithSecret } from "./verify.mjs";

                for (const folder of process.argv.slice(2)) {
                  const read = (name) => readFileSync(`${folder}/${name}`);
                  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
                  const headers = Object.fromEntries(names.map((name) => [name, read(name).toString()]));
                  const x = Buffer.from(read("key").toString().slice(5), "base64").toString("base64url");
                  const keys = [{ kty: "OKP", crv: "Ed25519", x, use: "sig", alg: "EdDSA" }];
                  const withSecret = verifyWithSecret(headers, read("body"), read("secret").toString());
                  console.log(`${withSecret} ${verifyWithKeys(headers, read("body"), keys)}`);
                }
                """);

        verifies(node, main.toString());
    }

    @Test
    void theCodeOfTheShell() throws Exception {
        Tool.assumeInstalled("openssl", "openssl");
        var bash = Tool.installed("bash", "bash", folder);
        Path main = Files.writeString(folder.resolve("main.sh"), "set -u\n" + block("bash") + """

                told() { if "$@"; then printf true; else printf false; fi; }
                for folder; do
                  WEBHOOK_ID=$(<"$folder/webhook-id")
                  WEBHOOK_TIMESTAMP=$(<"$folder/webhook-timestamp")
                  WEBHOOK_SIGNATURE=$(<"$folder/webhook-signature")
                  told verify_with_secret "$(<"$folder/secret")" "$folder/body"
                  printf ' '
                  told verify_with_key "$(<"$folder/key")" "$folder/body"
                  echo
                done
                """);

        verifies(bash, main.toString());
    }

    /// What the page says is sent, is.
    @Test
    void theRequestOfThePage() throws IOException {
        var names = Pattern.compile("^([A-Za-z-]+): ", Pattern.MULTILINE)
                .matcher(block("http"))
                .results()
                .map(header -> header.group(1).toLowerCase(java.util.Locale.ROOT))
                .toList();
        var sent = good.getFirst().received().headers();

        assertThat(names).contains("webhook-id");
        assertThat(sent.keySet()).containsAll(names);
        assertThat(sent.keySet()).filteredOn(name -> !names.contains(name)).isSubsetOf("content-length", "connection");
        assertThat(sent).containsEntry("user-agent", "Sheaf").containsEntry("content-type", "application/json");
    }

    // --- the public libraries ---

    @Test
    void theLibraryOfJava() throws Exception {
        for (var one : good) {
            new Webhook(one.secret()).verify(text(one), headers(one));
        }
        for (var one : bad) {
            assertThatThrownBy(() -> new Webhook(one.secret()).verify(text(one), headers(one)))
                    .as(one.name())
                    .isInstanceOf(WebhookVerificationException.class);
        }
    }

    private static String text(Case one) {
        return new String(one.received().body(), StandardCharsets.UTF_8);
    }

    private static Map<String, List<String>> headers(Case one) {
        return one.received().headers().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue())));
    }

    /// It knows `v1` only.
    @Test
    void theLibraryOfJavaScript() throws Exception {
        var node = Tool.installed("node", "nodejs", folder);
        assumeTrue(
                Files.isDirectory(PACKAGES),
                PACKAGES + " is missing, as `npm install` makes it of src/test/webhooks/package.json (see .ci/run)");
        Path main = Files.writeString(folder.resolve("library.cjs"), """
                const { readFileSync } = require("node:fs");
                const { Webhook } = require("PACKAGES/standardwebhooks");

                for (const folder of process.argv.slice(2)) {
                  const read = (name) => readFileSync(`${folder}/${name}`).toString();
                  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
                  const headers = Object.fromEntries(names.map((name) => [name, read(name)]));
                  let good = true;
                  try {
                    new Webhook(read("secret")).verify(read("body"), headers);
                  } catch {
                    good = false;
                  }
                  console.log(`${good} ${good}`);
                }
                """.replace(
                        "PACKAGES", PACKAGES.toAbsolutePath().toString()));

        verifies(node, main.toString());
    }
}
