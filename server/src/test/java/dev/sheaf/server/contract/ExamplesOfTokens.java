package dev.sheaf.server.contract;

import static dev.sheaf.server.contract.ExamplesScenario.OWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OAuthScenario;

/// The part of [ExamplesScenario] with OAuth and trusted publishers.
final class ExamplesOfTokens {
    private final ExamplesScenario scenario;

    ExamplesOfTokens(ExamplesScenario scenario) {
        this.scenario = scenario;
    }

    void play() {
        publishers();
        scenario.get("/.well-known/oauth-authorization-server");
        String key = scenario.app().key("nightly", "write");
        scenario.as(null, () -> tokens(key));
        scenario.as(
                null, () -> scenario.form("/v1/oauth/device_authorization", "client_id", "sheaf", "scope", "write"));
    }

    private void publishers() {
        String all = OWN + "/trusted-publishers";
        var created = scenario.post(all, """
                {"provider": "github", "repository": "acme/notes", "workflow": "release.yml",
                 "environment": "production", "claims": [{"claim": "ref", "matches": "refs/tags/v*"}],
                 "bundles": ["acme/notes"]}""");
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        String one = all + "/" + created.json().get("id").stringValue();
        scenario.get(all);
        scenario.get(one);
        assertThat(scenario.send("DELETE", one, null).status()).isEqualTo(204);
    }

    /// A key is exchanged for a token that may less; the token ends before its hour is over.
    private void tokens(String key) {
        var exchanged = scenario.form(
                "/v1/oauth/token",
                "grant_type",
                OAuthScenario.EXCHANGE,
                "subject_token",
                key,
                "subject_token_type",
                OAuthScenario.API_KEY,
                "scope",
                "read",
                "bundles",
                "acme/notes");
        String token = exchanged.json().get("access_token").stringValue();
        String admin = scenario.app().admin();
        scenario.as(admin, () -> scenario.form("/v1/oauth/introspect", "token", token));
        scenario.as(null, () -> scenario.form("/v1/oauth/revoke", "token", token));
        scenario.as(admin, () -> scenario.form("/v1/oauth/introspect", "token", token));
    }
}
