package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.admin.PurgeReport;
import dev.sheaf.server.testing.Kept;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What should never have been published goes at once, and all of it (contract 3.7).
class PurgeApiTest {
    private static final String SMALL = "the small secret that nobody may ever read again";

    @TempDir
    private Path folder;

    private static Reply pushed(TestApp app, String repository, String version, String... pathsAndTexts) {
        var manifest = new ArrayList<String>();
        for (int i = 0; i < pathsAndTexts.length; i += 2) {
            manifest.add("{\"logicalPath\": \"%s\", \"contentText\": \"%s\"}"
                    .formatted(pathsAndTexts[i], pathsAndTexts[i + 1]));
        }
        var parts = repository.split("/");
        var reply =
                app.post("/v1/namespaces/" + parts[0] + "/bundles/" + parts[1] + ":push", app.admin(), """
                {"version": "%s", "visibility": "public", "manifest": [%s]}""".formatted(
                                version, String.join(",", manifest)));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply;
    }

    private static String large() {
        return new Random(5)
                .ints(60_000, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String digest(String text) {
        return Digest.sha256(text.getBytes(StandardCharsets.UTF_8)).toString();
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void nothingIsLeftOfWhatOnlyThePurgedVersionHad(Stack stack) throws IOException {
        try (var app = TestApp.start(stack, folder)) {
            String large = large();
            pushed(app, "leak/kit", "1.0.0", "keep.md", "kept in the next version", "old.md", "of the first only");
            pushed(app, "leak/kit", "1.1.0", "keep.md", "kept in the next version", "s.md", SMALL, "l.md", large);
            pushed(app, "leak/copy", "1.0.0", "c.md", "also elsewhere");
            pushed(app, "leak/kit", "1.2.0", "c.md", "also elsewhere", "l.md", large);
            app.send("PUT", "/v1/namespaces/leak/bundles/kit/assets/work.md", app.admin(), """
                    {"contentText": "%s"}""".formatted(SMALL));
            app.get("/v1/namespaces/leak/bundles/kit/versions/1.1.0:pull", null);
            assertThat(Kept.tablesWith(app, SMALL)).isNotEmpty();
            assertThat(Kept.objectsWith(app, large)).isNotEmpty();

            purgeWhatIsNeededElsewhere(app, large);
            var second = purge(app, "1.1.0");

            assertThat(second.removed()).contains(digest(SMALL), digest(large));
            assertThat(second.pending()).isEmpty();
            assertThat(second.workingAssets()).contains("work.md");
            assertThat(holders(second, digest("kept in the next version"))).hasSize(1);
            assertThat(Kept.tablesWith(app, SMALL)).as("tables that hold it").isEmpty();
            assertThat(Kept.tablesWith(app, large.substring(0, 100))).isEmpty();
            assertThat(Kept.objectsWith(app, large)).isEmpty();
            assertOthersKeepTheirs(app, large);
        }
    }

    private static void purgeWhatIsNeededElsewhere(TestApp app, String large) {
        var first = purge(app, "1.2.0");
        assertThat(first.removed()).doesNotContain(digest(large));
        assertThat(holders(first, digest(large))).hasSize(1).first().asString().startsWith("leak/kit@sha256:");
        assertThat(holders(first, digest("also elsewhere"))).first().asString().startsWith("leak/copy@");
    }

    private static void assertOthersKeepTheirs(TestApp app, String large) {
        assertThat(app.get("/v2/leak/kit/blobs/" + digest(SMALL), app.admin()).status())
                .isEqualTo(404);
        assertThat(app.get("/v2/leak/kit/blobs/" + digest(large), app.admin()).status())
                .isEqualTo(404);
        assertThat(app.get("/v1/namespaces/leak/bundles/kit/versions/1.1.0", null)
                        .status())
                .isEqualTo(410);
        assertThat(app.get("/v1/namespaces/leak/bundles/copy/versions/1.0.0:pull", null)
                        .text())
                .contains("also elsewhere");
        assertThat(app.get("/v1/namespaces/leak/bundles/kit/versions/1.0.0:pull", null)
                        .text())
                .contains("kept in the next version");
    }

    private static PurgeReport purge(TestApp app, String version) {
        String path = "/v1/namespaces/leak/bundles/kit/versions/" + version + "?purge=true";
        assertThat(app.send("DELETE", path, app.admin(), null).status()).isEqualTo(422);
        var reply = app.send("DELETE", path, app.admin(), "{\"reason\": \"leaked\"}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.as(PurgeReport.class);
    }

    private static List<String> holders(PurgeReport report, String digest) {
        return report.kept().stream()
                .filter(kept -> kept.digest().equals(digest))
                .flatMap(kept -> kept.holders().stream())
                .toList();
    }
}
