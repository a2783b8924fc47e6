package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.HttpsFront;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.SelfSigned;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Claude Code of npm as far as it goes without an account: it adds a namespace as a marketplace, and installs and
/// updates plugins. Over https it takes archives, else it clones.
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class ClaudeCodeTest {
    private static final Path PROGRAM =
            Path.of("../target/tools/skills/node_modules/@anthropic-ai/claude-code-linux-x64/claude");

    @TempDir
    private Path folder;

    private Path home;

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(
                Files.isExecutable(PROGRAM),
                PROGRAM + " is missing, as `npm install` makes it of src/test/skills/package.json (see .ci/run)");
        Tool.assumeInstalled("git", "git");
        home = Files.createDirectories(folder.resolve("home"));
    }

    /// With nothing of the account that the tests run under.
    private Tool.Run claude(List<String> environment, String... arguments) {
        var words = new ArrayList<>(List.of("-i", "HOME=" + home, "PATH=" + System.getenv("PATH")));
        words.addAll(List.of("DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "GIT_TERMINAL_PROMPT=0"));
        words.add("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1");
        words.addAll(environment);
        words.add(PROGRAM.toAbsolutePath().normalize().toString());
        words.add("plugin");
        words.addAll(List.of(arguments));
        return Tool.at(Path.of("/usr/bin/env"), home).end("", words.toArray(String[]::new));
    }

    private void ran(List<String> environment, String... arguments) {
        var run = claude(environment, arguments);
        assertThat(run.exit()).as("%s: %s", List.of(arguments), run.output()).isZero();
    }

    private static List<PublishedSkills.File> files(String text) {
        return List.of(
                file("skills/notes/SKILL.md", "---\nname: notes\ndescription: Takes notes.\n---\n" + text + "\n"),
                new PublishedSkills.File("skills/notes/run.sh", "#!/bin/sh\n".getBytes(StandardCharsets.UTF_8), true),
                new PublishedSkills.File("skills/notes/größe/a.bin", new byte[] {0, 13, 10, (byte) 255}, false),
                file("tools/deep/SKILL.md", "---\nname: deep\ndescription: Is deep.\n---\n" + text + "\n"),
                file("agents/helper.md", "---\nname: helper\ndescription: Helps.\n---\nHelp.\n"));
    }

    private static void push(TestApp app, String bundle, String version, String visibility, String text) {
        var body = PublishedSkills.body(version, visibility, files(text).stream());
        var reply = app.post(OnEveryStack.bundle("acme/" + bundle) + ":push", app.admin(), body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private static PublishedSkills.File file(String path, String text) {
        return new PublishedSkills.File(path, text.getBytes(StandardCharsets.UTF_8), false);
    }

    private Path installed(String bundle, String version) {
        return home.resolve(".claude/plugins/cache/acme").resolve(bundle).resolve(version);
    }

    /// With bytes and modes as they were pushed.
    private void isInstalled(String bundle, String version, String text) throws IOException {
        assertThat(PublishedSkills.in(installed(bundle, version))).containsAll(files(text));
    }

    /// Adds a marketplace, installs, updates, and installs what is private with the marketplace's own header.
    private void comesAndGoesOn(TestApp app, String address, List<String> environment) throws IOException {
        push(app, "kit", "1.0.0", "public", "one");
        push(app, "secret", "1.0.0", "private", "hidden");

        ran(environment, "marketplace", "add", address + "/acme/marketplace.json");
        ran(environment, "install", "kit@acme");
        isInstalled("kit", "1.0.0", "one");
        assertThat(claude(environment, "details", "kit").output())
                .contains("Skills (2)", "deep, notes", "Agents (1)", "helper");

        push(app, "kit", "1.1.0", "public", "two");
        ran(environment, "marketplace", "update", "acme");
        ran(environment, "update", "kit@acme");
        isInstalled("kit", "1.1.0", "two");

        assertThat(claude(environment, "install", "secret@acme").exit()).isNotZero();
        sends("Bearer " + app.admin(), address);
        ran(environment, "marketplace", "update", "acme");
        ran(environment, "install", "secret@acme");
        isInstalled("secret", "1.0.0", "hidden");
    }

    /// As settings of a project would have it.
    private void sends(String header, String address) throws IOException {
        for (String file : List.of(".claude/plugins/known_marketplaces.json", ".claude/settings.json")) {
            String url = "\"url\": \"" + address + "/acme/marketplace.json\"";
            String known = Files.readString(home.resolve(file));
            assertThat(known).contains(url);
            Files.writeString(
                    home.resolve(file),
                    known.replace(url, url + ", \"headers\": {\"Authorization\": \"" + header + "\"}"));
        }
    }

    @Test
    void clonesOverHttp() throws Exception {
        try (var app = TestApp.start(folder.resolve("data"))) {
            String helper = "!f() { echo username=key; echo password=" + app.admin() + "; }; f";

            comesAndGoesOn(
                    app,
                    app.url(),
                    List.of(
                            "GIT_CONFIG_COUNT=1",
                            "GIT_CONFIG_KEY_0=credential.helper",
                            "GIT_CONFIG_VALUE_0=" + helper));
        }
    }

    @Test
    void takesArchivesOverHttps() throws Exception {
        var own = SelfSigned.make(folder, "RSA");
        String address = "https://" + SelfSigned.NAME;
        try (var app = TestApp.start(folder.resolve("data"), Map.of("public-url", address));
                var front = HttpsFront.of(app.url(), own)) {
            comesAndGoesOn(
                    app,
                    address,
                    List.of("HTTPS_PROXY=" + front.proxy(), "NODE_EXTRA_CA_CERTS=" + HttpsFront.trusted(folder, own)));

            assertThat(front.asked())
                    .contains(
                            "/acme/marketplace.json",
                            "/acme/kit@1.0.0/plugin.zip",
                            "/acme/kit@1.1.0/plugin.zip",
                            "/acme/marketplace.json key",
                            "/acme/secret@1.0.0/plugin.zip key");
        }
    }
}
