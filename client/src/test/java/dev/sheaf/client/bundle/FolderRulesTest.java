package dev.sheaf.client.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which files of a folder become assets, and what is reported about the others.
class FolderRulesTest {
    private static final String DESCRIPTION = "namespace: acme\nslug: kit\nversion: 1.0.0\n";

    @TempDir
    private Path folder;

    private final List<String> notices = new ArrayList<>();

    @BeforeEach
    void anAsset() throws IOException {
        file("a.txt", "a");
    }

    private void file(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void files(String... paths) throws IOException {
        for (String path : paths) {
            file(path, "x");
        }
    }

    private BundleSource read() {
        return read(null);
    }

    private BundleSource read(@Nullable Reference reference) {
        return BundleSource.read(folder, reference, new Progress() {
            @Override
            public Transfer begin(Activity activity, String name, long totalBytes) {
                return NONE.begin(activity, name, totalBytes);
            }

            @Override
            public void notice(String message) {
                notices.add(message);
            }
        });
    }

    private static List<String> paths(BundleSource source) {
        return source.assets().stream().map(asset -> asset.path().value()).toList();
    }

    @Test
    void whatToolsLeaveBehindAndSecretsAreLeftOutAndNamed() throws IOException {
        file("sheaf.yaml", DESCRIPTION);
        files("node_modules/x/index.js", "lib/__pycache__/m.pyc", "lib/m.pyc", ".env", ".env.local", ".DS_Store");
        files(".env.example", ".git/config", "lib/.sheaf/pulled.json", "lib/m.py");

        var source = read();

        assertThat(paths(source)).containsExactly(".env.example", "a.txt", "lib/m.py");
        assertThat(source.leftOut())
                .extracting(LeftOut::path)
                .containsExactlyInAnyOrder("node_modules/", "lib/__pycache__/", "lib/m.pyc", ".env", ".env.local");
        assertThat(notices)
                .singleElement()
                .asString()
                .startsWith("left out by default: ")
                .contains("node_modules/");
    }

    @Test
    void whatGitIgnoresIsLeftOutByTheFileThatIsNearest() throws IOException {
        file("sheaf.yaml", DESCRIPTION);
        file(".gitignore", "dist/\n*.log\n[z-a]\n");
        file("docs/.gitignore", "!keep.log\n/drafts\n");
        files("dist/kit.js", "a.log", "docs/keep.log", "docs/b.log", "docs/drafts/a.md", "drafts/a.md");

        var source = read();

        assertThat(paths(source))
                .containsExactly(".gitignore", "a.txt", "docs/.gitignore", "docs/keep.log", "drafts/a.md");
        assertThat(source.leftOut())
                .contains(new LeftOut("dist/", ".gitignore"), new LeftOut("docs/drafts/", ".gitignore"));
        assertThat(notices).singleElement().asString().startsWith("left out by .gitignore: ");
    }

    /// Build results are often ignored by git, but published by authors who list their assets.
    @Test
    void whoListsTheAssetsIsNotAskedOfGit() throws IOException {
        file("sheaf.yaml", DESCRIPTION + "assets: [dist/**]\n");
        file(".gitignore", "dist/\n");
        files("dist/kit.js");

        var source = read();

        assertThat(paths(source)).containsExactly("dist/kit.js");
        assertThat(source.leftOut())
                .containsExactlyInAnyOrder(
                        new LeftOut(".gitignore", LeftOut.UNNAMED), new LeftOut("a.txt", LeftOut.UNNAMED));
        assertThat(notices).containsExactly("left out because no asset pattern matches: .gitignore, a.txt");
    }

    @Test
    void theAuthorHasTheLastWord() throws IOException {
        file("sheaf.yaml", DESCRIPTION);
        file(".gitignore", "dist/\n");
        file(".sheafignore", "!dist/kit.js\n!.env.test\na.*\n");
        files("dist/kit.js", "dist/other.js", ".env.test", "b.txt");

        assertThat(paths(read())).containsExactly(".env.test", ".gitignore", "b.txt", "dist/kit.js");
    }

    @Test
    void aPatternThatMatchesOnlyWhatIsLeftOutSaysSo() throws IOException {
        file("sheaf.yaml", DESCRIPTION + "assets: [a.txt, .env.test]\n");
        files(".env.test");

        assertThat(read().findings())
                .singleElement()
                .extracting(Finding::message)
                .isEqualTo("no file matches \".env.test\"; .env.test is left out by default, and a line"
                        + " \"!.env.test\" in .sheafignore includes it");
    }

    @Test
    void aReferenceGoesBeforeNameAndVersionOfTheDescriptionAndNothingElse() throws IOException {
        file("sheaf.yaml", "namespace: acme\nslug: kit\nname: The kit\nassets: [a.txt]\n");
        files("b.txt");

        var source = read(Reference.parse("other/tools:2.0.0"));

        assertThat(source.isSound()).isTrue();
        var file = Objects.requireNonNull(source.file());
        assertThat(file.reference()).hasToString("other/tools:2.0.0");
        assertThat(file.name()).isEqualTo("The kit");
        assertThat(paths(source)).containsExactly("a.txt");
    }

    @Test
    void withoutADescriptionAReferenceIsEnough() throws IOException {
        files("skills/x/SKILL.md");

        var source = read(Reference.parse("acme/kit:2.0.0"));

        assertThat(source.isSound()).isTrue();
        assertThat(paths(source)).containsExactly("a.txt", "skills/x/SKILL.md");
        assertThat(source.findings())
                .singleElement()
                .extracting(Finding::severity)
                .isEqualTo(Finding.Severity.WARNING);
    }

    @Test
    void manyAreCountedAndTheFirstAreNamed() throws IOException {
        file("sheaf.yaml", DESCRIPTION);
        for (int i = 0; i < 8; i++) {
            files("m" + i + ".pyc");
        }

        read();

        assertThat(notices).singleElement().asString().endsWith(" and 3 more");
    }

    @Test
    void aFolderOfWhichAllIsLeftOutSaysSo() throws IOException {
        Files.delete(folder.resolve("a.txt"));
        files(".env");

        assertThatThrownBy(() -> read(Reference.parse("acme/kit:1.0.0")))
                .isInstanceOf(SheafException.InvalidRequest.class)
                .hasMessageContaining("has no files except for those that are left out");
        assertThat(notices).containsExactly("left out by default: .env");
    }

    /// Creates a file name that Java cannot express, with a shell.
    private void named(String octal) throws IOException, InterruptedException {
        assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")), "this locale has no UTF-8 in file names");
        var made = new ProcessBuilder("/bin/sh", "-c", "printf x > \"$(printf '" + octal + "')\"")
                .directory(folder.toFile())
                .start();
        assertThat(made.waitFor()).isZero();
    }

    private String refusal() {
        try {
            read(Reference.parse("acme/kit:1.0.0"));
        } catch (SheafException.InvalidRequest e) {
            return e.getMessage() + " " + e.errors();
        }
        return "nothing was refused";
    }

    @Test
    void aNameThatIsNotUtf8IsRefused() throws Exception {
        named("caf\\351.txt");

        assertThat(refusal()).contains("1 file has a name that a bundle cannot contain", "the name is not valid UTF-8");
    }

    @Test
    void theSameNameInTwoFormsIsCalledThat() throws Exception {
        named("caf\\303\\251");
        named("cafe\\314\\201");

        assertThat(refusal()).contains("one in Unicode normal form C (NFC) and one in another form, such as NFD");
    }

    @Test
    void namesThatDifferInCaseAreCalledThat() throws IOException {
        files("kit.md", "KIT.md");
        try (var all = Files.list(folder)) {
            assumeTrue(all.count() == 3, "this file system ignores case");
        }

        assertThat(refusal()).contains("only in upper and lower case");
    }
}
