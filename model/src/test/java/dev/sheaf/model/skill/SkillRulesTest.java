package dev.sheaf.model.skill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sheaf.model.LogicalPath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SkillRulesTest {
    private record File(LogicalPath path, long size) {}

    private static final SkillFolders.Reading<File> READING = new SkillFolders.Reading<>(File::path, File::size);

    private static SkillFolders.Found<File> found(String slug, String... paths) {
        return SkillFolders.of(
                slug,
                Stream.of(paths).map(path -> new File(new LogicalPath(path), 1)).toList(),
                READING);
    }

    private static List<String> notes(String path, String text) {
        return SkillRules.ofDocument(null, new LogicalPath(path), text.getBytes(StandardCharsets.UTF_8)).stream()
                .map(note -> note.line() + " " + note.level() + " " + note.message())
                .toList();
    }

    private static String document(String more) {
        return "---\nname: pdf\ndescription: Reads PDFs.\n" + more + "---\n# Text\n";
    }

    // --- folders ---

    @Test
    void eachFolderWithADocumentIsASkill() {
        var found = found("kit", "README.md", "skills/pdf/SKILL.md", "skills/pdf/a/b.py", "x/y/SKILL.md", "x/z.md");

        assertThat(found.skills()).extracting(Skill::name).containsExactly("pdf", "y");
        assertThat(found.skills().getFirst().files())
                .extracting(file -> found.skills().getFirst().inside(file.path()))
                .containsExactly("SKILL.md", "a/b.py");
        assertThat(found.leftOut()).isEmpty();
    }

    @Test
    void partsThatRunByThemselvesAreNamedForEachSkill() {
        var found = found("kit", "a/SKILL.md", "a/.claude-plugin/plugin.json", "a/x.zip", "b/SKILL.md", "b/c.md");
        byte[] tools = "---\nallowed-tools: Read Bash(*)\n---\n".getBytes(StandardCharsets.UTF_8);

        assertThat(SkillRules.ofRunning(found, READING, file -> Optional.empty()))
                .extracting(note -> note.path() + ": " + note.message())
                .containsExactly("a/SKILL.md: may run programs by itself, so `sheaf add` writes it only with"
                        + " --allow-exec: .claude-plugin/plugin.json is hidden, where programs keep what they load by"
                        + " themselves; x.zip is an archive, whose content is not checked");
        assertThat(SkillRules.ofRunning(found("kit", "b/SKILL.md"), READING, file -> Optional.of(tools)))
                .extracting(SkillNote::message)
                .singleElement()
                .asString()
                .endsWith("--allow-exec: the tool Bash(*) without asking");
    }

    @Test
    void atTheRootItIsTheWholeBundle() {
        var found = found("kit", "SKILL.md", "a/b.txt", "skills/pdf/SKILL.md");

        assertThat(found.skills()).extracting(Skill::name).containsExactly("kit");
        assertThat(found.skills().getFirst().files()).hasSize(3);
        assertThat(found.leftOut())
                .containsExactly(new SkillFolders.LeftOut(
                        new LogicalPath("skills/pdf/SKILL.md"),
                        "it is inside another skill, the bundle's own, at its root"));
    }

    @Test
    void nestedEqualLongAndOddNamesAreLeftOut() {
        String longest = "n".repeat(64);
        var found = found(
                "kit",
                "a/pdf/SKILL.md",
                "b/pdf/SKILL.md",
                "c/outer/SKILL.md",
                "c/outer/inner/SKILL.md",
                "d/" + longest + "/SKILL.md",
                "d/" + longest + "n/SKILL.md",
                "d/Upper/SKILL.md",
                "d/two--hyphens/SKILL.md",
                "d/skill.md",
                "e/SKILL.md/other.txt");

        assertThat(found.skills()).extracting(Skill::name).containsExactly(longest, "outer");
        assertThat(found.leftOut())
                .extracting(left -> left.path().value())
                .containsExactly(
                        "a/pdf/SKILL.md",
                        "b/pdf/SKILL.md",
                        "c/outer/inner/SKILL.md",
                        "d/Upper/SKILL.md",
                        "d/" + longest + "n/SKILL.md",
                        "d/two--hyphens/SKILL.md");
    }

    @Test
    void whatClientsDoNotUnpackIsLeftOut() {
        var most = IntStream.range(0, 999).mapToObj(i -> "s/many/" + i);
        var more = IntStream.range(0, 1000).mapToObj(i -> "s/more/" + i);
        var paths = Stream.of(most, more, Stream.of("s/many/SKILL.md", "s/more/SKILL.md"))
                .flatMap(names -> names)
                .map(path -> new File(new LogicalPath(path), 1));
        var sizes = Stream.of(
                new File(new LogicalPath("s/large/SKILL.md"), 50L << 20),
                new File(new LogicalPath("s/larger/SKILL.md"), 50L << 20),
                new File(new LogicalPath("s/larger/a"), 1));

        var found = SkillFolders.of("kit", Stream.concat(paths, sizes).toList(), READING);

        assertThat(found.skills()).extracting(Skill::name).containsExactly("large", "many");
        assertThat(found.leftOut())
                .extracting(SkillFolders.LeftOut::reason)
                .containsExactly(
                        "its files have 52428801 bytes, and clients unpack at most 52428800 (50 MiB)",
                        "it has 1001 files, and clients unpack at most 1000");
    }

    @Test
    void foldersAreNotedOnce() {
        var notes = SkillRules.ofFolders(
                found("kit", "s/pdf/SKILL.md", "s/pdf/run.py", "s/pdf/" + "x".repeat(101), "S/x y/SKILL.md"),
                READING,
                file -> file.path().fileName().equals("run.py"));

        assertThat(notes)
                .extracting(note -> note.path().value() + ": " + note.level() + " "
                        + note.message().split("[:,]")[0])
                .containsExactly(
                        "S/x y/SKILL.md: WARNING clients do not get this skill",
                        "s/pdf/run.py: WARNING begins with #! but is not executable; if it is a script",
                        "s/pdf/" + "x".repeat(101) + ": WARNING the path is too long for a tar archive");
    }

    // --- documents ---

    @Test
    void aGoodOneHasNoNotes() {
        assertThat(notes(
                        "skills/pdf/SKILL.md",
                        document("license: MIT\ncompatibility: Needs poppler\nallowed-tools: Bash(pdf:*) Read\n"
                                + "metadata:\n  version: \"1.0\"\n  author: acme\n")))
                .isEmpty();
        assertThat(notes("SKILL.md", document("").replace("\n", "\r\n"))).isEmpty();
    }

    /// Clients name the skill at the root after the bundle's slug, whatever its own name.
    @Test
    void atTheRootItIsCalledLikeTheBundle() {
        var path = new LogicalPath("SKILL.md");
        byte[] pdf = document("").getBytes(StandardCharsets.UTF_8);

        assertThat(SkillRules.ofDocument("kit", path, pdf)).singleElement().satisfies(note -> {
            assertThat(note.level()).isEqualTo(SkillNote.Level.WARNING);
            assertThat(note.line()).isEqualTo(2);
            assertThat(note.message()).startsWith("name: \"pdf\" is not the slug of the bundle, \"kit\"");
        });
        assertThat(SkillRules.ofDocument("pdf", path, pdf)).isEmpty();
        assertThat(SkillRules.ofDocument(null, path, pdf)).isEmpty();
        assertThat(SkillRules.ofDocument("a.kit", path, pdf)).isEmpty(); // no skill can be called that
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "compatibility: ''| 4 ERROR compatibility: write a text",
                "compatibility: [a]| 4 ERROR compatibility: write a text",
                "allowed-tools: [Bash]| 4 WARNING allowed-tools: write one string",
                "metadata: {version: 1.0}| 4 WARNING metadata: \"version\" is not a string",
                "metadata: {draft: true}| 4 WARNING metadata: \"draft\" is not a string",
                "metadata: {a: {b: c}}| 4 WARNING metadata: \"a\" is not a string",
                "metadata: words| 4 WARNING metadata: write fields here",
                "disable-model-invocation: true| 4 INFO \"disable-model-invocation\" is for some clients",
                "argument-hint: '[file]'| 4 INFO \"argument-hint\" is for some clients",
                "colour: red| 4 WARNING \"colour\" is not a field",
                "name: twice| 4 ERROR \"name\" appears twice",
                "license: *alias| 4 ERROR there is an alias",
                "license: [[[[[[[[[[]]]]]]]]]]| 4 ERROR it is nested too deeply",
            })
    void eachRuleNamesItsLine(String line, String note) {
        assertThat(notes("skills/pdf/SKILL.md", document(line + "\n")))
                .singleElement()
                .asString()
                .startsWith(note);
    }

    @Test
    void compatibilityHasAtMostFiveHundredCharacters() {
        assertThat(notes("SKILL.md", document("compatibility: " + "c".repeat(500) + "\n")))
                .isEmpty();
        assertThat(notes("SKILL.md", document("compatibility: " + "c".repeat(501) + "\n")))
                .hasSize(1);
    }

    @Test
    void theNameIsThatOfTheFolder() {
        assertThat(notes("skills/other/SKILL.md", document("")))
                .containsExactly("2 ERROR name: \"pdf\" is not the name of the folder, \"other\"");
        assertThat(notes("other/SKILL.md", document("")))
                .containsExactly("2 WARNING name: \"pdf\" is not the name of the folder, \"other\"");
    }

    /// Clients count UTF-16 units: 512 emoji are as long as 1,024 letters.
    @Test
    void aDescriptionOfMoreThan1024UnitsIsListedCut() {
        String most = "😀".repeat(512);

        assertThat(notes("SKILL.md", "---\nname: a\ndescription: " + most + "\n---\n"))
                .isEmpty();
        assertThat(notes("SKILL.md", "---\nname: a\ndescription: " + most + "!\n---\n"))
                .singleElement()
                .asString()
                .startsWith("3 WARNING description: 1025 characters");
        assertThat(SkillRules.isListed(text("name: a\ndescription: " + most))).isTrue();
        assertThat(SkillRules.isListed(text("name: a\ndescription: " + most + "!")))
                .isTrue();
        assertThat(SkillRules.listed(most)).isEqualTo(most);
        assertThat(SkillRules.listed(most + "!")).as("no half of a character").isEqualTo("😀".repeat(511) + "…");
        assertThat(SkillRules.listed("a".repeat(1_025))).isEqualTo("a".repeat(1_023) + "…");
        assertThat(SkillRules.isListed(text("name: a"))).isFalse();
        assertThat(SkillRules.isListed(text("description: a"))).isFalse();
    }

    @Test
    void aLongTextIsNoted() {
        assertThat(notes("SKILL.md", document("") + "line\n".repeat(499))).isEmpty();
        assertThat(notes("SKILL.md", document("") + "line\n".repeat(500)))
                .containsExactly("0 WARNING the text has 501 lines; an agent reads all of it, so keep it below 500"
                        + " and move details to other files of the skill");
    }

    private static SkillText text(String frontMatter) {
        return SkillText.parse(("---\n" + frontMatter + "\n---\nbody\n").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatAnAuthorSaysIsRead() {
        var text = text("name: pdf\ndescription: >\n  Two\n  lines\nlicense: MIT\n"
                + "keywords: [a, b]\nmetadata:\n  tags: b, c d,\n");

        assertThat(text.description()).contains("Two lines");
        assertThat(text.license()).contains("MIT");
        assertThat(text.keywords()).containsExactly("a", "b", "c d");
        assertThat(text.body()).isEqualTo("body\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# no front matter",
                "---",
                "---\n",
                "---\nname: a",
                "---\n---",
                "---\n- a\n---",
                "---\na\n---",
                "---\n{a: b\n---",
                "---\n? [a]\n: b\n---",
                "---\n--- \n",
                "---\n%YAML 9.9\n---\n"
            })
    void whatIsNoneIsRefused(String text) {
        assertThatExceptionOfType(SkillText.Wrong.class)
                .isThrownBy(() -> SkillText.parse(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void hostileFrontMatterCostsLittle() {
        for (String text : List.of(
                "[".repeat(60_000),
                "{a: ".repeat(15_000),
                "- ".repeat(30_000),
                "a: &a [*a]\n",
                "&a ".repeat(20_000),
                "? ".repeat(30_000),
                "a: b\n".repeat(12_000),
                "'".repeat(60_000),
                "!".repeat(60_000))) {
            assertThatExceptionOfType(SkillText.Wrong.class).isThrownBy(() -> text(text));
        }
        assertThatExceptionOfType(SkillText.Wrong.class)
                .isThrownBy(() -> text("name: " + "x".repeat(70_000)))
                .withMessageContaining("longer than 65536");
    }
}
