package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A session of two people with three programs for agents, in one git repository, to the letter: what each installs,
/// and how a merge conflict in the lock is settled. `-Dsheaf.golden=write` writes it anew.
@SuppressWarnings("NullAway.Init") // set at the beginning
@Tag("programs")
class TwoPeopleTest {
    private static final Path GOLDEN = Path.of("src/test/resources/sessions/two-people.txt");

    @TempDir
    private Path folder;

    private final StringBuilder seen = new StringBuilder();
    private Recorder recorder;
    private Changing changing;

    private Path home(String person) {
        return folder.resolve(person);
    }

    private Path project(String person) {
        return home(person).resolve("project");
    }

    private void sheaf(String person, int status, String... arguments) {
        var line = new ArrayList<>(List.of(arguments));
        String typed = line.stream()
                .map(word -> word.matches("[A-Za-z0-9_./:@%+=,-]+") ? word : "'" + word + "'")
                .collect(Collectors.joining(" "));
        line.add("--project");
        line.add(project(person).toString());
        var ran = recorder.run("", false, line.toArray(String[]::new));
        String exit = ran.status() == 0 ? "" : "[exit status " + ran.status() + "]\n";
        seen.append("\n").append(person).append("$ sheaf ").append(typed).append("\n");
        seen.append(changing.fixed("session", ran.seen()).replace(project(person) + "/", ""))
                .append(exit);
        assertThat(ran.status()).as(seen.toString()).isEqualTo(status);
    }

    /// Shown without what it prints, which has hashes in it.
    private void git(String person, int status, String... arguments) {
        var line = new ArrayList<>(List.of("-c", "user.name=" + person, "-c", "user.email=" + person + "@example.org"));
        if (!arguments[0].equals("clone")) {
            line.addAll(List.of("-C", project(person).toString()));
        }
        line.addAll(Arrays.asList(arguments));
        var run = Tool.installed("git", "git", home(person)).end("", line.toArray(String[]::new));
        assertThat(run.exit()).as(String.join(" ", arguments) + run.output()).isEqualTo(status);
        seen.append("\n")
                .append(person)
                .append("$ git ")
                .append(String.join(" ", arguments))
                .append("\n");
        run.output()
                .lines()
                .filter(one -> one.startsWith("CONFLICT"))
                .forEach(one -> seen.append(one).append("\n"));
    }

    private void commit(String person, String message) {
        git(person, 0, "add", ".");
        git(person, 0, "commit", "-qm", message);
    }

    private void says(String text) {
        seen.append("\n# ").append(text).append("\n");
    }

    private void publish(TestApp app, String bundle, String skill) {
        String text = "---\\nname: " + skill + "\\ndescription: Does it.\\n---\\n" + skill + "\\n";
        var answer =
                app.post("/v1/namespaces/acme/bundles/" + bundle + ":push", app.admin(), """
                {"version": "1.0.0", "visibility": "public",
                 "manifest": [{"logicalPath": "skills/%s/SKILL.md", "contentText": "%s"}]}""".formatted(skill, text));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    }

    private Map<String, String> skills(String person) throws IOException {
        var tree = new TreeMap<String, String>();
        for (String place : List.of(".agents/skills", ".claude/skills")) {
            try (var all = Files.walk(project(person).resolve(place))) {
                for (Path file : all.filter(Files::isRegularFile).toList()) {
                    tree.put(project(person).relativize(file).toString(), Files.readString(file));
                }
            }
        }
        return tree;
    }

    @Test
    void settleAConflictInTheLock() throws IOException {
        try (var app = TestApp.start(folder.resolve("data"))) {
            recorder = new Recorder(home("home"), app.url());
            changing = new Changing(app.url(), folder.resolve("work"));
            publish(app, "tools", "pdf-forms");
            publish(app, "notes", "take-notes");
            publish(app, "ops", "page-somebody");
            begin();
            both();
            settle();
        }

        assertThat(skills("ada")).isEqualTo(skills("bob")).hasSize(6);
        if ("write".equals(System.getProperty("sheaf.golden"))) {
            Files.createDirectories(GOLDEN.getParent());
            Files.writeString(GOLDEN, seen.toString().stripLeading());
        }
        assertThat(seen.toString().stripLeading()).isEqualTo(Files.readString(GOLDEN));
    }

    private void begin() throws IOException {
        says("Ada works with Claude Code, Cursor and Gemini CLI.");
        for (String sign : List.of(".claude/settings.json", ".cursor/mcp.json", ".gemini/settings.json")) {
            Files.createDirectories(project("ada").resolve(sign).getParent());
            Files.writeString(project("ada").resolve(sign), "{}\n");
        }
        Files.writeString(project("ada").resolve(".gitignore"), "/.agents/skills/\n/.claude/skills/\n");
        git("ada", 0, "init", "-q", "-b", "main");
        sheaf("ada", 0, "add", "acme/tools:^1.0");
        sheaf("ada", 0, "list");
        commit("ada", "Forms");
        says("Bob has the same with one command.");
        git("bob", 0, "clone", "-q", "../ada/project");
        sheaf("bob", 0, "install", "--frozen");
    }

    private void both() {
        says("Both add something.");
        sheaf("ada", 0, "add", "acme/ops");
        commit("ada", "Paging");
        sheaf("bob", 0, "add", "acme/notes");
        commit("bob", "Notes");
        git("bob", 1, "pull", "-q", "--no-rebase", "--no-edit");
    }

    private void settle() throws IOException {
        sheaf("bob", 6, "list");
        sheaf("bob", 6, "install", "--frozen");
        says("Bob keeps what both want: in sheaf-install.json he removes the lines that the merge has added.");
        Path wanted = project("bob").resolve("sheaf-install.json");
        Files.writeString(
                wanted,
                Files.readString(wanted)
                        .lines()
                        .filter(line -> !line.matches("<<<<<<<.*|=======|>>>>>>>.*"))
                        .collect(Collectors.joining("\n", "", "\n")));
        sheaf("bob", 6, "install");
        git("bob", 0, "checkout", "--ours", "-q", "sheaf-install.lock");
        sheaf("bob", 10, "install", "--frozen");
        sheaf("bob", 0, "install");
        commit("bob", "Merge");
        sheaf("bob", 0, "install", "--frozen");
        git("ada", 0, "pull", "-q", "../../bob/project", "main");
        sheaf("ada", 0, "install", "--frozen");
        sheaf("ada", 0, "list");
    }
}
