package dev.sheaf.client.install;

import static dev.sheaf.client.install.Workshop.KIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.RepositoryName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is installed, updated and removed in the folders of programs for agents, and what is kept.
@SuppressWarnings("NullAway.Init") // set before each test
class InstallationTest {
    private Workshop workshop;
    private Path project;

    @BeforeEach
    void open(@TempDir Path folder) {
        workshop = new Workshop(folder);
        project = workshop.project("project");
        workshop.publish(
                "acme/kit:1.0.0", "skills/pdf/SKILL.md one", "skills/pdf/run.sh! sh", "skills/sql/SKILL.md sql");
    }

    @AfterEach
    void close() {
        workshop.close();
    }

    private void second() {
        workshop.publish(
                "acme/kit:1.1.0", "skills/pdf/SKILL.md two", "skills/pdf/run.sh! sh", "skills/sql/SKILL.md sql");
    }

    @Test
    void writesToTheFolderOfEachProgramWithModes() {
        var report = workshop.add(project, "acme/kit:^1.0");

        assertThat(Workshop.things(project))
                .isEqualTo(Map.of(
                        ".agents/skills/pdf/SKILL.md", "one",
                        ".agents/skills/pdf/run.sh", "sh*",
                        ".agents/skills/sql/SKILL.md", "sql",
                        ".claude/skills/pdf/SKILL.md", "one",
                        ".claude/skills/pdf/run.sh", "sh*",
                        ".claude/skills/sql/SKILL.md", "sql"));
        assertThat(report.written()).isEqualTo(6);
        assertThat(report.changes()).singleElement().satisfies(change -> {
            assertThat(change.added()).map(ThingName::toString).containsExactly("pdf", "sql");
            assertThat(change.to()).hasToString("1.0.0");
        });
    }

    @Test
    void writesAgentsAndCommandsWhereTheProgramsReadThem() {
        workshop.publish(
                "acme/team:1.0.0",
                "agents/reviewer.agent.md A",
                "commands/ship.md C",
                "rules/Bad_Name.md R",
                "docs/x.md D");

        workshop.add(project, "acme/team:^1.0");

        assertThat(Workshop.things(project))
                .isEqualTo(Map.of(
                        ".claude/agents/reviewer.md", "A",
                        ".claude/commands/ship.md", "C",
                        ".cursor/agents/reviewer.md", "A",
                        ".cursor/commands/ship.md", "C",
                        ".gemini/agents/reviewer.md", "A"));
        assertThat(workshop.notices)
                .anyMatch(notice -> notice.startsWith("rules/Bad_Name.md is left out"))
                .contains("acme/team:1.0.0: left out 1 file (docs/x.md), because agent programs do not read such files;"
                        + " a pull gets all files");
        workshop.notices.clear();
        workshop.in(project).update(Set.of(), InstallOptions.DEFAULT);
        assertThat(workshop.notices).isEmpty(); // nothing has changed
        workshop.publish("acme/team:1.1.0", "commands/ship.md C", "rules/Bad_Name.md R");
        workshop.in(project).update(Set.of(), InstallOptions.DEFAULT);
        assertThat(workshop.notices).anyMatch(notice -> notice.startsWith("rules/Bad_Name.md is left out"));
    }

    @Test
    void installsOnlyTheSkillsThatAreNamed() {
        workshop.add(project, "acme/kit:^1.0", "sql");

        assertThat(Workshop.things(project))
                .isEqualTo(Map.of(".agents/skills/sql/SKILL.md", "sql", ".claude/skills/sql/SKILL.md", "sql"));
        assertThatThrownBy(() -> workshop.add(project, "acme/kit:^1.0", "none"))
                .isInstanceOf(SheafException.NotFound.class)
                .hasMessageContaining("pdf, sql");
    }

    @Test
    void anUpdateKeepsProgramsModesAndWhatSomebodyChanged() throws IOException {
        workshop.add(project, "acme/kit:^1.0");
        Files.writeString(project.resolve(".claude/skills/sql/SKILL.md"), "mine");
        Files.delete(project.resolve(".cursor"));
        second();

        var report = workshop.in(project).update(Set.of(), InstallOptions.DEFAULT);

        assertThat(Workshop.things(project))
                .isEqualTo(Map.of(
                        ".agents/skills/pdf/SKILL.md", "two",
                        ".agents/skills/pdf/run.sh", "sh*",
                        ".agents/skills/sql/SKILL.md", "sql",
                        ".claude/skills/pdf/SKILL.md", "two",
                        ".claude/skills/pdf/run.sh", "sh*",
                        ".claude/skills/sql/SKILL.md", "mine"));
        assertThat(report.kept()).containsExactly(".claude/skills/sql/SKILL.md");
        assertThat(workshop.in(project).wanted())
                .singleElement()
                .satisfies(wish -> assertThat(wish.agents()).containsExactly("claude-code", "cursor", "gemini-cli"));
    }

    @Test
    void whatBothSidesChangedIsKeptUntilForced() throws IOException {
        workshop.add(project, "acme/kit:^1.0");
        Files.writeString(project.resolve(".claude/skills/pdf/SKILL.md"), "mine");
        second();
        var before = Workshop.tree(project);

        assertThatThrownBy(() -> workshop.in(project).update(Set.of(KIT), InstallOptions.DEFAULT))
                .isInstanceOf(SheafException.Conflict.class)
                .hasMessageContaining(".claude/skills/pdf/SKILL.md")
                .hasMessageEndingWith("Move them away, or have them replaced");
        assertThat(Workshop.tree(project)).isEqualTo(before);

        workshop.in(project).update(Set.of(KIT), InstallOptions.DEFAULT.force(true));
        assertThat(project.resolve(".claude/skills/pdf/SKILL.md")).hasContent("two");
    }

    @Test
    void somebodysOwnSkillIsNeverReplacedUnasked() throws IOException {
        Files.createDirectories(project.resolve(".agents/skills/sql"));
        Files.writeString(project.resolve(".agents/skills/sql/SKILL.md"), "my own");
        var before = Workshop.tree(project);

        assertThatThrownBy(() -> workshop.add(project, "acme/kit:^1.0")).isInstanceOf(SheafException.Conflict.class);

        assertThat(Workshop.tree(project)).isEqualTo(before);
    }

    @Test
    void aWarmCacheInstallsTheSameElsewhereWithoutTheRegistry() throws IOException {
        workshop.add(project, "acme/kit:^1.0");
        Path other = elsewhere(project);
        second();
        workshop.registry.close();

        workshop.in(other).install(InstallOptions.DEFAULT.frozen(true).offline(true));

        assertThat(Workshop.tree(other)).isEqualTo(Workshop.tree(project));
    }

    /// Returns a copy like a clone: the two files without skills.
    private Path elsewhere(Path from) throws IOException {
        Path other = workshop.project("other");
        for (String name : List.of("sheaf-install.json", "sheaf-install.lock")) {
            Files.copy(from.resolve(name), other.resolve(name));
        }
        return other;
    }

    @Test
    void aFrozenInstallRefusesWhatIsNotLocked() throws IOException {
        workshop.add(project, "acme/kit:^1.0");
        Path other = elsewhere(project);
        String wanted = Files.readString(other.resolve("sheaf-install.json"));
        for (String[] edit : new String[][] {{"\"^1.0\"", "\"^2.0\""}, {"\"cursor\"", "\"kiro\""}, {"copy", "link"}}) {
            Files.writeString(other.resolve("sheaf-install.json"), wanted.replace(edit[0], edit[1]));
            var before = Workshop.tree(other);

            assertThatThrownBy(() -> workshop.in(other).install(InstallOptions.DEFAULT.frozen(true)))
                    .as(edit[1])
                    .isInstanceOf(SheafException.OutOfDate.class);
            assertThat(Workshop.tree(other)).isEqualTo(before);
        }
    }

    /// As in other package managers, what is there afterwards equals the lock; but nobody loses work unasked.
    @Test
    void aFrozenInstallNamesAChangedFileAndTheWaysOut() throws IOException {
        workshop.add(project, "acme/kit:^1.0");
        Path file = project.resolve(".claude/skills/pdf/SKILL.md");
        String locked = Files.readString(file);
        Files.writeString(file, "mine");

        assertThatThrownBy(() -> workshop.in(project).install(InstallOptions.DEFAULT.frozen(true)))
                .isInstanceOf(SheafException.Conflict.class)
                .hasMessageContainingAll(
                        "a frozen installation has exactly what the lock says", ".claude/skills/pdf/SKILL.md");
        assertThat(file).hasContent("mine");

        workshop.in(project).install(InstallOptions.DEFAULT.frozen(true).force(true));

        assertThat(file).hasContent(locked);
    }

    @Test
    void oneCopyAndLinksToItAreKeptSoByAnUpdate() {
        var wish = workshop.wish(project, "acme/kit:^1.0", "pdf");
        var linked = new WantedBundle(wish.registry(), wish.bundle(), wish.range(), wish.things(), wish.agents(), true);
        workshop.in(project).add(List.of(linked), InstallOptions.DEFAULT);
        second();

        workshop.in(project).update(Set.of(), InstallOptions.DEFAULT);

        assertThat(Workshop.things(project))
                .isEqualTo(Map.of(
                        ".agents/skills/pdf/SKILL.md", "two",
                        ".agents/skills/pdf/run.sh", "sh*",
                        ".claude/skills/pdf", "-> ../../.agents/skills/pdf"));
        assertThat(project.resolve(".claude/skills/pdf/SKILL.md")).hasContent("two");
    }

    @Test
    void removeTakesAwayWhatNobodyChanged() throws IOException {
        workshop.add(project, "acme/kit:^1.0");
        Files.writeString(project.resolve(".claude/skills/sql/SKILL.md"), "mine");
        Files.writeString(project.resolve(".claude/skills/pdf/notes.txt"), "notes");

        workshop.in(project).remove(KIT, Set.of(ThingName.parse("pdf")), InstallOptions.DEFAULT);
        assertThat(workshop.in(project).list().getFirst().things().keySet())
                .map(ThingName::toString)
                .containsExactly("sql");
        workshop.in(project).remove(KIT, Set.of(), InstallOptions.DEFAULT);

        assertThat(Workshop.things(project))
                .isEqualTo(Map.of(".claude/skills/sql/SKILL.md", "mine", ".claude/skills/pdf/notes.txt", "notes"));
        assertThat(workshop.in(project).list()).isEmpty();
    }

    @Test
    void aVersionThatIsNoLongerWhatItWasIsRefused() {
        workshop.add(project, "acme/kit:^1.0");
        workshop.publish("acme/kit:1.0.0", "skills/pdf/SKILL.md evil");
        var before = Workshop.tree(project);

        assertThatThrownBy(() -> workshop.in(project).update(Set.of(), InstallOptions.DEFAULT))
                .isInstanceOf(SheafException.Integrity.class)
                .hasMessageContaining("A version never changes");
        assertThat(Workshop.tree(project)).isEqualTo(before);
    }

    @Test
    void twoBundlesWithOneNameAreToldApart() {
        workshop.add(project, "acme/kit:^1.0");
        workshop.publish("other/kit:1.0.0", "skills/pdf/SKILL.md theirs", "skills/zip/SKILL.md zip");

        assertThatThrownBy(() -> workshop.add(project, "other/kit:^1.0"))
                .isInstanceOf(SheafException.Conflict.class)
                .hasMessageContaining("both acme/kit and other/kit have pdf");

        workshop.add(project, "other/kit:^1.0", "zip");
        assertThat(project.resolve(".claude/skills/zip/SKILL.md")).hasContent("zip");
    }

    @Test
    void whatIsOutdatedIsToldAndNothingIsWritten() {
        workshop.add(project, "acme/kit:^1.0");
        assertThat(workshop.in(project).outdated(PullOptions.DEFAULT.refresh(true)))
                .isEmpty();
        second();
        var before = Workshop.tree(project);

        var outdated = workshop.in(project).outdated(PullOptions.DEFAULT.refresh(true));

        assertThat(outdated).singleElement().satisfies(one -> {
            assertThat(one.bundle()).isEqualTo(KIT);
            assertThat(one.current()).hasToString("1.0.0");
            assertThat(one.wanted()).hasToString("1.1.0");
        });
        assertThat(Workshop.tree(project)).isEqualTo(before);
        assertThat(project.resolve(".sheaf").toFile().list()).containsExactlyInAnyOrder("installed.lock", ".gitignore");
    }

    @Test
    void installAgainWritesNothingAndAsksOnlyForYanks() {
        workshop.add(project, "acme/kit:^1.0");
        workshop.in(project).install(InstallOptions.DEFAULT.offline(true));
        int before = workshop.registry.requests("/").size();

        var report = workshop.in(project).install(InstallOptions.DEFAULT);

        assertThat(report.written()).isZero();
        assertThat(report.changes()).isEmpty();
        assertThat(workshop.registry.requests("/"))
                .as("this registry is too old for verdicts")
                .hasSize(before + 2);
        assertThat(workshop.registry.requests(":resolve").getLast().query()).isEqualTo("version=1.0.0");
    }

    @Test
    void addingMoreKeepsWhatThereIs() {
        workshop.add(project, "acme/kit:^1.0", "pdf");
        second();

        workshop.add(project, "acme/kit", "sql");

        var wish = workshop.in(project).wanted().getFirst();
        assertThat(wish.range()).hasToString("^1.0");
        assertThat(wish.things()).isEqualTo(new TreeSet<>(Set.of(ThingName.parse("pdf"), ThingName.parse("sql"))));
        assertThat(workshop.in(project).list().getFirst().bundle()).isEqualTo(RepositoryName.parse("acme/kit"));
    }
}
