package dev.sheaf.client.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.api.SheafException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Things that run programs by themselves are only written with consent.
class RunsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "---\nname: a\nhooks:\n  PreToolUse: []\n---\n",
                "---\r\nname: a\r\nhooks: {}\r\n---\r\n",
                "\uFEFF---\nhooks: {}\n---\n",
                "---\n{name: a, hooks: {x: y}}\n---\n",
                "---\n\"ho\\u006fks\": {}\n---\n",
                "---\n? hooks\n: {}\n---\n",
                "---\ndescription: not: yaml\nhooks:\n---\n",
                "---\ndescription: &a x\nb: *a\nhooks: {}\n---\n",
                "---\nmcpServers: {}\n---\n",
                "---\nname: a\n---\nToday: !`date`\n",
                "Today:!`date`",
                "text\n```!\ncurl example.org\n```\n",
                "text ```! curl example.org\n```\n",
                "Now: !`curl\nexample.org`",
                "---\nhooks: {}\ndescription: a---\n",
                "---\u00a0\nhooks: {}\n---\u00a0\n",
                "\n---\nhooks: {}\n---\n",
                "---\na: &a {hooks: {}}\n<<: *a\n---\n",
                "---\n<<: {hooks: {}}\n---\n",
                "---\na: 1\na: 2\n\"ho\\x6fks\": {}\n---\n",
                "---\n? [hooks]\n: {}\n---\n",
                "---\nname: a\npermissionMode: bypassPermissions\n---\n",
                "---\nname: a\npermissionMode: [plan]\n---\n"
            })
    void isFound(String document) {
        assertThat(Runs.of(document)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "---\nname: a\ndescription: has hooks, and more\n---\nhooks: in the text\n",
                "# No front matter\nhooks: none\n",
                "Run `date`! Then `ls`.",
                "```sh\ncurl\n```\n",
                "---\nmetadata:\n  hooks: x\n---\n",
                "---\nname: a\n---\nText\n\n---\n\nhooks: in the text\n",
                "Wow!`` `ls`",
                "---\nname: a\npermissionMode: plan\n---\n",
                ""
            })
    void isNotFoundWhereThereIsNone(String document) {
        assertThat(Runs.of(document)).isEmpty();
    }

    @Test
    void isWrittenWithTheOptionAlone(@TempDir Path folder) throws IOException {
        try (var workshop = new Workshop(folder)) {
            Path project = workshop.project("project");
            workshop.publish("acme/kit:1.0.0", "skills/a/SKILL.md a");
            workshop.add(project, "acme/kit:^1.0");
            workshop.publish("acme/kit:1.1.0", "skills/a/SKILL.md Now: !`curl example.org`");
            var before = Workshop.tree(project);

            for (boolean force : new boolean[] {false, true}) {
                assertThatThrownBy(() -> workshop.in(project).update(Set.of(), InstallOptions.DEFAULT.force(force)))
                        .isInstanceOf(SheafException.InvalidRequest.class)
                        .hasMessageContaining("a of acme/kit:1.1.0: !`curl example.org`")
                        .hasMessageContaining("--allow-exec");
                assertThat(Workshop.tree(project)).isEqualTo(before);
            }
            workshop.in(project).update(Set.of(), InstallOptions.DEFAULT.allowExec(true));
            assertThat(project.resolve(".claude/skills/a/SKILL.md")).hasContent("Now: !`curl example.org`");

            Path clone = workshop.project("clone");
            for (String name : new String[] {"sheaf-install.json", "sheaf-install.lock"}) {
                Files.copy(project.resolve(name), clone.resolve(name));
            }
            assertThatThrownBy(() -> workshop.in(clone).install(InstallOptions.DEFAULT.frozen(true)))
                    .as("what somebody else allowed")
                    .isInstanceOf(SheafException.InvalidRequest.class);
            assertThat(clone.resolve(".claude/skills")).doesNotExist();

            Files.delete(project.resolve(".claude/skills/a/SKILL.md"));
            workshop.in(project).install(InstallOptions.DEFAULT.frozen(true));
            assertThat(project.resolve(".claude/skills/a/SKILL.md"))
                    .as("what was allowed here")
                    .exists();
        }
    }

    @Test
    void isFoundInAllFilesThatProgramsTakeForSkills(@TempDir Path folder) {
        try (var workshop = new Workshop(folder)) {
            Path project = workshop.project("project");
            for (String inside : new String[] {"more/SKILL.md", "more/skill.md", ".claude/agents/b.md"}) {
                workshop.publish(
                        "acme/kit:1.0.0", "skills/a/SKILL.md a", "skills/a/" + inside + " ---\nhooks: {}\n---\n");
                assertThatThrownBy(() -> workshop.add(project, "acme/kit:^1.0"))
                        .isInstanceOf(SheafException.InvalidRequest.class)
                        .hasMessageContaining("a of acme/kit:1.0.0, " + inside + ": hooks in its front matter");
            }
            workshop.publish("acme/kit:1.0.0", "skills/a/SKILL.md a", "skills/a/hooks.md ---\nhooks: {}\n---\n");
            workshop.add(project, "acme/kit:^1.0");
        }
    }

    /// The record of what was installed belongs to this machine, but a repository can contain one.
    @Test
    void aNoteThatComesWithAProjectAllowsNothing(@TempDir Path folder) throws IOException {
        try (var workshop = new Workshop(folder)) {
            Path project = workshop.project("project");
            workshop.publish("acme/kit:1.0.0", "skills/a/SKILL.md Now: !`curl example.org`");
            workshop.in(project)
                    .add(Set.of(workshop.wish(project, "acme/kit:^1.0")), InstallOptions.DEFAULT.allowExec(true));
            Path clone = workshop.project("clone");
            Files.createDirectories(clone.resolve(".sheaf"));
            for (String name : new String[] {"sheaf-install.json", "sheaf-install.lock", ".sheaf/installed.lock"}) {
                Files.copy(project.resolve(name), clone.resolve(name));
            }

            assertThatThrownBy(() -> workshop.in(clone).install(InstallOptions.DEFAULT.frozen(true)))
                    .isInstanceOf(SheafException.InvalidRequest.class)
                    .hasMessageContaining("--allow-exec");
            assertThat(clone.resolve(".claude/skills")).doesNotExist();
        }
    }
}
