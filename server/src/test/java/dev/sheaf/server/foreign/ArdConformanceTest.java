package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The conformance program of ARD, of a checkout of its specification in `target/tools/ard-spec`.
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class ArdConformanceTest {
    private static final Path PROGRAM = Path.of("../target/tools/ard-spec/conformance/bin/conformance-test");

    private TestApp app;
    private Path home;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        assumeTrue(
                Files.isRegularFile(PROGRAM),
                PROGRAM + " is missing: a checkout of ards-project/ard-spec,"
                        + " which .ci/run makes where GitHub can be reached");
        Tool.assumeInstalled("python3", "python3");
        app = TestApp.start(
                folder.resolve("data"), Map.of("public-url", "https://sheaf.example", "ai-catalog", "true"));
        home = folder;
        PublishedSkills.push(app, "acme/ten", "1.0.0", "public");
        app.push("acme/weather", "1.0.0", "public", "Weather forecast tools");
    }

    @AfterEach
    void stop() {
        if (app != null) {
            app.close();
        }
    }

    private String conforms(String... words) {
        var all = new ArrayList<>(List.of(PROGRAM.toAbsolutePath().normalize().toString()));
        all.addAll(List.of(words));
        var run = Tool.at(Path.of("/usr/bin/python3"), home).end("", all.toArray(String[]::new));
        assertThat(run.exit()).as(run.output()).isZero();
        return run.output();
    }

    @Test
    void everyCatalogConforms() throws Exception {
        for (String path : List.of("/.well-known/ard.json", "/ard/catalog/acme")) {
            var file = Files.write(
                    home.resolve("catalog.json"), app.get(path, null).response().body());

            conforms("manifest", file.toString());
        }
    }

    @Test
    void theRegistryConforms() throws Exception {
        boolean looksUp = Files.readString(PROGRAM).contains("--lookup-identifier"); // since 0.91

        conforms(
                looksUp
                        ? new String[] {
                            "registry", app.url() + "/ard", "--lookup-identifier", "urn:air:sheaf.example:acme:ten"
                        }
                        : new String[] {"registry", app.url() + "/ard"});
    }
}
