package dev.sheaf.server.skill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.TestApp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A marketplace that is asked for again costs no query, with and without a credential.
class MarketplaceCostTest {
    private static final String JSON = "/acme/marketplace.json";
    private static final String GIT = "/acme.git/info/refs?service=git-upload-pack";

    @TempDir
    private Path folder;

    private static void publish(TestApp app, String bundle, String visibility) {
        byte[] skill = ("---\nname: " + bundle + "\ndescription: Says it.\n---\n").getBytes(StandardCharsets.UTF_8);
        var file = new PublishedSkills.File("SKILL.md", skill, false);
        var reply = app.post(
                "/v1/namespaces/acme/bundles/" + bundle + ":push",
                app.admin(),
                PublishedSkills.body("1.0.0", visibility, Stream.of(file)));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private static String text(TestApp app, String path, @Nullable String key) {
        var reply = app.get(path, key);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.text();
    }

    private static void isNotMadeAgain(TestApp app, @Nullable String key) {
        for (String path : List.of(JSON, GIT)) {
            String first = text(app, path, key);

            var again = new Statements(app.database())
                    .ofRepeated(() -> assertThat(text(app, path, key)).isEqualTo(first));

            assertThat(again).as(path).isEmpty();
        }
    }

    @Test
    void whatDidNotChangeIsNotMadeAgain() throws Exception {
        try (var app = TestApp.start(Stack.POSTGRES, folder)) {
            publish(app, "kit", "public");
            publish(app, "hushed", "private");
            isNotMadeAgain(app, null);
            isNotMadeAgain(app, app.admin());
            assertThat(text(app, JSON, null)).contains("kit").doesNotContain("hushed");
            assertThat(text(app, JSON, app.admin())).contains("kit", "hushed");
            String before = text(app, GIT, app.admin());
            publish(app, "new", "private");
            assertThat(text(app, GIT, app.admin())).isNotEqualTo(before);
            assertThat(text(app, JSON, app.admin())).contains("new");
            assertThat(text(app, JSON, null)).doesNotContain("new");
        }
    }
}
