package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// A page that asks whether to show a form changes nothing by that, and leaves no refusal in the audit log.
class RightsOfPagesTest extends OnConsole {
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
        assertThat(log()).doesNotContain("PATCH /v1/", "POST /v1/", "DELETE /v1/");
        assertThat(app().get("/v1/namespaces/acme/bundles/asked", app().admin()).header("ETag"))
                .isEqualTo(before);
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
