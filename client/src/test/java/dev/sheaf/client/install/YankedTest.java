package dev.sheaf.client.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.YankedBundle;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.model.Version;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An installed version that is yanked: every command says so, and it stays.
@SuppressWarnings("NullAway.Init") // set before each test
class YankedTest {
    private static final YankedBundle YANKED =
            new YankedBundle(Workshop.KIT, Version.parse("1.0.0"), "leaks a key", "acme/kit:1.0.1");
    private static final String NOTE = "acme/kit:1.0.0 was yanked: leaks a key; use acme/kit:1.0.1";

    private Workshop workshop;
    private Path project;

    @BeforeEach
    void open(@TempDir Path folder) {
        workshop = new Workshop(folder);
        project = workshop.project("project");
        workshop.publish("acme/kit:1.0.0", "skills/a/SKILL.md a");
        assertThat(workshop.add(project, "acme/kit:^1.0").yanked()).isEmpty();
        workshop.registry.content.yank("acme/kit:1.0.0", "leaks a key", "acme/kit:1.0.1");
    }

    @AfterEach
    void close() {
        workshop.close();
    }

    @Test
    void listSaysSo() {
        assertThat(workshop.in(project).list().getFirst().yanked()).isEqualTo(YANKED);
    }

    @Test
    void outdatedListsItWithoutANewerVersion() {
        assertThat(workshop.in(project).outdated(PullOptions.DEFAULT.refresh(true)))
                .singleElement()
                .satisfies(one -> assertThat(one.yanked()).isEqualTo(YANKED));
    }

    @Test
    void whatTheLockPinsIsInstalledWithANote() {
        Path clone = workshop.project("clone");
        for (boolean frozen : new boolean[] {true, false}) {
            workshop.notices.clear();
            Workshop.copyState(project, clone);

            var report = workshop.in(clone).install(InstallOptions.DEFAULT.frozen(frozen));

            assertThat(report.yanked()).containsExactly(YANKED);
            assertThat(workshop.notices).contains(NOTE);
            assertThat(clone.resolve(".claude/skills/a/SKILL.md")).exists();
        }
    }

    @Test
    void anUpdateLeavesIt() {
        workshop.publish("acme/kit:1.0.1", "skills/a/SKILL.md b");

        var report = workshop.in(project).update(Set.of(), InstallOptions.DEFAULT);

        assertThat(report.yanked()).isEmpty();
        assertThat(workshop.notices).isEmpty();
    }

    @Test
    void withoutTheRegistryTheLastAnswerCountsAndNothingFails() {
        var offline = InstallOptions.DEFAULT.frozen(true).offline(true);
        assertThat(workshop.in(project).install(offline).yanked())
                .as("nothing is known")
                .isEmpty();
        assertThat(workshop.in(project).list().getFirst().yanked()).isEqualTo(YANKED);
        assertThat(workshop.in(project).install(offline).yanked()).containsExactly(YANKED);

        workshop.registry.close();

        assertThat(workshop.in(project).list().getFirst().yanked())
                .as("what was known last")
                .isEqualTo(YANKED);
        assertThat(workshop.in(project)
                        .install(InstallOptions.DEFAULT.frozen(true))
                        .yanked())
                .isEqualTo(List.of(YANKED));
    }
}
