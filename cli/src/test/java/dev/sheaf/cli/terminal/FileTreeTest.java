package dev.sheaf.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.api.Directories;
import dev.sheaf.client.credentials.Keychain;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FileTreeTest {
    private static String shown(FileTree tree, Charset encoding) {
        var out = new ByteArrayOutputStream();
        var stream = new PrintStream(out, true, encoding);
        tree.print(
                "acme/kit:1.0.0",
                new Shell(
                        InputStream.nullInputStream(),
                        stream,
                        stream,
                        false,
                        Map.of(),
                        Directories.of(Map.of(), "Linux", Path.of("home")),
                        Keychain.NONE));
        return out.toString(encoding);
    }

    private static FileTree kit() {
        var tree = new FileTree();
        tree.add("skills/triage/SKILL.md", 2048, "");
        tree.add("README.md", 5, "");
        tree.add("skills/triage/a\u001b[31m\u202eb.txt", 1, " (executable)");
        return tree;
    }

    @Test
    void showsFilesByTheirFolders() {
        assertThat(shown(kit(), StandardCharsets.UTF_8)).isEqualTo("""
                acme/kit:1.0.0  3 files, 2.0 KiB
                ├── README.md  5 B
                └── skills/  2.0 KiB
                    └── triage/  2.0 KiB
                        ├── SKILL.md  2.0 KiB
                        └── a [31m b.txt  1 B (executable)
                """);
    }

    @Test
    void wantsNoMoreThanTheTerminalCanShow() {
        assertThat(shown(kit(), StandardCharsets.US_ASCII))
                .contains("|-- README.md", "`-- skills/")
                .doesNotContain("?");
    }

    @Test
    void noPathIsTooDeep() {
        var tree = new FileTree();
        tree.add("a/".repeat(100_000) + "b", 1, "");

        assertThat(shown(tree, StandardCharsets.UTF_8).lines()).hasSize(65);
    }
}
