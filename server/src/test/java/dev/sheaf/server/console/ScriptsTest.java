package dev.sheaf.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator.PressSequentiallyOptions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.browser.Chromium;
import dev.sheaf.server.testing.browser.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// What pages do by themselves where scripts run, and that no other script does.
@EnabledIf(value = "dev.sheaf.server.testing.browser.Chromium#isThere", disabledReason = Chromium.MISSING)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("programs")
class ScriptsTest {
    private static final String ORG = "/organizations/default";

    private static final double PATIENCE = 30_000; // ms

    private TestApp app;
    private Window window;

    @BeforeAll
    void start(@TempDir Path folder) {
        app = TestApp.start(folder);
        app.push("acme/there", "1.0.0", "public", "x");
        app.push("acme/other", "1.0.0", "public", "x");
        app.person("scripts@acme.test", "default", "owner");
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE);
        window = new Window();
        window.signIn(app.url(), "scripts@acme.test", TestApp.PASSWORD);
    }

    @AfterAll
    void stop() {
        window.close();
        app.close();
    }

    @Test
    void aDroppedFolderIsPublished(@TempDir Path folder) throws IOException {
        var kit = folder.resolve("kit");
        Files.createDirectories(kit.resolve("docs"));
        Files.writeString(kit.resolve("SKILL.md"), "---\nname: kit\ndescription: a kit\n---\n");
        Files.writeString(kit.resolve("docs/more.md"), "more");
        window.open(app.url() + "/new");
        window.page().fill("[name=slug]", "dropped");

        window.drop("[data-drop-here]", kit);

        assertThat(window.page().locator("[data-drop-here]")).containsText("2 files are chosen: ");
        window.page().click("button[value=publish]");
        window.page().waitForURL("**/acme/dropped");
        assertThat(app.get("/v1/namespaces/acme/bundles/dropped/versions/1.0.0:pull", app.admin())
                        .text())
                .contains("\"SKILL.md\"", "\"docs/more.md\"");
    }

    @Test
    void droppedFilesAreAddedToTheWorkingFiles(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("dropped.md"), "dropped");
        window.open(app.url() + "/acme/there/settings/files");

        window.drop("[data-drop-here]", file);

        assertThat(window.page().locator("[data-drop-here]")).containsText("1 file is chosen: dropped.md");
        window.page().click("form[data-drop] button[type=submit]");
        assertThat(window.page().locator("main")).containsText("dropped.md");
        assertThat(app.get("/v1/namespaces/acme/bundles/there/assets", app.admin())
                        .text())
                .contains("dropped.md");
    }

    @Test
    void whatIsTypedIsSearchedFor() {
        window.open(app.url() + "/");

        window.page().locator("#top-q").pressSequentially("other", new PressSequentiallyOptions().setDelay(20));

        assertThat(window.page().locator("#found h1")).hasText("“other”");
        assertThat(window.page().locator("#found .list")).not().containsText("there");
        assertThat(window.page().locator("#count")).hasText("1 bundle found");
        assertThat(window.page().url()).endsWith("/?q=other");
        assertThat(window.page().locator("#for-machines")).containsText("GET /v1/hub/bundles?q=other&");
        assertThat(window.page().locator("#for-machines")).containsText("sheaf search other");
    }

    @Test
    void aKeyGoesToTheSearchUnlessOneTypesOrTurnsItOff() {
        window.open(app.url() + "/");
        assertThat(window.page().locator("[data-keys]")).hasText("/ search");
        window.page().keyboard().press("/");
        assertThat(window.page().locator("#top-q")).isFocused();
        window.page().keyboard().type("a/b");
        assertThat(window.page().locator("#top-q")).hasValue("a/b");

        window.open(app.url() + "/account/theme");
        window.page().getByText("Single keys act").uncheck();
        window.open(app.url() + "/");

        assertThat(window.page().locator("[data-keys]")).isHidden();
        window.page().keyboard().press("/");
        assertThat(window.page().locator("#top-q")).not().isFocused();
        window.page().evaluate("() => localStorage.clear()");
    }

    @Test
    void anInstructionIsShownAsItIsTyped() {
        app.post("/v1" + ORG + "/queues", app.admin(), "{\"name\": \"Told\", \"slug\": \"told\"}");
        window.open(app.url() + ORG + "/queues/told/instructions:new");
        window.page().fill("[name=input]", "{\"url\": \"https://example.org/<b>\"}");

        window.page().fill("[name=template]", "Review {{ input.url }}");

        assertThat(window.page().locator("#preview code")).hasText("Review https://example.org/<b>");
    }

    /// The fragment is sent to nobody, so no log and no Referer has the token.
    @Test
    void theLinkOfAnInvitationFillsInItsToken() {
        var invited = app.post("/v1" + ORG + "/invitations", app.admin(), """
                {"email": "scripts-too@acme.test", "role": "reader"}""").json();
        String token = invited.get("token").stringValue();
        app.person("scripts-too@acme.test", null, null);
        try (var other = new Window()) {
            other.open(app.url() + "/invitations#" + token);
            assertThat(other.page().locator("[name=token]")).hasValue(token);
            assertThat(other.page().url()).isEqualTo(app.url() + "/invitations");

            other.signIn(app.url(), "scripts-too@acme.test", TestApp.PASSWORD);
            other.open(app.url() + "/invitations");
            assertThat(other.page().locator("[name=token]")).hasValue(token);
            other.page().click("form[data-invitation] button[type=submit]");
            other.page().waitForURL("**/organizations/default/welcome");
            other.open(app.url() + "/invitations");
            assertThat(other.page().locator("[name=token]")).hasValue("");
        }
    }

    @Test
    void linesOfCodeAreColouredAsTheyStand() {
        String text = "# why\ndef run(a):\n    return 'a' + str(12)  # \u202Eend\n";
        FileScenario.push(app, "acme/coloured", "1.0.0", "public", Map.of("run.py", text));
        window.open(app.url() + "/acme/coloured/versions/1.0.0/files/run.py");

        window.page().waitForFunction("() => CSS.highlights.size === 5");

        assertThat(window.page().evaluate("""
                        () => ["keyword", "string", "comment", "number"].map((name) =>
                          [...CSS.highlights.get(name)].map((range) => {
                            const whole = document.createRange();
                            whole.setStart(range.startContainer, range.startOffset);
                            whole.setEnd(range.endContainer, range.endOffset);
                            return whole.toString();
                          }).join("|"))""").toString()).isEqualTo("[def|return|str, 'a', # why|# U+202Eend, 12]");
    }

    @Test
    void aCommandIsCopied() {
        window.open(app.url() + "/acme/there");
        var part = window.page().locator(".cmd").first();

        part.locator("[data-copy]").click();

        assertThat(part.locator("[data-copy]")).hasText("Copied");
        assertThat(window.page().locator("#announced")).hasText(Pattern.compile("^Copied: .*"));
        assertThat(window.page().evaluate("() => navigator.clipboard.readText()"))
                .isEqualTo(part.locator("code").textContent());
    }

    /// As if a template had forgotten to escape a name: neither a page nor what is put into one later runs it.
    @Test
    void aPlantedScriptDoesNotRun() {
        var said = new ArrayList<String>();
        try (var other = new Window()) {
            other.page().onConsoleMessage(message -> said.add(message.text()));
            other.plant(
                    "<script>window.ran = 1</script><img src=x onerror='window.ran = 2'><svg onload='window.ran = 3'></svg>"
                            + "<p hx-on::load='window.ran = 4' hx-trigger='load[window.ran = 5]' hx-get='/' hx-swap='none'"
                            + " hx-vals='js:{a: window.ran = 6}'>planted</p><iframe srcdoc='<script>parent.ran = 7</script>'></iframe>"
                            + "<a id=planted href='javascript:window.ran = 8'>x</a>");
            other.open(app.url() + "/");
            other.page().locator("#planted").first().click();
            assertThat(other.page().locator("#found").first()).containsText("planted");

            other.page().locator("#top-q").pressSequentially("other");

            assertThat(other.page().locator("#found h1")).hasText("“other”");
            assertThat(other.page().locator("#found")).containsText("planted");
            assertThat(other.page().evaluate("() => window.ran")).isNull();
        }
        assertThat(said).anyMatch(text -> text.contains("Content Security Policy"));
    }
}
