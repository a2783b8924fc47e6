package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Each command as a person runs it: arguments in; exit status, standard output and standard error out.
class CommandsTest extends CommandLineFixture {
    private static final byte[] SKILL = "# Skill\n".getBytes(StandardCharsets.UTF_8);

    private Path kit() throws IOException {
        Path kit = Files.createDirectories(folder.resolve("kit/skills/a"));
        Files.write(kit.resolve("SKILL.md"), SKILL);
        return folder.resolve("kit");
    }

    @Test
    void pushPrintsThePinnedReferenceAndPullBringsItBack() throws IOException {
        var pushed = run("push", kit().toString(), "acme/kit:1.0.0");
        var pulled =
                run("pull", pushed.out().strip(), "-o", folder.resolve("out").toString());

        assertThat(pushed.status()).isZero();
        assertThat(pushed.out()).matches("acme/kit@sha256:[0-9a-f]{64}\n");
        assertThat(pushed.err()).contains("pushed acme/kit:1.0.0", "1 file, 8 B");
        assertThat(pulled.status()).isZero();
        assertThat(pulled.out()).isEqualTo(folder.resolve("out") + "\n");
        assertThat(pulled.err()).contains("pulled acme/kit:1.0.0", "8 B of it fetched");
        assertThat(folder.resolve("out/skills/a/SKILL.md")).hasBinaryContent(SKILL);
    }

    @Test
    void resolveShowsWhatIsInTheVersion() {
        registry.content.publish("acme/kit:1.0.0", Map.of("skills/a/SKILL.md", SKILL));

        var resolved = run("resolve", "acme/kit");

        assertThat(resolved.status()).isZero();
        assertThat(resolved.out()).contains("acme/kit:1.0.0", "sha256:", "skill", "skills/a/SKILL.md", "8 B");
        assertThat(resolved.said()).isEmpty();
    }

    @Test
    void resolveMarksWhatIsExecutable() {
        registry.content.executables.add("run.sh");
        registry.content.publish("acme/kit:1.0.0", Map.of("run.sh", SKILL, "skills/a/SKILL.md", SKILL));

        assertThat(run("resolve", "acme/kit").out().lines())
                .anyMatch(line -> line.endsWith("  run.sh (executable)"))
                .anyMatch(line -> line.endsWith("  skills/a/SKILL.md"));
        assertThat(run("resolve", "acme/kit", "--tree").out().lines())
                .anyMatch(line -> line.endsWith(" run.sh  8 B (executable)"))
                .anyMatch(line -> line.endsWith(" SKILL.md  8 B"));
    }

    @Test
    void resolveGivesTheRegistrysAnswerAsJson() {
        registry.content.publish("acme/kit:1.0.0", Map.of("skills/a/SKILL.md", SKILL));

        var resolved = run("resolve", "acme/kit:1.0.0", "--json");

        assertThat(resolved.out())
                .contains("\"publishedAt\" : \"2026-01-02T03:04:05Z\"", "\"isSigned\" : false")
                .doesNotContain("null");
    }

    @ParameterizedTest
    @CsvSource({"404, 3", "401, 4", "403, 5", "409, 6", "422, 2", "429, 8", "501, 1"})
    void eachRefusalHasItsExitStatus(int answer, int status) {
        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);
        registry.replace(":resolve", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "3600");
            TinyRegistry.problem(exchange, answer, "code", "the sentence");
        });

        var resolved = run("resolve", "acme/kit");

        assertThat(resolved.status()).isEqualTo(status);
        assertThat(resolved.out()).isEmpty();
        assertThat(resolved.err()).startsWith("sheaf: the sentence\n").contains("request id: request-1");
    }

    @Test
    void everyBrokenRuleIsNamed() {
        registry.replace(
                ":resolve", exchange -> TinyRegistry.send(exchange, 422, """
                        {"status":422,"detail":"/a: bad (and 1 more, see errors)","errors":[
                          {"pointer":"/a","detail":"bad"},{"pointer":"/b","detail":"worse"}]}
                        """.getBytes(StandardCharsets.UTF_8)));

        var resolved = run("resolve", "acme/kit");

        assertThat(resolved.status()).isEqualTo(2);
        assertThat(resolved.err()).contains("  - \"/a\": bad\n  - \"/b\": worse\n");
    }

    @Test
    void adviceHasTheUsersOwnAddress() {
        var resolved = run("resolve", "acme/none", "--url", registry.url().toString());
        var byVariable = run("resolve", "acme/none");
        registry.replace(":resolve", exchange -> TinyRegistry.problem(exchange, 404, "bundle-not-found", "none"));
        var missing = run("resolve", "acme/none", "--url", registry.url().toString());

        assertThat(resolved.err())
                .doesNotContain("login") // it is the version that is missing
                .contains("sheaf versions acme/none --url " + registry.url() + "\n");
        assertThat(byVariable.err()).contains("sheaf versions acme/none\n");
        assertThat(missing.err()).contains("sheaf login --url " + registry.url());
    }

    @Test
    void wrongContentIsSeven() {
        registry.content.publish("acme/kit:1.0.0", Map.of("skills/a/SKILL.md", SKILL));
        registry.content.blobs.put(Digest.sha256(SKILL).toString(), "# Skull\n".getBytes(StandardCharsets.UTF_8));

        var pulled = run("pull", "acme/kit", "-o", folder.resolve("out").toString());

        assertThat(pulled.status()).isEqualTo(7);
        assertThat(pulled.out()).isEmpty();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void anUnreachableRegistryIsNine() {
        environment.put("SHEAF_URL", registry.url().toString());
        registry.close();

        var resolved = run("resolve", "acme/kit");

        assertThat(resolved.status()).isEqualTo(9);
        assertThat(resolved.err()).contains("cannot connect to " + registry.url(), "--url");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "keys",
                "pull",
                "pull acme",
                "pull ACME/kit",
                "push . acme/kit:latest",
                "resolve acme/kit --url ftp://x",
                "keys create ci --scope root",
                "keys revoke 17",
                "keys revoke",
                "keys revoke 01900000-0000-7000-8000-000000000001 --current",
                "keys rotate",
                "login",
                "serve --port 1"
            })
    void misuseIsTwo(String line) {
        var ran = run(line.split(" "));

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("sheaf: ");
        assertThat(registry.requests("")).isEmpty();
    }

    @Test
    void loginChecksTheKeyAndKeepsItForTheNextCommand() {
        registry.requireKey();
        registry.content.publish("acme/kit:1.0.0", Map.of("a", SKILL));
        assertThat(run("resolve", "acme/kit").status()).isEqualTo(4);

        var login = runWith(
                TinyRegistry.KEY + "\n",
                "login",
                "--key-stdin",
                "--url",
                registry.url().toString());
        environment.put("SHEAF_URL", ""); // the address, too, is remembered

        assertThat(login.status()).isZero();
        assertThat(login.out()).isEmpty();
        assertThat(login.err()).contains("as laptop of Acme").doesNotContain(TinyRegistry.KEY);
        assertThat(run("resolve", "acme/kit").status()).isZero();
        assertThat(run("logout").status()).isZero();
        assertThat(run("resolve", "acme/kit").status()).isEqualTo(4);
    }

    @Test
    void loginLeavesOtherSettingsAlone() throws IOException {
        Path settings = folder.resolve("home/.config/sheaf/config.properties");
        Files.createDirectories(settings.getParent());
        Files.writeString(settings, "# mine\nurl = http://old\nother=1");

        runWith("shf_key", "login", "--key-stdin");

        assertThat(settings).hasContent("# mine\nother=1\nurl=" + registry.url() + "\n");
    }

    @Test
    void aKeyThatTheRegistryRefusesIsNotKept() {
        registry.requireKey();

        var login = runWith("shf_wrong", "login", "--key-stdin");

        assertThat(login.status()).isEqualTo(4);
        assertThat(folder.resolve("home")).doesNotExist();
    }

    @Test
    void noLoginHelpsWhereTheEnvironmentHasTheKey() {
        registry.requireKey();
        var without = run("resolve", "acme/kit");
        environment.put("SHEAF_API_KEY", "shf_wrong");
        var with = run("resolve", "acme/kit");

        assertThat(without.err())
                .startsWith("sheaf: no bundle acme/kit can be seen without a key; for a private one: sheaf login --url "
                        + registry.url()
                        + ", or SHEAF_API_KEY=…\n  the registry says: ");
        assertThat(with.err())
                .contains("  set another key in SHEAF_API_KEY, or unset it and log in: sheaf login --url "
                        + registry.url());
    }

    @Test
    void theKeyFromTheEnvironmentIsSent() {
        registry.requireKey();
        registry.content.publish("acme/kit:1.0.0", Map.of("a", SKILL));
        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);

        assertThat(run("resolve", "acme/kit").status()).isZero();
    }

    @Test
    void helpNamesEveryCommandAndExitStatus() throws IOException {
        var help = run("--help").out();

        assertThat(help).contains("push", "resolve", "pull", "keys", "login", "logout", "serve", "config");
        String manual = Files.readString(Path.of("../docs/cli.md"));
        for (ExitCode code : ExitCode.values()) {
            assertThat(help)
                    .containsPattern(
                            "(?m)^ +" + code.status() + " +" + code.meaning().substring(0, 6));
            assertThat(manual).contains("| " + code.status() + " | " + code.meaning() + " |");
        }
    }

    @Test
    void versionIsOneLine() {
        assertThat(run("--version").out()).matches("sheaf \\S+\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"whoami", "logout", "doctor", "pull acme/kit", "verify acme/kit", "lock acme/kit"})
    void anAddressThatIsNoneIsMisuseWhereverItStands(String line) throws IOException {
        environment.put("SHEAF_URL", "ftp://localhost:8080");
        var byVariable = run(line.split(" "));
        environment.put("SHEAF_URL", "");
        Path settings = folder.resolve("home/.config/sheaf/config.properties");
        Files.createDirectories(settings.getParent());
        Files.writeString(settings, "url=http://nonsense/here\n");
        var bySettings = run(line.split(" "));

        assertThat(byVariable.status()).isEqualTo(2);
        assertThat(byVariable.err())
                .startsWith("sheaf: SHEAF_URL: the registry address")
                .doesNotContain("\tat ");
        assertThat(bySettings.status()).isEqualTo(2);
        assertThat(bySettings.err())
                .startsWith("sheaf: " + settings + ": the registry")
                .doesNotContain("\tat ");
    }

    @Test
    void settingsAndLockFilesThatAreNoTextAreNamed() throws IOException {
        environment.put("SHEAF_URL", "");
        Path settings = folder.resolve("home/.config/sheaf/config.properties");
        Files.createDirectories(settings.getParent());
        Files.write(settings, new byte[] {(byte) 0xFF});
        var read = run("whoami");
        environment.remove("SHEAF_URL");
        Path lock = Files.write(folder.resolve("sheaf.lock"), new byte[] {(byte) 0xFF});
        var locked = run("pull", "--frozen", "--lock-file", lock.toString());

        assertThat(read.status()).isEqualTo(1);
        assertThat(read.err()).isEqualTo("sheaf: cannot read " + settings + ": it is not valid UTF-8\n");
        assertThat(locked.err()).isEqualTo("sheaf: cannot read the lock file " + lock + ": it is not valid UTF-8\n");
    }

    @Test
    void whatIsNoRegistryIsNotTakenForOneWithoutTheBundle() {
        registry.replace("/v1/", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            TinyRegistry.send(exchange, 404, "<h1>Not found</h1>".getBytes(StandardCharsets.UTF_8));
        });

        var resolved = run("resolve", "acme/kit");

        assertThat(resolved.status()).isEqualTo(1);
        assertThat(resolved.err()).contains("check the address (--url, SHEAF_URL)");
    }

    @Test
    void aDryRunKnowsWhereTheKeyIsConfinedTo() throws IOException {
        answer("/v1/me", 200, """
                {"credentialType": "api_key", "credentialName": "ci", "scopes": ["write"],
                 "restrictions": {"namespaces": ["other"]}}""");

        var elsewhere = run("push", kit().toString(), "acme/kit:1.0.0", "--dry-run");
        var within = run("push", kit().toString(), "other/kit:1.0.0", "--dry-run");

        registry.content.publish("acme/kit:1.0.0", Map.of("a", SKILL));
        registry.content.descriptions.put("acme/kit", "{\"visibility\": \"public\"}");
        var seen = run("push", kit().toString(), "acme/kit:1.0.0", "--dry-run");

        assertThat(elsewhere.status())
                .as("as that of a push into what cannot be seen")
                .isEqualTo(3);
        assertThat(seen.status()).isEqualTo(5);
        assertThat(elsewhere.err()).contains("the credential ci cannot access acme/kit");
        assertThat(within.status()).isZero();
    }

    private void proxyAnswers(String path, int status) {
        registry.replace(path, exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.getResponseHeaders().set("Retry-After", "3600"); // or it would be tried again
            TinyRegistry.send(exchange, status, "<h1>nginx</h1>".getBytes(StandardCharsets.UTF_8));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {502, 503, 504})
    void aProxyWithoutItsRegistryIsARegistryThatIsNotReached(int status) {
        proxyAnswers(":resolve", status);

        var resolved = run("resolve", "acme/kit");

        assertThat(resolved.status()).isEqualTo(ExitCode.NETWORK.status());
        assertThat(resolved.err()).contains("the registry behind it did not: check that it runs", "sheaf doctor");
    }

    /// It is read-only because somebody wanted that, or its database is down for a minute.
    @ParameterizedTest
    @CsvSource({
        ":push, --public, '{\"status\": 503, \"code\": \"service-unavailable\", \"detail\": \"read-only now\"}'",
        "/uploads, --oci, '{\"errors\": [{\"code\": \"UNAVAILABLE\", \"message\": \"read-only now\"}]}'"
    })
    void aRegistryThatRefusesForNowIsNotCalledBroken(String path, String option, String answer) throws IOException {
        registry.replace(path, exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.getResponseHeaders().set("Retry-After", "60");
            TinyRegistry.send(exchange, 503, answer.getBytes(StandardCharsets.UTF_8));
        });

        var pushed = run("push", kit().toString(), "acme/kit:1.0.0", option);

        assertThat(pushed.status()).isEqualTo(ExitCode.NETWORK.status());
        assertThat(pushed.err())
                .contains("read-only now", "if this goes on, tell the operator")
                .doesNotContain("failed");
    }

    @Test
    void aProxyThatLimitsBodiesIsNamed() throws IOException {
        proxyAnswers(":push", 413);
        proxyAnswers("/blobs/uploads/", 413);

        var pushed = run("push", kit().toString(), "acme/kit:1.0.0");

        assertThat(pushed.status()).isEqualTo(ExitCode.USAGE.status());
        assertThat(pushed.err()).contains("client_max_body_size", "docs/proxy.md");
    }

    @Test
    void theSameContentPushedAgainIsSaidToBeThere() throws IOException {
        var first = run("push", kit().toString(), "acme/kit:1.0.0");
        var again = run("push", kit().toString(), "acme/kit:1.0.0");

        assertThat(first.err()).contains("pushed acme/kit:1.0.0 to " + registry.url());
        assertThat(again.status()).isZero();
        assertThat(again.out()).isEqualTo(first.out());
        assertThat(again.err()).contains("acme/kit:1.0.0 was already at " + registry.url() + ", unchanged, ");
    }

    @Test
    void aPushSaysWhoMayReadTheBundleAndSendsTheMessage() throws IOException {
        registry.content.descriptions.put("acme/kit", "{\"ref\": \"acme/kit\", \"visibility\": \"private\"}");
        var pushed = run("push", kit().toString(), "acme/kit:1.0.0", "--message", "Signs forms.");
        registry.content.descriptions.put("acme/kit", "{\"ref\": \"acme/kit\", \"visibility\": \"public\"}");
        var again = run("push", kit().toString(), "acme/kit:1.0.0", "--json");

        assertThat(pushed.err()).contains("1 file, 8 B; the bundle is private");
        assertThat(registry.messages).containsExactly("Signs forms.", "");
        assertThat(again.out()).contains("\"visibility\" : \"public\"");
    }

    @Test
    void aPushFileByFileSaysThatItsMessageIsLeftOut() throws IOException {
        var pushed = run("push", kit().toString(), "acme/kit:1.0.0", "--oci", "--message", "Signs forms.");

        assertThat(pushed.err()).contains("the message is left out: only a push in one request has one");
    }

    @Test
    void anUpdateWithoutANameSaysWhichVersionsThereAre() throws IOException {
        var resolution = registry.content.publish("acme/kit:1.0.0", Map.of("skills/a/SKILL.md", SKILL));
        registry.content.versions.put("acme/kit:^1.0", resolution);
        String project = folder.resolve("project").toString();
        Files.createDirectories(folder.resolve("project"));
        assertThat(run("add", "acme/kit:^1.0", "--project", project).status()).isZero();
        registry.content.versions.remove("acme/kit:^1.0");

        assertThat(run("update", "--project", project).err()).contains("sheaf versions acme/kit");
    }

    @Test
    void helpSaysWhereTheKeyComesFrom() {
        String key = "The key comes from the variable SHEAF_API_KEY, else from sheaf login.";

        assertThat(run("--help").out()).contains(key);
        assertThat(run("pull", "--help").out()).contains(key, "version or range");
        assertThat(run("tags", "set", "--help").out()).contains(key);
        assertThat(run("lint", "--help").out()).doesNotContain(key);
    }
}
