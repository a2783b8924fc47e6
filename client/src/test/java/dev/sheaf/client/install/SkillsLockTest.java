package dev.sheaf.client.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.api.SheafException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Skills installed by `npx skills` are taken over.
@SuppressWarnings("NullAway.Init") // set before each test
class SkillsLockTest {
    private Workshop workshop;
    private Path project;

    @BeforeEach
    void open(@TempDir Path folder) {
        workshop = new Workshop(folder);
        project = workshop.project("project");
        workshop.publish("acme/kit:1.0.0", "skills/a/SKILL.md a", "skills/a/run.sh! sh", "skills/b/SKILL.md b");
    }

    @AfterEach
    void close() {
        workshop.close();
    }

    /// Writes a lock that gives each skill a path at the registry, or a URL elsewhere.
    private Path lock(Map<String, String> skills) throws IOException {
        String text = skills.entrySet().stream()
                .map(skill -> "\"%s\": {\"source\": \"s\", \"sourceUrl\": \"%s\", \"ref\": \"1.0.0\"}"
                        .formatted(
                                skill.getKey(),
                                (skill.getValue().startsWith("/") ? workshop.registry.url() : "") + skill.getValue()))
                .collect(Collectors.joining(",\n", "{\"version\": 1, \"skills\": {", "}}"));
        return Files.writeString(project.resolve("skills-lock.json"), text);
    }

    @Test
    void takesOverFilesWithoutModesAndLinks() throws IOException {
        Files.createDirectories(project.resolve(".agents/skills/a"));
        Files.createDirectories(project.resolve(".claude/skills"));
        Files.writeString(project.resolve(".agents/skills/a/SKILL.md"), "a");
        Files.writeString(project.resolve(".agents/skills/a/run.sh"), "sh");
        Files.createSymbolicLink(project.resolve(".claude/skills/a"), Path.of("../../.agents/skills/a"));

        workshop.in(project).adopt(lock(Map.of("a", "/acme/kit")), workshop.registry.url(), InstallOptions.DEFAULT);

        var things = Workshop.things(project);
        things.remove("skills-lock.json");
        assertThat(things)
                .isEqualTo(Map.of(
                        ".agents/skills/a/SKILL.md", "a",
                        ".agents/skills/a/run.sh", "sh*",
                        ".claude/skills/a", "-> ../../.agents/skills/a"));
        assertThat(workshop.in(project).list().getFirst().things().keySet()).containsExactly(ThingName.parse("a"));
    }

    @Test
    void readsPinnedOnesAndGit() throws IOException {
        for (String path : new String[] {"/acme/kit@1.0.0", "/acme/kit@1.0.0@a", "/acme/kit.git"}) {
            Path file = lock(Map.of("a", path));

            var wish = new SkillsLock(workshop.registry.url(), project, workshop.notices::add)
                    .wishes(file, workshop.in(project).programs());

            assertThat(wish).singleElement().satisfies(one -> {
                assertThat(one.bundle()).isEqualTo(Workshop.KIT);
                assertThat(one.range()).as(path).hasToString("1.0.0");
                assertThat(one.things()).containsExactly(ThingName.parse("a"));
            });
        }
    }

    @Test
    void saysWhatToDoWhereALockHasNoAddress() throws IOException {
        Path file = Files.writeString(project.resolve("skills-lock.json"), """
                {"version": 1, "skills": {
                  "a": {"source": "127.0.0.1", "sourceType": "well-known", "computedHash": "60a4"},
                  "b; rm -rf": {"source": "127.0.0.1", "sourceType": "well-known", "computedHash": "60a4"}}}
                """);

        assertThatThrownBy(() -> workshop.in(project).adopt(file, workshop.registry.url(), InstallOptions.DEFAULT))
                .isInstanceOf(SheafException.InvalidRequest.class)
                .hasMessageContaining("choose another registry, or install a bundle");
        assertThat(workshop.notices)
                .anyMatch(notice -> notice.startsWith("a is left out") && notice.endsWith("install it from its bundle"))
                .noneMatch(notice -> notice.contains("BUNDLE#b;"));
    }

    @Test
    void leavesOutWhatIsFromElsewhere() throws IOException {
        Path file = lock(Map.of(
                "a", "/acme/kit",
                "b", "https://github.com/acme/kit.git",
                "Bad", "/acme/kit",
                "c", "/acme/kit/x/y",
                "d", "file:///etc/passwd"));

        workshop.in(project).adopt(file, workshop.registry.url(), InstallOptions.DEFAULT);

        assertThat(workshop.in(project).list().getFirst().things().keySet()).containsExactly(ThingName.parse("a"));
        assertThat(workshop.notices)
                .filteredOn(notice -> notice.contains("is left out"))
                .hasSize(4);
        assertThatThrownBy(() -> workshop.in(project)
                        .adopt(
                                lock(Map.of("b", "https://github.com/acme/kit.git")),
                                workshop.registry.url(),
                                InstallOptions.DEFAULT))
                .isInstanceOf(SheafException.InvalidRequest.class);
    }
}
