package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.client.Installation;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Claude Code of npm loads a skill's folder as a plugin and runs its hooks when it starts. It does so with what
/// `sheaf add` wrote with consent, and has nothing to run without. It asks no model: the hooks run before its first
/// request, which no server takes.
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class InstalledHooksTest {
    private static final Path PROGRAM =
            Path.of("../target/tools/skills/node_modules/@anthropic-ai/claude-code-linux-x64/claude");
    private static final RepositoryName KIT = RepositoryName.parse("acme/kit");
    private static final String SKILL = "---\nname: notes\ndescription: Takes notes.\n---\nNote.\n";

    private TestApp app;
    private SheafClient client;
    private Path folder;
    private Path home;
    private Path ran;

    @BeforeEach
    void start(@TempDir Path place) throws IOException {
        assumeTrue(
                Files.isExecutable(PROGRAM),
                PROGRAM + " is missing, as `npm install` makes it of src/test/skills/package.json (see .ci/run)");
        folder = place;
        home = Files.createDirectories(folder.resolve("home"));
        ran = folder.resolve("ran");
        app = TestApp.start(folder.resolve("data"));
        client = SheafClient.of(registry()).cache(folder.resolve("cache")).open();
    }

    @AfterEach
    void stop() {
        if (client != null) {
            client.close();
            app.close();
        }
    }

    private RegistryUrl registry() {
        return RegistryUrl.parse(app.url());
    }

    /// @param below the folder of the skill with the plugin; ends in a slash unless it is empty
    private void push(String version, String below, String... more) {
        var files = new ArrayList<PublishedSkills.File>();
        files.add(file("SKILL.md", SKILL));
        if (more.length > 0) {
            files.add(file(below + more[0], "{\"name\": \"notes\"}"));
            files.add(file(
                    below + more[1],
                    "{\"hooks\": {\"SessionStart\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"touch '" + ran
                            + "'\"}]}]}}"));
        }
        var reply = app.post(
                OnEveryStack.bundle("acme/kit") + ":push",
                app.admin(),
                PublishedSkills.body(version, "public", files.stream()));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        if (more.length > 0) {
            assertThat(reply.json().get("warnings").toString())
                    .contains("runs-programs", below + more[0], "--allow-exec");
        }
    }

    private static PublishedSkills.File file(String inside, String text) {
        return new PublishedSkills.File("skills/notes/" + inside, text.getBytes(StandardCharsets.UTF_8), false);
    }

    private Installation installation() {
        return new Installation(home, InstallLevel.USER, any -> client, Progress.NONE);
    }

    private void add(InstallOptions options) {
        installation()
                .add(
                        List.of(new WantedBundle(
                                registry(),
                                KIT,
                                new VersionSelector.Default(),
                                new TreeSet<>(),
                                new TreeSet<>(Set.of("claude-code")),
                                false)),
                        options);
    }

    /// Starts the program, and returns whether a hook of the skill had run when the program took the prompt, which is
    /// after the hooks of its start.
    private boolean hookRuns() throws Exception {
        Path prompted = folder.resolve("prompted");
        Files.deleteIfExists(prompted);
        Files.deleteIfExists(ran);
        Files.createDirectories(home.resolve(".claude"));
        Files.writeString(
                home.resolve(".claude/settings.json"),
                "{\"hooks\": {\"UserPromptSubmit\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"touch '"
                        + prompted + "'\"}]}]}}");
        var builder = new ProcessBuilder(PROGRAM.toAbsolutePath().normalize().toString(), "-p", "hello");
        builder.environment().clear();
        builder.environment().put("HOME", home.toString());
        builder.environment().put("PATH", System.getenv("PATH"));
        builder.environment().put("DISABLE_TELEMETRY", "1");
        builder.environment().put("DISABLE_AUTOUPDATER", "1");
        builder.environment().put("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
        builder.environment().put("ANTHROPIC_API_KEY", "none");
        builder.environment().put("ANTHROPIC_BASE_URL", "http://127.0.0.1:9");
        Path output = folder.resolve("output");
        var process = builder.directory(
                        Files.createDirectories(folder.resolve("empty")).toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            process.getOutputStream().close();
            Eventually.within(Duration.ofMinutes(2), () -> Files.exists(prompted) || !process.isAlive());
            assertThat(prompted).as(Files.readString(output)).exists();
            return Files.exists(ran);
        } finally {
            process.destroyForcibly();
            process.waitFor(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void runOnlyWithConsent() throws Exception {
        push("1.0.0", "", ".claude-plugin/plugin.json", "hooks/hooks.json");
        refused(() -> add(InstallOptions.DEFAULT));
        push("1.0.1", "");
        add(InstallOptions.DEFAULT);
        int version = 0;
        for (String[] form : new String[][] {
            {"", ".claude-plugin/plugin.json", "hooks/hooks.json"},
            {"", ".claude-plugin/plugin.json", "scripts/start.json"},
            {"", ".Claude-Plugin/plugin.json", "HOOKS/hooks.json"},
            {"assets/deep/", ".claude-plugin/plugin.json", "hooks/hooks.json"},
            {".claude/skills/other/", ".claude-plugin/plugin.json", "hooks/hooks.json"},
            {"", "plugin.json", "hooks/hooks.json"},
            {"", ".claude/settings.local.json", ".claude/settings.json"},
            {"", ".codex/config.toml", ".codex/hooks.json"},
            {"", ".github/hooks/start.json", ".github/plugin/plugin.json"},
            {"", ".cursor/hooks.json", ".cursor-plugin/plugin.json"},
            {"", ".gemini/settings.json", "gemini-extension.json"},
            {"", "opencode.json", ".opencode/plugin/start.js"},
            {"assets/.codex-plugin/", "plugin.json", "hooks.json"}
        }) {
            version++;
            push("1.1." + version, form[0], form[1], form[2]);
            refused(() -> installation().update(Set.of(), InstallOptions.DEFAULT));
            refused(() -> add(InstallOptions.DEFAULT));
        }
        assertThat(hookRuns()).as("without consent").isFalse();

        push("1.2.0", "", ".claude-plugin/plugin.json", "hooks/hooks.json");
        installation().update(Set.of(), InstallOptions.DEFAULT.allowExec(true));
        assertThat(hookRuns()).as("with consent").isTrue();

        Files.delete(home.resolve(".sheaf/installed.lock"));
        deleteSkill();
        refused(() -> installation().install(InstallOptions.DEFAULT));
        assertThat(hookRuns()).as("on another machine").isFalse();
    }

    private void deleteSkill() throws IOException {
        try (var files = Files.walk(home.resolve(".claude/skills"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void refused(Runnable command) {
        assertThatThrownBy(command::run)
                .isInstanceOfSatisfying(
                        SheafException.NeedsConsent.class,
                        failure -> assertThat(failure.next()).contains("--allow-exec"));
    }
}
