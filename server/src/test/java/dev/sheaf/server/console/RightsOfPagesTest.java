package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// A page that asks whether to show a form changes nothing by that, and leaves no refusal in the audit log.
class RightsOfPagesTest extends OnConsole {
    private static final Pattern LINK = Pattern.compile("<a href=\"([^\"]+)\"");

    @Override
    public boolean isByHand() {
        return false;
    }

    private String log() {
        app().writeRefusals();
        return app().get("/v1/admin/audit-log?outcome=denied&limit=100", app().admin())
                .text();
    }

    @Override
    public void prepare() {
        assertThat(app().push("acme/asked", "1.0.0", "public", "# Asked").status())
                .isEqualTo(201);
        app().post("/v1/organizations/default/queues", app().admin(), "{\"name\": \"q\", \"slug\": \"asked\"}");
    }

    @Test
    void lookingIsNoAttempt() {
        String before =
                app().get("/v1/namespaces/acme/bundles/asked", app().admin()).header("ETag");
        try (var reader = person("looks@acme.test", "default", "reader")) {
            for (String path : new String[] {
                "/acme/asked",
                "/acme/asked/tags",
                "/organizations/default",
                "/organizations/default/namespaces",
                "/organizations/default/queues",
                "/organizations/default/queues/asked",
                "/organizations/default/queues/asked/settings",
                "/organizations",
                "/account"
            }) {
                assertThat(reader.open(at(path)).status()).as(path).isEqualTo(200);
            }
            for (String path : new String[] {
                "/acme/asked/settings",
                "/acme/asked/settings/files",
                "/acme/asked/settings/publish",
                "/organizations/default/queues:new",
                "/organizations/default/keys/new",
                "/organizations/default/publishers/new",
                "/organizations/default/webhooks:new",
                "/admin/settings"
            }) {
                assertThat(reader.open(at(path)).status()).as(path).isEqualTo(403);
            }
        }
        assertThat(log()).doesNotContain("POST /", "/settings", ":new", "/new", "/admin/");
        assertThat(app().get("/v1/namespaces/acme/bundles/asked", app().admin()).header("ETag"))
                .isEqualTo(before);
    }

    private static List<String> offered(String html) {
        int start = html.indexOf("aria-label=\"Organization\"");
        return LINK.matcher(html.substring(start, html.indexOf("</nav>", start)))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /// What the side of a page offers, opens; what it leaves out, does not.
    @Test
    void theNavigationOffersWhatTheRoleOpens() {
        List<String> all;
        try (var owner = person("sees@acme.test", "default", "owner")) {
            all = offered(owner.open(at("/organizations/default")).html());
            assertThat(all).hasSize(15);
            all.forEach(
                    path -> assertThat(owner.open(at(path)).status()).as(path).isEqualTo(200));
        }
        for (String role : new String[] {"reader", "publisher", "admin"}) {
            try (var member = person(role + "@acme.test", "default", role)) {
                var links =
                        offered(member.open(at("/organizations/default/queues")).html());
                assertThat(links).isNotEmpty();
                for (String path : all) {
                    assertThat(member.open(at(path)).status())
                            .as(role + " " + path)
                            .isEqualTo(links.contains(path) ? 200 : 403);
                }
            }
        }
    }

    @Test
    void aRefusalNamesTheRolesOfThePerson() {
        try (var reader = person("told@acme.test", "default", "reader")) {
            for (String path : new String[] {"/organizations/default/queues:new", "/acme/asked/settings"}) {
                assertThat(reader.open(at(path)).html())
                        .as(path)
                        .containsPattern("You are reader of [^;<]+; this needs the role publisher\\.")
                        .contains("give you the role for it")
                        .doesNotContain("API key");
            }
            assertThat(reader.open(at("/organizations/default/keys")).html()).contains("needs the role admin.");
            assertThat(reader.open(at("/admin/settings")).html())
                    .contains("Only people who administer this installation")
                    .doesNotContain("API key");
        }
    }

    /// Nobody has more rights to a form of another session.
    @Test
    void aFormOfAnotherSessionGetsNoAdviceAboutRoles() {
        try (var owner = person("stale@acme.test", "default", "owner")) {
            var refused = owner.post(at("/organizations/default/queues"), "_token=AAAA&name=x");

            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.html())
                    .contains("this form belongs to another session")
                    .doesNotContain("more rights", "give you the role");
        }
    }

    @Test
    void aStrangerIsToldAsTheApiTells() {
        app().secondOrganization("elsewhere");
        try (var stranger = person("far@acme.test", "elsewhere", "owner")) {
            assertThat(stranger.open(at("/acme/asked")).html()).doesNotContain("/acme/asked/settings");
            assertThat(stranger.open(at("/acme/asked/settings")).status()).isEqualTo(403);
            assertThat(stranger.open(at("/acme/missing/settings")).status()).isEqualTo(404);
        }
    }
}
