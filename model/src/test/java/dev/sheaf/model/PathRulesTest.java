package dev.sheaf.model;

import static dev.sheaf.model.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathRulesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                ".git",
                ".git/HEAD",
                "a/.git",
                ".GIT/config",
                ".Git",
                ".hg/hgrc",
                ".svn/x",
                ".SVN",
                ".sl/config",
                "a/.SL./config",
                ".\u017Fl/config",
                "sl~1/config",
                ".jj/repo/config.toml",
                "JJ~1",
                ".bzr/x",
                "_darcs/prefs/defaults",
                "_DARCS",
                "\uFF3Fdarcs/x",
                ".pijul/config",
                "PIJUL~1",
                ".fossil",
                "FOSSIL~1",
                ".fslckout",
                "_FOSSIL_",
                "CVS/Root",
                "a/cvs/Root",
                "C\u200BVS/Root",
                "\uFF23VS/Root",
                "git~1/x",
                "GIT~1",
                "git~12",
                "hg~1",
                "svn~3",
                "GI7D29~1",
                ".git./x",
                ".git ",
                ".git. . ",
                ".git::$INDEX_ALLOCATION/config",
                ".git:x",
                ".g\u200Cit/config",
                "\uFEFF.git",
                ".gi\u206At",
                ".git\u034F",
                "\uFF0Egit",
                ".\uFF27\uFF29\uFF34/HEAD",
                "\u2024git",
                ".g\u0131t",
                ".\u017Fvn"
            })
    void refusesTheFoldersOfVersionControlInEveryDisguise(String text) {
        assertThat(refusal(() -> LogicalPath.parse(text)).detail()).contains("the path \"");
        assertThat(PathRules.of(new LogicalPath(text)))
                .anySatisfy(
                        violation -> assertThat(violation.rule()).contains("the folder of a version control system"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".gitignore",
                ".gitattributes",
                ".github/x",
                "git/x",
                "git",
                "a.git",
                "..git",
                "git~x",
                "git-1",
                "digit~1",
                "hg",
                "svn.md",
                ".gitt",
                "~1",
                ".git.md",
                "sl/x",
                "jj",
                "darcs",
                "fossil/x",
                "cvs.md",
                "cv/resume.md",
                ".slate"
            })
    void takesNamesThatAreNone(String text) {
        assertThat(LogicalPath.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {":", "*", "\"", "<", ">", "|"})
    void refusesWhatWindowsCannotWrite(String character) {
        assertThat(refusal(() -> LogicalPath.parse("a/b" + character + "c")).detail())
                .contains("the characters : * \" < > | are not allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"C:/x", "c:", "a/D:x"})
    void refusesDrives(String text) {
        assertThat(refusal(() -> LogicalPath.parse(text)).detail()).contains("contains \":\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"trail.", "a./b", "...", "a/...", "trail ", "a /b", " ", "a\u00A0", "a\u3000/b"})
    void refusesSegmentsThatEndInADotOrASpace(String text) {
        assertThat(refusal(() -> LogicalPath.parse(text)).detail()).contains("which ends in a ");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0xAD, 0x34F, 0x61C, 0x115F, 0x17B4, 0x180E, 0x200B, 0x200D, 0x200E, 0x202A, 0x202E, 0x2028, 0x2029,
                0x2060, 0x2066, 0x2069, 0x206F, 0x3164, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0x1BCA0, 0x1D173, 0xE0001,
                0xE0020, 0xE0100
            })
    void refusesCharactersThatNobodySees(int character) {
        String path = "a" + Character.toString(character) + "b.md";

        assertThat(refusal(() -> LogicalPath.parse(path)).detail())
                .contains("contains the invisible character U+" + String.format("%04X", character));
    }

    @ParameterizedTest
    @ValueSource(ints = {0xFFFE, 0xFFFF, 0xFDD0, 0xFDEF, 0x1FFFE, 0x1FFFF, 0x10FFFF})
    void refusesWhatIsNoCharacter(int character) {
        String path = "a" + Character.toString(character) + "b.md";

        assertThat(refusal(() -> LogicalPath.parse(path)).detail())
                .contains("contains U+" + String.format("%04X", character) + ", which is not a Unicode character");
        assertThat(new LogicalPath(path)).hasToString(path);
    }

    @ParameterizedTest
    @ValueSource(ints = {0xFDCF, 0xFDF0, 0xFFFD, 0x1FFFD})
    void takesTheirNeighbours(int character) {
        String path = "a" + Character.toString(character) + "b.md";

        assertThat(LogicalPath.parse(path)).hasToString(path);
    }

    /// As Info-ZIP 6.0 writes them, of which one test unpacks every archive that is taken.
    @ParameterizedTest
    @ValueSource(strings = {"a.md;1", "SKILL.md;", "a/b;12", "a;1/b"})
    void refusesNewNamesThatUnzipCuts(String text) {
        assertThat(refusal(() -> LogicalPath.parse(text)).detail()).contains("which unzip leaves out");
        assertThat(PathRules.of(new LogicalPath(text))).as("of what is stored").isEmpty();
    }

    @Test
    void refusesNewNamesThatNoFileSystemHolds() {
        String longest = "é".repeat(127) + "a";

        assertThat(LogicalPath.parse(longest + "/" + longest.substring(20)).value())
                .startsWith(longest);
        for (String path : List.of(longest + "b", "a/" + longest + "b", longest + "b/a", "é".repeat(128))) {
            assertThat(refusal(() -> LogicalPath.parse(path)).detail())
                    .contains("the path \"", "has a name of 256 bytes of UTF-8; file systems hold at most 255");
            assertThat(PathRules.checkNew(paths(path)))
                    .singleElement()
                    .extracting(PathRules.Violation::code)
                    .isEqualTo("format");
            assertThat(PathRules.of(new LogicalPath(path)))
                    .as("of what is stored")
                    .isEmpty();
        }
    }

    @Test
    void otherSemicolonsAreAllowed() {
        for (String text : List.of("a;b.md", "a;1.md", "a;1b")) {
            assertThat(LogicalPath.parse(text).value()).isEqualTo(text);
        }
    }

    @Test
    void refusesNamesThatWindowsMayTakeForAnotherFile() {
        assertThat(PathRules.checkNew(paths("skills/important.md", "skills/IMPORT~1.MD")))
                .extracting(PathRules.Violation::detail)
                .containsExactly(
                        "the path \"skills/IMPORT~1.MD\" can be the short name of \"important.md\" on Windows");
        assertThat(PathRules.checkNew(paths("long-folder/a.md", "LONG-F~1/b.md")))
                .hasSize(1);
        assertThat(PathRules.checkNew(
                        paths("a.md", "import~1.md", "skills/important.md", "important.txt", "notes~1.txt")))
                .as("other folders, other endings, other beginnings")
                .isEmpty();
    }

    @Test
    void foldersThatDifferOnlyInCaseAreOneElsewhere() {
        var found = PathRules.clashes(
                paths("Dir/x", "dir/y", "dir/z", "a/Sub/deep/x", "a/sub/deep/y", "É/x", "é/y", "b/x", "b/y", "B.md"));

        assertThat(found)
                .extracting(violation -> violation.path() + " " + violation.code())
                .containsExactly("a/sub/deep/y duplicate", "dir/y duplicate", "dir/z duplicate", "é/y duplicate");
        assertThat(found.getFirst().detail())
                .contains("is in a folder that clashes with \"a/Sub\": they are the same on file systems that"
                        + " ignore case");
    }

    /// Git only checks whether it may enter both, and executable files pass that check.
    @Test
    void filesDoForTheFoldersOfARepository() {
        var found = PathRules.clashes(paths("HEAD", "config", "objects", "refs"));

        assertThat(found).extracting(PathRules.Violation::code).containsExactly("repository");
    }

    @Test
    void namesEachRuleThatIsBrokenOnce() {
        var found = PathRules.of(new LogicalPath(".git/a:b:c/d./e."));

        assertThat(found).extracting(PathRules.Violation::rule).hasSize(4).doesNotHaveDuplicates();
        assertThat(found.getFirst().detail()).startsWith("the path \".git/a:b:c/d./e.\" ");
    }

    @Test
    void pathsThatMeetAreNamedSoThatTheOthersCanBeWritten() {
        var clashes = PathRules.clashes(paths("a", "a/b", "A/c", "x.md", "X.md", "é", "É", "y", "z/y"));

        assertThat(clashes)
                .extracting(violation -> violation.path() + " " + violation.code())
                .containsExactly("a folder", "a/b duplicate", "x.md duplicate", "é duplicate");
        assertThat(clashes.get(2).detail())
                .contains("clashes with \"X.md\": they are the same on file systems that ignore case");
    }

    @Test
    void whatIsLeftWithoutTheNamedOnesHasNoClash() {
        Gen.forAll(500, gen -> {
            var words = List.of(
                    "a",
                    "A",
                    "b",
                    "a/b",
                    "A/B",
                    "a/b/c",
                    "HEAD",
                    "refs/x",
                    "objects/y",
                    "a/HEAD",
                    "B/c",
                    "A/d",
                    "A/b/d",
                    "a/B/e");
            var some = words.stream()
                    .filter(_ -> gen.chance(0.5))
                    .map(LogicalPath::new)
                    .toList();

            var named = PathRules.clashes(some).stream()
                    .map(PathRules.Violation::path)
                    .toList();
            var left = some.stream().filter(path -> !named.contains(path)).toList();

            assertThat(PathRules.clashes(left)).isEmpty();
        });
    }

    @Test
    void equalPathsAreNamed() {
        assertThat(PathRules.clashes(paths("a", "a")).getFirst().detail()).contains("appears twice");
    }

    @Test
    void aFolderMayNotBeARepositoryOfGit() {
        assertThat(codes("HEAD", "config", "objects/x", "refs/y")).containsExactly("HEAD repository");
        assertThat(codes("t/Head", "t/objects/x", "t/refs/y")).containsExactly("t/Head repository");
        assertThat(codes("t/HEAD", "t/commondir", "u/objects/x")).containsExactly("t/HEAD repository");
        assertThat(codes("HEAD", "objects/x")).isEmpty();
        assertThat(codes("HEAD", "t/objects/x", "t/refs/x")).isEmpty();
        assertThat(codes("config", "objects/x", "refs/y", "OVERHEAD")).isEmpty();
    }

    private static List<String> codes(String... texts) {
        return PathRules.check(paths(texts)).stream()
                .map(violation -> violation.path() + " " + violation.code())
                .toList();
    }

    private static List<LogicalPath> paths(String... texts) {
        return Stream.of(texts).map(LogicalPath::new).toList();
    }
}
