package dev.sheaf.server.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.contract.OpenApi;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What others make of docs/openapi.yaml: a linter finds no error, and clients that generators make of it compile
/// and speak with a server.
@Timeout(300)
@Tag("slow")
@Tag("programs")
class GeneratedClientsTest {
    private static final Path SOURCES = Path.of("src/test/openapi");
    private static final Path TOOLS = Path.of("../target/tools");
    private static final Path PACKAGES = TOOLS.resolve("openapi/node_modules");
    private static final Path GENERATOR = TOOLS.resolve("openapi-generator-cli-7.25.0.jar");

    @TempDir
    private Path folder;

    @Test
    void aLinterFindsNoError() {
        node().run(
                        packaged("@redocly/cli/bin/cli.js"),
                        "lint",
                        OpenApi.FILE.toAbsolutePath().toString(),
                        "--config",
                        SOURCES.resolve("redocly.yaml").toAbsolutePath().toString());
    }

    @Test
    void aClientOfTypeScriptIsMadeAndWorks() throws Exception {
        var node = node();
        Files.createSymbolicLink(folder.resolve("node_modules"), PACKAGES.toAbsolutePath());
        for (String file : List.of("package.json", "client.ts")) {
            Files.copy(SOURCES.resolve(file), folder.resolve(file));
        }
        node.run(
                packaged("openapi-typescript/bin/cli.js"),
                OpenApi.FILE.toAbsolutePath().toString(),
                "-o",
                "api.d.ts");
        node.run(
                packaged("typescript/bin/tsc"),
                "--strict",
                "--skipLibCheck",
                "--target",
                "es2022",
                "--module",
                "nodenext",
                "client.ts");

        try (var app = TestApp.start(folder.resolve("data"))) {
            assertThat(node.run("client.js", app.url(), app.admin()))
                    .isEqualTo("201|1.0.0|range|# Hello\n|404|bundle-not-found\n");
        }
    }

    @Test
    void aClientOfJavaIsMadeAndWorks() throws Exception {
        assumeTrue(
                Files.exists(GENERATOR),
                GENERATOR + " is missing, as `mvn dependency:copy` gets it (see .ci/run): no client of Java");
        Path bin = Path.of(System.getProperty("java.home"), "bin");
        var java = Tool.at(bin.resolve("java"), folder);
        java.run(
                "-XX:TieredStopAtLevel=1",
                "-jar",
                GENERATOR.toAbsolutePath().toString(),
                "generate",
                "--generator-name=java",
                "--library=native",
                "--input-spec=" + OpenApi.FILE.toAbsolutePath(),
                "--output=made",
                "--global-property=apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false",
                "--additional-properties=openApiNullable=false,sourceFolder=src");
        String libraries = TOOLS.toAbsolutePath() + "/*";
        var sources = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", "classes"));
        sources.addAll(javaFiles(folder.resolve("made/src")));
        sources.add(SOURCES.resolve("GeneratedClient.java").toAbsolutePath().toString());
        Files.write(
                folder.resolve("arguments"),
                sources.stream().map(text -> '"' + text + '"').toList());
        Tool.at(bin.resolve("javac"), folder).run("-cp", libraries, "@arguments");

        try (var app = TestApp.start(folder.resolve("data"))) {
            assertThat(java.run("-cp", "classes:" + libraries, "GeneratedClient", app.url(), app.admin()))
                    .contains("1.0.0|range|# Hello\n|404|{", "\"code\":\"bundle-not-found\"");
        }
    }

    private Tool node() {
        var node = Tool.installed("node", "nodejs", folder);
        assumeTrue(
                Files.isDirectory(PACKAGES),
                PACKAGES + " is missing, as `npm install` makes it of " + SOURCES + "/package.json (see .ci/run)");
        return node;
    }

    private static String packaged(String path) {
        return PACKAGES.resolve(path).toAbsolutePath().normalize().toString();
    }

    private static List<String> javaFiles(Path root) throws IOException {
        try (var files = Files.walk(root)) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".java"))
                    .toList();
        }
    }
}
