package dev.sheaf.server.org.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Trusted publishers, and what keys are allowed.
class PublisherPagesTest extends OnConsole {
    private static final String ALL = "/organizations/default/publishers";
    private static final String POLICIES = "/organizations/default/policies";

    private Browser owner = new Browser();

    @Override
    public void prepare() {
        owner.close();
        owner = person("ci@acme.test", "default", "owner");
        app().secondOrganization("others");
    }

    private Browser.Page trust(Map<String, String> wanted) {
        return owner.submit(owner.open(at(ALL + "/new")), "/publishers\"", wanted);
    }

    @Test
    void showsTheFileToPaste() {
        var shown = trust(Map.of(
                "provider", "github",
                "repository", "acme/kits",
                "workflow", "release.yml",
                "environment", "prod",
                "bundles", "default/kit"));

        assertThat(shown.html())
                .contains(".github/workflows/release.yml", "id-token: write", "environment: prod")
                .contains("SHEAF_URL: " + app().url(), "push . \"default/kit:$");
    }

    @Test
    void aPipelineOfGitlabGetsItsOwnFile() {
        var shown = trust(Map.of("provider", "gitlab", "repository", "acme/kits", "bundles", "default/kit"));

        assertThat(shown.html()).contains(".gitlab-ci.yml", "SHEAF_ID_TOKEN", "aud: ");
    }

    @Test
    void badInputComesBack() {
        var shown = trust(Map.of("provider", "github", "repository", "\"><script>", "bundles", ""));

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html())
                .contains("id=\"error-repository\"", "id=\"error-bundles\"", "value=\"&#34;>&lt;script>\"")
                .doesNotContain("value=\"\"><script>");
    }

    @Test
    void trustsItNoLonger() {
        var made = trust(Map.of("provider", "github", "repository", "acme/ending", "bundles", "default/kit"));

        var asked = owner.follow(made, "/remove");
        assertThat(asked.html()).contains("It cannot publish any more: default/kit.");
        var shown = owner.submit(asked, Map.of());

        assertThat(shown.html()).contains("The workflow is no longer trusted.").doesNotContain("acme/ending");
    }

    @Test
    void thePolicyIsSaidInDays() {
        var shown = owner.submit(owner.open(at(POLICIES)), Map.of("defaultExpiry", "30", "maxExpiry", "60"));

        assertThat(shown.html()).contains("value=\"30\"", "value=\"60\"");
        assertThat(app().get("/v1/organizations/default/key-policy", app().admin())
                        .text())
                .contains("P30D", "P60D");
        var wrong = owner.submit(shown, Map.of("defaultExpiry", "90", "maxExpiry", "60"));
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.html()).contains("value=\"90\"", "id=\"error-defaultExpiry\"");
        owner.submit(wrong, Map.of("defaultExpiry", "", "maxExpiry", ""));
        assertThat(app().get("/v1/organizations/default/key-policy", app().admin())
                        .text())
                .doesNotContain("P30D", "P60D");
    }

    @Test
    void othersSeeNothing() {
        assertThat(owner.open(at("/organizations/others/publishers")).status()).isEqualTo(404);
        assertThat(owner.open(at("/organizations/others/policies")).status()).isEqualTo(404);
    }

    @Test
    void withoutItsTokenNothingIsTrusted() {
        assertThat(owner.post(at(ALL), "provider=github&repository=forged/x&bundles=default/x")
                        .status())
                .isEqualTo(403);
        assertThat(owner.post(at(POLICIES), "maxExpiry=1").status()).isEqualTo(403);
        assertThat(owner.open(at(ALL)).html()).doesNotContain("forged");
    }
}
