package dev.sheaf.server.skill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An index, a list of versions, an archive or a file of skills that is asked for again costs no query.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiscoveryCostTest {
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private TestApp app;

    @BeforeAll
    void start(@TempDir Path folder) {
        app = TestApp.start(Stack.POSTGRES, folder);
        PublishedSkills.push(app, "acme/ten", "1.0.0", "public");
        PublishedSkills.pushOne(app, "acme/pdf-forms", "1.0.0", "public", "pdf-forms");
        var listed =
                app.send("PATCH", "/v1/organizations/default/namespaces/acme", app.admin(), "{\"skillsIndex\": true}");
        assertThat(listed.status()).as(listed.text()).isEqualTo(200);
    }

    @AfterAll
    void stop() {
        app.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/acme/.well-known/agent-skills/index.json",
                "/acme/.well-known/agent-skills/pdf-forms/SKILL.md",
                "/acme/ten/.well-known/agent-skills/index.json",
                "/acme/ten@1.0.0/.well-known/agent-skills/index.json",
                "/acme/ten/.well-known/agent-skills/versions.json",
                "/acme/ten/.well-known/agent-skills/v1.0.0/index.json",
                "/acme/ten@1.0.0/.well-known/agent-skills/pdf-forms.tar.gz",
                "/acme/ten/.well-known/agent-skills/data-charts.zip",
                "/acme/ten/.well-known/agent-skills/brand-fonts/SKILL.md",
                "/acme/ten/plugin.zip"
            })
    void whatDidNotChangeIsNotLookedUpAgain(String path) {
        String first = app.get(path, null).text();

        var again = new Statements(app.database()).ofRepeated(() -> {
            var reply = app.get(path, null);
            assertThat(reply.status()).as(reply.text()).isEqualTo(200);
            assertThat(reply.text()).isEqualTo(first);
        });

        assertThat(again).isEmpty();
    }
}
