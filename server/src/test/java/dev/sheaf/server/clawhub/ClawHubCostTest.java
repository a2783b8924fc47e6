package dev.sheaf.server.clawhub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A skill that is asked for again costs no query.
class ClawHubCostTest {
    @TempDir
    private Path folder;

    @Test
    void whatDidNotChangeIsNotLookedUpAgain() throws Exception {
        try (var app = TestApp.start(Stack.POSTGRES, folder)) {
            String text = "---\\nname: kit\\ndescription: Does it.\\n---\\nGo.\\n";
            app.push("acme/kit", "1.0.0", "public", text);
            app.push("acme/kit", "1.1.0", "public", text + "More.\\n");
            String skill = "/api/v1/skills/kit";
            for (String path : List.of(
                    skill,
                    skill + "/versions",
                    skill + "/versions/1.0.0",
                    skill + "/install",
                    skill + "/verify?version=1.0.0",
                    skill + "/file?path=SKILL.md",
                    "/api/v1/resolve?slug=kit&hash=" + "0".repeat(64),
                    "/api/v1/download?slug=kit&version=1.0.0")) {
                String asked = path + (path.contains("?") ? "&" : "?") + "ownerHandle=acme";
                new Statements(app.database())
                        .of(() -> assertThat(app.get(asked, null).status())
                                .as(asked)
                                .isEqualTo(200));
                var again = new Statements(app.database())
                        .ofRepeated(
                                () -> assertThat(app.get(asked, null).status()).isEqualTo(200));

                assertThat(again).as(asked).isEmpty();
            }
        }
    }
}
