package dev.sheaf.client.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.LogicalPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class GitModesTest {
    @Test
    void gitsIndexAndPatternsTellModesWhereTheFileSystemDoesNot() {
        var git = GitModes.parse("100755 1234 0\trun.sh\000100644 5678 0\tplain.sh\000120000 9 0\tlink\000");
        var assets = List.of(
                new LocalAsset(path("plain.sh"), AssetType.OTHER, "text/plain", Path.of("any"), true),
                new LocalAsset(path("run.sh"), AssetType.OTHER, "text/plain", Path.of("any"), false));
        var file = Objects.requireNonNull(new BundleFileReader(null).read("""
                {namespace: acme, slug: kit, version: 1.0.0, executable: ["*.sh", "bin/**"]}"""));

        assertThat(git).containsExactly("run.sh");
        assertThat(BundleFolder.withModes(assets, git::contains))
                .extracting(LocalAsset::executable)
                .containsExactly(false, true);
        assertThat(file.isExecutable("deep/run.sh")).isTrue();
        assertThat(file.isExecutable("bin/tool")).isTrue();
        assertThat(file.isExecutable("SKILL.md")).isFalse();
    }

    private static LogicalPath path(String text) {
        return LogicalPath.parse(text);
    }
}
