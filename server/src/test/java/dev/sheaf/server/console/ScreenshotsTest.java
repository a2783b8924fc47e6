package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.browser.Chromium;
import dev.sheaf.server.testing.browser.Pictures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Takes the pictures of the documentation: `make screenshots`.
@Tag("screenshots")
@Tag("programs")
class ScreenshotsTest {
    private static final Path IMAGES = Path.of("../docs/images");
    private static final String ORG = "/organizations/default";
    private static final List<String> SKILLS =
            List.of("api-docs", "commit-messages", "data-charts", "incident-report", "kubernetes-triage", "sql-review");

    @Test
    void ofTheMainPages(@TempDir Path folder) throws IOException {
        Chromium.assumeThere();
        Files.createDirectories(IMAGES);
        try (var app = TestApp.start(folder);
                var pictures = new Pictures(IMAGES)) {
            furnish(app);
            app.person("ada@acme.test", "default", "owner");
            pictures.signIn(app.url(), "ada@acme.test", TestApp.PASSWORD);

            pictures.take(app.url() + "/", "hub");
            pictures.take(app.url() + "/acme/kubernetes-triage", "bundle");
            pictures.take(app.url() + "/acme/kubernetes-triage/compare/1.0.0...1.1.0", "compare");
            pictures.take(app.url() + ORG + "/keys", "keys");
            pictures.take(app.url() + ORG + "/queues/reviews", "queue");
        }
        try (var taken = Files.list(IMAGES)) {
            assertThat(taken).hasSize(10);
        }
    }

    private static void furnish(TestApp app) {
        for (String skill : SKILLS) {
            push(app, skill, "1.0.0", PublishedSkills.of(skill).stream());
            ok(app.send("PATCH", bundle(skill), app.admin(), """
                    {"readmeContent": "# %s\\n\\nA skill for agents. Install it with `sheaf add acme/%s`.\\n\\n- made by the team\\n- reviewed"}""".formatted(skill, skill))
                    .status());
        }
        push(
                app,
                "kubernetes-triage",
                "1.1.0",
                Stream.concat(
                        PublishedSkills.of("kubernetes-triage").stream()
                                .map(file -> file.path().equals("SKILL.md") ? changed(file) : file),
                        Stream.of(file("references/events.md", "# Events\n\nLook at the newest events first.\n"))));
        for (String key : List.of("deploy", "laptop of Ada", "nightly")) {
            app.key(key, key.equals("nightly") ? "write" : "read");
        }
        ok(app.post("/v1" + ORG + "/queues", app.admin(), "{\"name\": \"Reviews\", \"slug\": \"reviews\"}")
                .status());
        for (int i = 1; i <= 8; i++) {
            ok(app.post("/v1" + ORG + "/queues/reviews/jobs", app.admin(), "{\"inputData\": {\"change\": " + i + "}}")
                    .status());
        }
    }

    private static String bundle(String skill) {
        return "/v1/namespaces/acme/bundles/" + skill;
    }

    private static void push(TestApp app, String skill, String version, Stream<PublishedSkills.File> files) {
        ok(app.post(bundle(skill) + ":push", app.admin(), PublishedSkills.body(version, "public", files))
                .status());
    }

    private static void ok(int status) {
        assertThat(status).isBetween(200, 201);
    }

    private static PublishedSkills.File changed(PublishedSkills.File file) {
        return file(file.path(), new String(file.bytes(), StandardCharsets.UTF_8) + "\nThen read the events.\n");
    }

    private static PublishedSkills.File file(String path, String text) {
        return new PublishedSkills.File(path, text.getBytes(StandardCharsets.UTF_8), false);
    }
}
