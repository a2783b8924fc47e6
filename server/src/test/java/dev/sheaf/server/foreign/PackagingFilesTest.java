package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.config.Setting;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files for compose and Kubernetes in packaging fit the schema of the one and the types of the other, and name
/// only settings that exist.
@Tag("programs")
class PackagingFilesTest {
    private static final Path SOURCES = Path.of("src/test/manifests");
    private static final Path PACKAGES = Path.of("../target/tools/manifests/node_modules");
    private static final Path PACKAGING = Path.of("../packaging");

    @TempDir
    private Path folder;

    @Test
    void composeFilesFitTheirSchema() throws IOException {
        assertThat(check("compose")).isEqualTo("compose.three.yaml\ncompose.yaml\n");
    }

    @Test
    void objectsOfKubernetesHaveTheirTypes() throws IOException {
        assertThat(check("kubernetes")).contains("deployment.yaml", "servicemonitor.yaml");
        node().run(
                        packaged("typescript/bin/tsc"),
                        "--strict",
                        "--noEmit",
                        "--skipLibCheck",
                        "--target",
                        "es2022",
                        "--module",
                        "nodenext",
                        "objects.ts");
    }

    @Test
    void settingsExist() throws IOException {
        var known = Arrays.stream(Setting.values())
                .map(setting ->
                        "SHEAF_" + setting.key().toUpperCase(Locale.ROOT).replace('-', '_'))
                .collect(Collectors.toSet());
        var used = new TreeSet<String>();
        var name = Pattern.compile("SHEAF_(?!IMAGE\\b|CONFIG\\b)[A-Z0-9_]+");
        for (String place : new String[] {"compose", "kubernetes"}) {
            try (var files = Files.list(PACKAGING.resolve(place))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    name.matcher(Files.readString(file)).results().forEach(match -> used.add(match.group()));
                }
            }
        }
        used.remove("SHEAF_PORT"); // in a comment of the deployment
        assertThat(known).containsAll(used);
        assertThat(used).contains("SHEAF_MASTER_KEY", "SHEAF_DRAIN_SECONDS");
    }

    private String check(String place) throws IOException {
        var node = node();
        Files.createSymbolicLink(folder.resolve("node_modules"), PACKAGES.toAbsolutePath());
        for (String file : new String[] {"package.json", "check.mjs"}) {
            Files.copy(SOURCES.resolve(file), folder.resolve(file));
        }
        return node.run(
                "check.mjs",
                PACKAGING.resolve(place).toAbsolutePath().normalize().toString());
    }

    private Tool node() {
        assumeTrue(Files.isDirectory(PACKAGES), PACKAGES + " is missing, as npm makes it (see .ci/run)");
        return Tool.installed("node", "nodejs", folder);
    }

    private static String packaged(String program) {
        return PACKAGES.resolve(program).toAbsolutePath().toString();
    }
}
