package dev.sheaf.client.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several people in one project: at the same time, and with copies that are merged later.
@SuppressWarnings("NullAway.Init") // set before each test
class TogetherTest {
    private Workshop workshop;
    private Path project;

    @BeforeEach
    void open(@TempDir Path folder) {
        workshop = new Workshop(folder);
        project = workshop.project("project");
        for (String name : List.of("a", "b", "c", "d", "m", "z")) {
            workshop.publish("acme/" + name + ":1.0.0", "skills/skill-" + name + "/SKILL.md " + name);
        }
    }

    @AfterEach
    void close() {
        workshop.close();
    }

    @Test
    void ofSeveralAtOneTimeNothingIsLost() throws Exception {
        var names = List.of("a", "b", "c", "d", "m", "z");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (String name : names) {
                running.add(threads.submit(() -> workshop.add(project, "acme/" + name + ":^1.0")));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }

        assertThat(workshop.in(project).list())
                .map(one -> one.bundle().toString())
                .hasSize(names.size());
        assertThat(Workshop.things(project)).hasSize(2 * names.size());
        assertThat(project.resolve(".sheaf").toFile().list()).containsExactlyInAnyOrder("installed.lock", ".gitignore");
        assertThat(workshop.in(project)
                        .install(InstallOptions.DEFAULT.frozen(true))
                        .written())
                .isZero();
    }

    @Test
    void whatTwoPeopleDidIsMergedByLines() throws IOException, InterruptedException {
        for (String name : List.of("b", "d", "m")) {
            workshop.add(project, "acme/" + name + ":^1.0");
        }
        Path ada = copy("ada");
        Path bob = copy("bob");
        workshop.add(ada, "acme/a:^1.0");
        workshop.publish("acme/m:1.1.0", "skills/skill-m/SKILL.md more");
        workshop.in(bob).update(Set.of(), InstallOptions.DEFAULT);

        for (String name : List.of("sheaf-install.json", "sheaf-install.lock")) {
            var process = new ProcessBuilder(
                            "git",
                            "merge-file",
                            ada.resolve(name).toString(),
                            project.resolve(name).toString(),
                            bob.resolve(name).toString())
                    .start();
            assertThat(process.waitFor()).as("%s has no conflict", name).isZero();
        }
        workshop.in(ada).install(InstallOptions.DEFAULT.frozen(true));

        assertThat(ada.resolve(".claude/skills/skill-m/SKILL.md")).hasContent("more");
        assertThat(InstallLock.read(ada.resolve("sheaf-install.lock"), InstallLevel.PROJECT)
                        .entries())
                .containsOnlyKeys("acme/a", "acme/b", "acme/d", "acme/m");
    }

    private Path copy(String name) throws IOException {
        Path to = workshop.project(name);
        for (String file : Workshop.tree(project).keySet()) {
            Files.createDirectories(to.resolve(file).getParent());
            Files.copy(project.resolve(file), to.resolve(file));
        }
        return to;
    }

    @Test
    void theSameContentGivesTheSameBytesInWhateverOrder() {
        Path other = workshop.project("other");
        workshop.add(project, "acme/a:^1.0");
        workshop.add(project, "acme/z:^1.0");
        workshop.add(other, "acme/z:^1.0");
        workshop.add(other, "acme/a:^1.0");

        assertThat(Workshop.tree(other)).isEqualTo(Workshop.tree(project));
    }
}
