package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Browser.Chosen;
import dev.sheaf.server.testing.TestApp;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// How many clicks the tasks take for which people open the console: links, buttons and menus, from the start page.
class ClicksTest extends OnConsole {
    private static final String ORG = "/organizations/default";
    private static final String API = "/v1/organizations/default";

    private Browser owner = new Browser();
    private int clicksToAnOwner;

    @Override
    public void prepare() {
        owner.close();
        owner = browser();
        var setup = new Walk(owner, "/").click("/setup");
        setup.send(
                "/setup",
                Map.of(
                        "key",
                        app().admin(),
                        "email",
                        "ada@acme.test",
                        "fullName",
                        "Ada",
                        "password",
                        TestApp.PASSWORD));
        clicksToAnOwner = setup.clicks;
        FileScenario.push(app(), "acme/kit", "1.0.0", "public", Map.of("SKILL.md", "---\nname: kit\n---\nOld\n"));
        FileScenario.push(app(), "acme/kit", "1.1.0", "public", Map.of("SKILL.md", "---\nname: kit\n---\nNew\n"));
        app().send("PUT", "/v1/namespaces/acme/bundles/kit/tags/stable", app().admin(), "{\"version\": \"1.0.0\"}");
    }

    /// A way through pages that counts its clicks. What is typed into a form is none, what sends it is one.
    private final class Walk {
        private final Browser browser;
        private Browser.Page page;
        private int clicks;

        Walk(Browser browser, String from) {
            this.browser = browser;
            this.page = browser.open(at(from));
        }

        /// Follows the first link whose address has that part.
        Walk click(String part) {
            page = browser.follow(page, part);
            clicks++;
            return this;
        }

        /// Follows the link with this address.
        Walk clickAt(String path) {
            assertThat(page.html()).contains("href=\"" + path + "\"");
            page = browser.open(at(path));
            clicks++;
            return this;
        }

        /// Opens a menu, whose links the next step can follow.
        Walk open(String summary) {
            assertThat(page.html()).contains(summary);
            clicks++;
            return this;
        }

        Walk search(String words) {
            assertThat(page.html()).contains("role=\"search\" action=\"/\"");
            page = browser.open(at("/?q=" + words));
            clicks++;
            return this;
        }

        Walk send(String form, Map<String, String> typed) {
            page = browser.submit(page, form, typed);
            clicks++;
            return this;
        }

        Walk upload(String form, Map<String, String> typed, Chosen file) {
            page = browser.upload(page, form, typed, List.of(file));
            clicks++;
            return this;
        }

        void ends(int most, String... shown) {
            assertThat(page.status()).as(page.html()).isEqualTo(200);
            assertThat(page.html()).contains(shown);
            assertThat(clicks).isEqualTo(most);
        }
    }

    private Walk walk() {
        return new Walk(owner, "/");
    }

    @Test
    void aNewInstallationHasAnOwner() {
        assertThat(clicksToAnOwner).isEqualTo(2);
        assertThat(owner.open(at("/account")).html()).contains("ada@acme.test");
    }

    @Test
    void aFirstKey() {
        walk().click(ORG)
                .click("/keys/new")
                .click("/keys/new/service")
                .send("action=\"" + ORG + "/keys\"", Map.of("name", "mirror"))
                .ends(4, "The secret, shown only once");
    }

    /// The start page names them, so that to choose one is no click more.
    @Test
    void aFirstKeyOfAMemberOfSeveralOrganizations() {
        String other = app().secondOrganization("lutra");
        String person = app().person("both@acme.test", "default", "owner");
        String invitation = app().post("/v1/organizations/lutra/invitations", other, """
                        {"email": "both@acme.test", "role": "owner"}""")
                .json()
                .get("token")
                .stringValue();
        app().post("/v1/invitations:accept", person, "{\"token\": \"" + invitation + "\"}");
        var both = browser();
        both.signIn(app().url(), "both@acme.test", TestApp.PASSWORD);

        new Walk(both, "/")
                .click("/organizations/lutra")
                .click("/keys/new")
                .click("/keys/new/service")
                .send("action=\"/organizations/lutra/keys\"", Map.of("name", "mirror"))
                .ends(4, "The secret, shown only once");
    }

    @Test
    void aPushByBrowser() {
        walk().click(ORG)
                .click("/new")
                .upload(
                        "/new",
                        Map.of(
                                "namespace", "acme",
                                "slug", "typed",
                                "visibility", "private",
                                "version", "1.0.0",
                                "then", "publish"),
                        new Chosen("files", "notes.md", "# Notes\n".getBytes(StandardCharsets.UTF_8)))
                .ends(3, "1.0.0 is published.");
    }

    /// With JavaScript the results come while one types.
    @Test
    void aSkillIsFoundAndItsCommandCopied() {
        walk().search("kit").click("/acme/kit").open("data-copy").ends(3, "sheaf add acme/kit");
    }

    @Test
    void whatChangedAndWhetherItIsSafe() {
        walk().click("/acme/kit")
                .click("/acme/kit/versions/latest")
                .click("/compare/1.0.0...1.1.0")
                .ends(3, "Skill passport", "Since 1.0.0");
    }

    @Test
    void theLatestVersionIsYanked() {
        app().push("acme/bad", "1.0.0", "public", "x");
        walk().click("/acme/bad")
                .click("/acme/bad/versions/latest")
                .click("/versions/1.0.0/yank")
                .send("/yank", Map.of("reason", "It loses data"))
                .ends(4, "1.0.0 is yanked.");
    }

    @Test
    void anOlderVersionIsYankedFromItsBundle() {
        app().push("acme/worse", "1.0.0", "public", "x");
        app().push("acme/worse", "1.1.0", "public", "y");
        new Walk(owner, "/acme/worse")
                .clickAt("/acme/worse/versions")
                .open("Actions for 1.0.0")
                .click("/versions/1.0.0/yank")
                .send("/yank", Map.of("reason", "It loses data"))
                .ends(4, "1.0.0 is yanked.");
    }

    @Test
    void aColleagueGetsAccess() {
        walk().click(ORG)
                .click("/members#new")
                .send("action=\"" + ORG + "/invitations\"", Map.of("email", "new@acme.test"))
                .open("data-copy")
                .ends(4, "/invitations#");
    }

    @Test
    void aLeakedKeyIsRotated() {
        String key = app().post(API + "/api-keys", app().admin(), "{\"name\": \"leaked\"}")
                .json()
                .get("id")
                .stringValue();
        walk().click(ORG)
                .click("/keys/" + key)
                .send("/rotate", Map.of("overlap", "PT0S"))
                .ends(3, "The secret, shown only once");
    }

    @Test
    void aFailedJobSaysWhyAndIsTriedAgain() {
        String queue = app().post(API + "/queues", app().admin(), "{\"name\": \"Work\", \"slug\": \"work\"}")
                .json()
                .get("id")
                .stringValue();
        app().post(API + "/queues/work/jobs", app().admin(), "{\"inputData\": {}}");
        String job = app().post("/v1/runner/jobs:claim", app().admin(), "{\"queueId\": \"" + queue + "\"}")
                .json()
                .get("job")
                .get("id")
                .stringValue();
        app().post("/v1/runner/jobs/" + job + ":fail", app().admin(), """
                {"errorCode": "bad_input", "errorMessage": "no such file", "shouldRetry": false}""");

        var dead = walk().click(ORG).click(ORG + "/queues").click("/queues/work/dead");
        assertThat(dead.page.html()).contains("no such file");
        dead.send("/jobs/" + job + ":retry", Map.of()).ends(4, "No dead letters");
    }

    @Test
    void whoMovedATag() {
        walk().click("/acme/kit").click("/acme/kit/tags").click("/tags/stable").ends(3, "Moves of", "bootstrap");
    }

    @Test
    void theHealthOfTheInstallation() {
        walk().click("/admin").ends(1, "Health");
    }

    @Test
    void aDeletedBundleIsRestored() {
        app().push("acme/gone", "1.0.0", "private", "x");
        app().send("DELETE", "/v1/namespaces/acme/bundles/gone", app().admin(), "{}");
        walk().click(ORG).click("/acme/gone/restore").send("/restore", Map.of()).ends(3, "The bundle is restored");
    }

    /// The password is asked for even in a session.
    @Test
    void aDeviceIsLetIn() {
        String code = app().form("/v1/oauth/device_authorization", null, "client_id", "cli", "scope", "read")
                .json()
                .get("user_code")
                .stringValue();
        String organization = app().get(API, app().admin()).json().get("id").stringValue();
        new Walk(owner, "/device?user_code=" + code)
                .send("/device", Map.of("email", "ada@acme.test", "password", TestApp.PASSWORD))
                .send("/device/decision", Map.of("decision", "approve", "organization", organization))
                .ends(2, "The device has access");
    }
}
