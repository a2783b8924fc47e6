package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commits of published versions keep their ids from release to release: clones and lock files have them. These ids
/// were
/// made by build 0.2.0 when it stored commits as rows.
class GitIdsTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-02T03:04:05Z"));

    @TempDir
    private Path folder;

    private void publish(TestApp app, String version, String assets) {
        var reply = app.post(OnEveryStack.bundle("frozen/kit") + ":push", app.admin(), """
                {"name": "Kit", "visibility": "public", "version": "%s", "manifest": [%s]}""".formatted(version, assets));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        now.updateAndGet(time -> time.plus(Duration.ofSeconds(61)));
    }

    private static List<String> refs(TestApp app, String bundle) {
        return app.get("/" + bundle + ".git/info/refs?service=git-upload-pack", null)
                .text()
                .lines()
                .filter(line -> line.contains(" refs/") && !line.contains("HEAD"))
                .map(line -> line.substring(4))
                .toList();
    }

    @Test
    void commitsKeepTheirIds() {
        try (var app = TestApp.start(folder, now::get, Map.of())) {
            publish(app, "1.0.0", """
                    {"logicalPath": "SKILL.md", "contentText": "one"},
                    {"logicalPath": "bin/run.sh", "contentText": "#!/bin/sh\\n", "executable": true},
                    {"logicalPath": "bin-a/b.md", "contentText": ""},
                    {"logicalPath": "größe/µ.txt", "contentText": "µ"}""");
            publish(app, "1.1.0", """
                    {"logicalPath": "SKILL.md", "contentText": "two"},
                    {"logicalPath": ".gitmodules", "contentText": "left out"}""");
            publish(app, "1.2.0-rc.1+build.5", """
                    {"logicalPath": "SKILL.md", "contentText": "two"},
                    {"logicalPath": "bin/run.sh", "contentText": "#!/bin/sh\\n"}""");
            publish(app, "1.0.1", """
                    {"logicalPath": "SKILL.md", "contentText": "one"}""");

            assertThat(refs(app, "frozen/kit"))
                    .containsExactly(
                            "97048d3acbb5db40184d671ffdbf73e9ebf50fa2 refs/heads/main",
                            "b202515959f689bba21ebb55b8dc0d4887d7dd0a refs/tags/1.0.0",
                            "97048d3acbb5db40184d671ffdbf73e9ebf50fa2 refs/tags/1.0.1",
                            "8260638898fe0de1baaccb0e2086c96da333bbbc refs/tags/1.2.0-rc.1+build.5",
                            "4851830d90830b0a985e963d6538df46933cf5e8 refs/tags/plugin/1.0.0",
                            "dec0a82d50fa46660db0015bf9d6890fd7a79f69 refs/tags/plugin/1.0.1",
                            "1fa16faff35de966da1a9e0161c1c6c42688c71f refs/tags/plugin/1.2.0-rc.1+build.5");
        }
    }

    /// Its message has a line of its own and a control character.
    @Test
    void aCommitWithAMessageKeepsItsId() {
        now.updateAndGet(time -> time.plus(Duration.ofSeconds(4 * 61)));
        try (var app = TestApp.start(folder, now::get, Map.of())) {
            app.post("/v1/namespaces/frozen/bundles", app.admin(), """
                    {"slug": "said", "name": "Said", "visibility": "public"}""");
            app.send("PUT", OnEveryStack.bundle("frozen/said") + "/assets/SKILL.md", app.admin(), """
                    {"contentText": "three"}""");
            app.post(OnEveryStack.bundle("frozen/said") + ":publish", app.admin(), """
                    {"version": "2.0.0", "message": "Shorter introduction\\n\\nAnd \\u0007 more."}""");

            assertThat(refs(app, "frozen/said")).contains("bf59b960bdff5fd3eb8eb57a005bdd77ecc5b3a4 refs/tags/2.0.0");
        }
    }
}
