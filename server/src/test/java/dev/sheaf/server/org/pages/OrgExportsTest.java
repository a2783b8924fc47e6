package dev.sheaf.server.org.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lists as tables, for those who see the list, with nothing in them that a spreadsheet would calculate.
class OrgExportsTest {
    private static final String ORG = "/organizations/default";

    @TempDir
    private Path folder;

    private TestApp app;
    private Browser browser;

    @BeforeEach
    void start() {
        app = TestApp.start(folder);
        browser = new Browser();
        app.person("owner@acme.test", "default", "owner");
        app.person("reader@acme.test", "default", "reader");
        browser.signIn(app.url(), "owner@acme.test", TestApp.PASSWORD);
    }

    @AfterEach
    void stop() {
        browser.close();
        app.close();
    }

    private String table(String path) {
        var page = browser.open(app.url() + ORG + path);
        assertThat(page.status()).as(page.html()).isEqualTo(200);
        return page.html();
    }

    @Test
    void membersAreATable() {
        assertThat(table("/members/export.csv").lines())
                .hasSize(3)
                .startsWith("'email','name','role','disabled','joined'".replace('\'', '"'))
                .anyMatch(line -> line.startsWith("\"reader@acme.test\",") && line.contains(",\"reader\",\"false\","));
        assertThat(browser.open(app.url() + ORG + "/members").html()).contains(ORG + "/members/export.csv");
    }

    @Test
    void aKeyWithTheNameOfAFormulaIsText() {
        app.newKey("""
                {"name": "=1+1\\"", "scopes": ["read"]}""");

        assertThat(table("/keys/export.csv")).contains("\"'=1+1\"\"\",").doesNotContain("\"=1");
        assertThat(table("/keys/export.csv?state=revoked").lines()).hasSize(1);
        assertThat(browser.open(app.url() + ORG + "/keys/export.csv?state=odd").status())
                .isEqualTo(422);
    }

    @Test
    void aKeyHasTheNameOfItsCreatorAndTheId() {
        String session = app.person("maker@acme.test", "default", "owner");
        app.post("/v1/organizations/default/api-keys", session, """
                {"name": "by-maker", "scopes": ["read"]}""");
        app.newKey("""
                {"name": "by-key", "scopes": ["read"]}""");

        assertThat(table("/keys/export.csv").lines())
                .anyMatch(line -> line.matches("\"by-maker\",.*,\"maker\",.*,\"user:[0-9a-f-]{36}\""))
                .anyMatch(line -> line.matches("\"by-key\",.*,\"bootstrap\",.*,\"key:[0-9a-f-]{36}\""));
    }

    @Test
    void everyDayHasItsPulls() {
        app.push("acme/kit", "1.0.0", "public", "# Kit");
        app.get("/v1/namespaces/acme/bundles/kit/versions/1.0.0:pull", null);
        app.countDownloads();

        assertThat(table("/pulls/export.csv").lines())
                .hasSize(61)
                .contains("\"" + LocalDate.now(ZoneOffset.UTC) + "\",\"1\"");
    }

    @Test
    void oldVersionsThatSomebodyPullsAreATableWithTheirKeys() {
        app.push("acme/kit", "1.0.0", "public", "# Kit");
        app.push("acme/kit", "1.1.0", "public", "# Kit 2");
        var key = app.newKey("{\"name\": \"=pipeline\", \"scopes\": [\"read\"]}");
        app.get("/v1/namespaces/acme/bundles/kit/versions/1.0.0:pull", key.key());
        app.countDownloads();

        assertThat(table("/use/export.csv?list=old-versions").lines())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("\"acme/kit\",\"1.0.0\",\"1.1.0\",")
                        && line.contains("\"outdated\",\"1\",\"1\",")
                        && line.endsWith("\"'=pipeline\""));
        assertThat(table("/use")).contains("acme/kit:1.0.0", "latest is 1.1.0", "=pipeline: 1");
        assertThat(browser.open(app.url() + "/acme/kit/use").html()).contains("=pipeline", "few or none");
        assertThat(browser.open(app.url() + "/acme/kit/use.csv").html().lines()).hasSize(3);

        app.database().write(tx -> tx.change("DELETE FROM api_key WHERE id = :id", "id", key.id()));
        assertThat(table("/use")).contains("deleted key …").doesNotContain("=pipeline");
        assertThat(browser.open(app.url() + "/acme/kit/use").html()).contains("deleted");
        try (var reader = new Browser()) {
            reader.signIn(app.url(), "reader@acme.test", TestApp.PASSWORD);
            assertThat(reader.open(app.url() + "/acme/kit/use").html())
                    .contains("Your organization")
                    .doesNotContain("key …", "By key");
            assertThat(reader.open(app.url() + "/acme/kit/use.csv").html().lines())
                    .hasSize(2);
        }
        try (var stranger = new Browser()) {
            assertThat(stranger.open(app.url() + "/acme/kit/use").html())
                    .contains("No pulls to show")
                    .doesNotContain("key …", "use.csv");
        }
    }

    @Test
    void theAuditLogIsATableWithTheFilterOfThePage() {
        app.push("acme/kit", "1.0.0", "public", "# Kit");

        assertThat(table("/audit/export.csv")).contains("version.publish", "acme/kit:1.0.0");
        assertThat(table("/audit/export.csv?action=version.*").lines()).hasSize(2);
        assertThat(browser.open(app.url() + ORG + "/audit?action=version.*").html())
                .contains(ORG + "/audit/export.csv?action=version.*");
    }

    @Test
    void whoDoesNotSeeTheListDoesNotGetTheTable() {
        try (var reader = new Browser()) {
            reader.signIn(app.url(), "reader@acme.test", TestApp.PASSWORD);
            for (String path : new String[] {
                "/members/export.csv",
                "/keys/export.csv",
                "/audit/export.csv",
                "/use",
                "/use/export.csv?list=old-versions"
            }) {
                assertThat(reader.open(app.url() + ORG + path).status())
                        .as(path)
                        .isEqualTo(403);
            }
        }
    }
}
