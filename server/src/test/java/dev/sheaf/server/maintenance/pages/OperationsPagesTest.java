package dev.sheaf.server.maintenance.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What administrators see of the installation, and everybody of its state.
class OperationsPagesTest extends OnConsole {
    private Browser owner = new Browser();

    @Override
    public Map<String, String> settings() {
        return Map.of("s3-region", "eu-central-1", "session-idle", "P3D");
    }

    @Override
    public void prepare() {
        owner.close();
        owner = person("operator@acme.test", "default", "owner");
    }

    @Test
    void theOperationsPageShowsTheStateOfEachPart() {
        var shown = owner.open(at("/admin"));

        assertThat(shown.html())
                .contains("<h1>Operations</h1>", "Everything works", "1 node runs", "this one is Sheaf development")
                .contains(">Database<", ">Content store<", ">Disk<", ">Clock<", ">Webhooks<", "are free")
                .contains("No backup yet", ">A day<")
                .contains("Jobs that wait", "Webhook deliveries", "Not measured yet")
                .contains("href=\"/admin/tasks/start/retire-pepper\"", "Ends access", "Deletes")
                .contains("<code>session-idle</code>", "flag --session-idle");
    }

    @Test
    void anUnknownSpanIsRefused() {
        assertThat(owner.open(at("/admin?span=year")).status()).isEqualTo(422);
        assertThat(owner.open(at("/admin?span=month")).status()).isEqualTo(200);
    }

    @Test
    void theStorageIsCounted() {
        app().push("acme/counted", "1.0.0", "public", "x");

        assertThat(owner.open(at("/admin/storage")).html())
                .contains("<dt>Database</dt><dd class=\"num\">SQLite</dd>", "<dt>Bundles</dt>", "min-free-bytes");
    }

    @Test
    void changedSettingsStandFirstAndAllCanBeFound() {
        var all = owner.open(at("/admin/settings")).html();
        int changed = all.indexOf("<code>session-idle</code>");
        assertThat(changed).isBetween(all.indexOf("Not the default"), all.indexOf("<details class=\"box file\""));
        assertThat(all).contains("default: P7D", "Rates of requests", "flag --session-idle");

        var found = owner.open(at("/admin/settings?q=backup")).html();
        assertThat(found)
                .contains("<code>backup-keep</code>", "<code>backup-dir</code>")
                .doesNotContain("<code>port</code>");
        assertThat(owner.open(at("/admin/settings?q=%3Ci%3Enothing")).html())
                .contains("No such setting", "value=\"&lt;i>nothing\"")
                .doesNotContain("<i>nothing");
    }

    @Test
    void othersSeeNothingOfIt() {
        app().secondOrganization("others");
        try (var admin = person("admin@others.test", "others", "owner");
                var reader = person("reader@acme.test", "default", "reader")) {
            for (String path : new String[] {"/admin", "/admin/storage", "/admin/settings", "/admin/tasks"}) {
                assertThat(admin.open(at(path)).status()).as(path).isEqualTo(403);
                assertThat(reader.open(at(path)).status()).as(path).isEqualTo(403);
            }
        }
    }

    @Test
    void everybodySeesWhetherTheRegistryWorks() {
        try (var nobody = browser()) {
            var shown = nobody.open(at("/status"));

            assertThat(shown.status()).isEqualTo(200);
            assertThat(shown.html())
                    .contains("This registry works.", "Search and pages", "Pull and install", "Publish and change")
                    .doesNotContain("SQLite", "database", "min-free");
            assertThat(nobody.open(at("/")).html()).contains("href=\"/status\"");
        }
    }

    @Test
    void pausedChangesAreSaidWithoutTheReason() {
        app().send("PUT", "/v1/admin/mode", app().admin(), "{\"readOnly\": true, \"reason\": \"a secret move\"}");
        try (var nobody = browser()) {
            assertThat(nobody.open(at("/status")).html())
                    .contains("works with limits", "has paused changes")
                    .doesNotContain("a secret move");
            assertThat(owner.open(at("/admin")).html()).contains("The installation is read-only.", "a secret move");
        } finally {
            app().send("PUT", "/v1/admin/mode", app().admin(), "{\"readOnly\": false}");
        }
    }

    @Test
    void theLastDryRunIsShownBeforeTheStart() {
        owner.submit(owner.open(at("/admin/tasks/start/sweep")), "/dry-run\"", Map.of());

        assertThat(owner.open(at("/admin/tasks/start/sweep")).html())
                .contains("The report of the last dry run", "aria-current=\"step\">Start<")
                .containsPattern("title=\"user:[0-9a-f-]{36}\">");
        assertThat(owner.open(at("/admin/tasks/start/scrub")).html())
                .contains("aria-current=\"step\">Dry run<")
                .doesNotContain("last dry run");
    }

    @Test
    void aCheckOfContentIsSaidOnlyWhenThereWasOne() {
        app().push("acme/checked", "1.0.0", "public", "x");
        assertThat(owner.open(at("/admin")).html()).contains("No content check has finished yet.");
        assertThat(owner.open(at("/admin/storage")).html()).contains("No content check has finished yet.");

        var run = app().post("/v1/admin/tasks", app().admin(), "{\"task\": \"scrub\"}")
                .json();
        app().ended(run.get("id").stringValue());

        assertThat(owner.open(at("/admin")).html())
                .containsPattern("All content was checked since <time[^>]*>[^<]+</time>\\.");
    }

    /// The page is the same for all, so it cannot know who reads it.
    @Test
    void theStatusPageAsksNobodyToSignIn() {
        assertThat(owner.open(at("/status")).html()).doesNotContain("Sign in");
        try (var nobody = browser()) {
            assertThat(nobody.open(at("/status")).html()).doesNotContain("Sign in");
        }
    }
}
