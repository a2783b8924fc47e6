package dev.sheaf.client.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Untrusted projects, with their lock, journal and links; and a registry that lies.
@SuppressWarnings("NullAway.Init") // set before each test
class HostileProjectTest {
    private Workshop workshop;
    private Path project;
    private Path outside;

    @BeforeEach
    void open(@TempDir Path folder) throws IOException {
        workshop = new Workshop(folder);
        project = workshop.project("project");
        outside = Files.createDirectories(folder.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "precious");
        workshop.publish("acme/kit:1.0.0", "skills/pdf/SKILL.md one", "skills/pdf/run.sh! sh");
    }

    @AfterEach
    void close() {
        assertThat(outside.resolve("precious")).hasContent("precious");
        assertThat(outside.toFile().list()).containsExactly("precious");
        workshop.close();
    }

    private void refused(Class<? extends SheafException> how, String words) {
        var before = Workshop.tree(workshop.folder);
        before.keySet().removeIf(name -> name.startsWith("cache/"));
        for (boolean force : new boolean[] {false, true}) {
            var options = InstallOptions.DEFAULT.force(force);
            assertThatThrownBy(() -> workshop.in(project).install(options))
                    .isInstanceOf(how)
                    .hasMessageContaining(words);
            assertThatThrownBy(() -> workshop.in(project).update(Set.of(), options))
                    .isInstanceOf(how);
        }
        assertThat(outsideOfTheCache()).isEqualTo(before);
    }

    private SortedMap<String, String> outsideOfTheCache() {
        var tree = Workshop.tree(workshop.folder);
        tree.keySet().removeIf(name -> name.startsWith("cache/"));
        return tree;
    }

    private void edit(String name, String from, String to) throws IOException {
        Path file = project.resolve(name);
        String text = Files.readString(file);
        assertThat(text).contains(from);
        Files.writeString(file, text.replace(from, to));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../outside/pdf",
                ".git/hooks/pdf",
                ".claude/skills/../../../outside/pdf",
                "/etc/pdf",
                ".claude/skills/sql",
                ".claude/skills/pdf/",
                ".claude//skills/pdf",
                ".CLAUDE/skills/pdf",
                ".claude/agents/pdf.md",
                "src",
                "."
            })
    void aLockThatNamesAnotherPlaceIsRefused(String place) throws IOException {
        workshop.add(project, "acme/kit:^1.0");
        edit("sheaf-install.lock", "\".claude/skills/pdf\"", '"' + place + '"');

        refused(SheafException.Local.class, "no known program reads it for pdf");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../SKILL.md", "/SKILL.md", "a/../../b", ".git/config", "skill.md\": \"sha256:x", "a\\\\b", ""})
    void aLockThatNamesAFileElsewhereIsRefused(String path) throws IOException {
        workshop.add(project, "acme/kit:^1.0");
        edit("sheaf-install.lock", "\"run.sh\"", '"' + path + '"');

        refused(SheafException.Local.class, "sheaf-install.lock:");
    }

    @Test
    void aLockWithOtherFilesThanTheVersionIsRefused() throws IOException {
        workshop.publish("acme/evil:1.0.0", "skills/pdf/SKILL.md evil");
        workshop.add(project, "acme/kit:^1.0");
        var piece = new BundlePart.Piece(Digest.sha256("evil".getBytes(StandardCharsets.UTF_8)), false);
        var lock = InstallLock.read(project.resolve("sheaf-install.lock"), InstallLevel.PROJECT);
        var entry = lock.find(Workshop.KIT).orElseThrow();
        var placed = entry.things().firstEntry().getValue();
        var files = new TreeMap<>(placed.thing().files());
        files.put("SKILL.md", piece);
        var changed = new LockedBundle.Placed(new BundlePart(placed.thing().name(), files), placed.places(), false);
        var things = new TreeMap<>(entry.things());
        things.put(placed.thing().name(), changed);
        var forged = new LockedBundle(
                entry.registry(),
                entry.bundle(),
                entry.range(),
                entry.version(),
                entry.manifest(),
                things,
                new TreeSet<>());
        Files.writeString(
                project.resolve("sheaf-install.lock"),
                InstallLock.of(Set.of(forged)).text());
        var before = outsideOfTheCache();

        assertThatThrownBy(() -> workshop.in(project)
                        .install(InstallOptions.DEFAULT.frozen(true).force(true)))
                .isInstanceOf(SheafException.OutOfDate.class)
                .hasMessageContaining("does not match acme/kit:1.0.0");
        assertThat(outsideOfTheCache()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({".claude,.", ".claude/skills,.", ".claude/skills/pdf,..", ".agents,."})
    void nothingIsWrittenThroughALink(String link, String ignored) throws IOException {
        Path place = project.resolve(link);
        Files.deleteIfExists(place);
        Files.createDirectories(place.getParent());
        Files.createSymbolicLink(place, outside);

        assertThatThrownBy(() -> workshop.add(project, "acme/kit:^1.0"))
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContaining("a symbolic link");
        assertThat(Workshop.things(project)).containsOnlyKeys(link);
    }

    @Test
    void nothingIsRemovedThroughALink() throws IOException {
        workshop.add(project, "acme/kit:^1.0");
        Path skills = project.resolve(".claude/skills");
        Path moved = Files.move(skills, workshop.folder.resolve("moved"));
        Files.createSymbolicLink(skills, moved);

        workshop.in(project).remove(Workshop.KIT, Set.of(), InstallOptions.DEFAULT.force(true));

        assertThat(moved.resolve("pdf/SKILL.md")).hasContent("one");
        assertThat(project.resolve(".agents/skills")).doesNotExist();
    }

    @Test
    void aLinkInPlaceOfAFileIsNotFollowed() throws IOException {
        Files.createDirectories(project.resolve(".claude/skills/pdf"));
        Files.createSymbolicLink(project.resolve(".claude/skills/pdf/SKILL.md"), outside.resolve("precious"));

        assertThatThrownBy(() -> workshop.add(project, "acme/kit:^1.0")).isInstanceOf(SheafException.Conflict.class);
        workshop.in(project).add(Set.of(workshop.wish(project, "acme/kit:^1.0")), InstallOptions.DEFAULT.force(true));

        assertThat(project.resolve(".claude/skills/pdf/SKILL.md"))
                .hasContent("one")
                .isRegularFile();
        assertThat(Files.isSymbolicLink(project.resolve(".claude/skills/pdf/SKILL.md")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sheaf-install.json", "sheaf-install.lock"})
    void filesThatAreLinksAreRefused(String name) throws IOException {
        workshop.add(project, "acme/kit:^1.0");
        Path file = project.resolve(name);
        Path moved = Files.move(file, workshop.folder.resolve("moved"));
        Files.createSymbolicLink(file, moved);

        refused(SheafException.InvalidRequest.class, "a link");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sheaf-install.json", "sheaf-install.lock"})
    void aMergeThatIsNotSettledIsRefused(String name) throws IOException {
        workshop.add(project, "acme/kit:^1.0");
        Path file = project.resolve(name);
        Files.writeString(file, "<<<<<<< HEAD\n" + Files.readString(file) + "=======\n>>>>>>> theirs\n");

        refused(SheafException.Conflict.class, name + ":1: this file has conflict markers of a merge");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"path\": \"../outside/precious\", \"before\": {\"nothing\": true}, \"after\": {\"nothing\": true}}",
                "{\"path\": \".git/hooks/x\", \"before\": {\"nothing\": true}, \"after\": {\"nothing\": true}}",
                "{\"path\": \"src/a\", \"before\": {\"nothing\": true}, \"after\": {\"nothing\": true}}",
                "{\"path\": \".claude/skills/a\", \"before\": {\"nothing\": true}, \"after\": {\"link\": \"../../../outside\"}}",
                "{\"path\": \".claude/skills/a\", \"before\": {\"nothing\": true}, \"after\": {\"link\": \"/etc\"}}",
                "{\"path\": \".claude/skills/a/x\", \"before\": {}, \"after\": {}}",
                "nonsense"
            })
    void aJournalThatIsNotOursIsRefused(String step) throws IOException {
        workshop.add(project, "acme/kit:^1.0");
        Path rewrite = Files.createDirectories(project.resolve(".sheaf/rewrite"));
        Files.writeString(rewrite.resolve("journal.json"), "{\"version\": 1, \"steps\": [" + step + "]}");

        refused(SheafException.Local.class, "remove");
    }

    @Test
    void aBundleWithAPathThatCouldDoHarmIsRefused() {
        workshop.publish("acme/bad:1.0.0", "skills/pdf/SKILL.md one", "skills/pdf/.git/config evil");
        var before = outsideOfTheCache();

        assertThatThrownBy(() -> workshop.add(project, "acme/bad:^1.0")).isInstanceOf(SheafException.UnsafePaths.class);
        assertThat(outsideOfTheCache()).isEqualTo(before);
    }

    @Test
    void aBundleThatIsLongerThanAllowedIsNotFetched() {
        var options = InstallOptions.DEFAULT.mostBytes(3);

        assertThatThrownBy(() -> workshop.in(project).add(Set.of(workshop.wish(project, "acme/kit:^1.0")), options))
                .isInstanceOf(SheafException.InvalidRequest.class)
                .hasMessageContaining("the limit for a pull");
        assertThat(workshop.registry.contentBytes()).isZero();
    }
}
