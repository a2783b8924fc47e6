package dev.sheaf.server.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;

/// An organization that has one of each thing that pages are about.
public final class Furnished {
    private static final String ORG = "/v1/organizations/default";

    private final TestApp app;

    public Furnished(TestApp app) {
        this.app = app;
    }

    /// Makes all of it, with a text in each place where the API takes one.
    ///
    /// @param text as it stands in JSON, between quotation marks
    public void make(String text) {
        assertThat(app.push("acme/kit", "1.0.0", "public", "# " + text).status())
                .isEqualTo(201);
        assertThat(app.push("acme/kit", "1.1.0", "public", "# Other").status()).isEqualTo(201);
        done("PUT", "/v1/namespaces/acme/bundles/kit/tags/stable", """
                {"version": "1.0.0"}""");
        done("POST", "/v1/namespaces/acme/bundles/kit:deprecate", """
                {"message": "%s"}""".formatted(text));
        done("PATCH", "/v1/namespaces/acme/bundles/kit", """
                {"name": "%s", "description": "%s"}""".formatted(text, text));
        done("POST", ORG + "/api-keys", """
                {"name": "%s", "description": "%s"}""".formatted(text, text));
        done("POST", ORG + "/invitations", """
                {"email": "invited@acme.test", "role": "reader"}""");
        done("POST", ORG + "/trusted-publishers", """
                {"provider": "github", "repository": "acme/secret", "bundles": ["acme/kit"]}""");
        done("POST", ORG + "/namespaces", """
                {"handle": "second", "displayName": "%s"}""".formatted(text));
        done("POST", ORG + "/webhooks", """
                {"url": "https://hooks.example.org/x", "description": "%s"}""".formatted(text));
        work(text);
        app.person("other@acme.test", "default", "reader");
    }

    private void work(String text) {
        String queue = done("POST", ORG + "/queues", """
                {"name": "%s", "slug": "work", "description": "%s"}""".formatted(text, text));
        done("POST", ORG + "/queues/work/jobs", """
                {"jobType": "%s", "inputData": {"%s": "%s"}}""".formatted(text, text, text));
        done("POST", ORG + "/queues/work/instructions", """
                {"name": "%s", "template": "%s", "active": true}""".formatted(text, text));
        done("POST", ORG + "/queues/work/schedules", """
                {"name": "%s", "cron": "0 0 * * *", "jobType": "%s"}""".formatted(text, text));
        done("POST", ORG + "/routes", """
                {"name": "%s", "eventTypes": ["version.*"], "queueId": "%s"}""".formatted(text, queue));
        String habitat = app.get(ORG + "/queues/work", app.admin())
                .json()
                .get("habitatId")
                .stringValue();
        done("POST", "/v1/runner/workers:register", """
                {"instanceId": "%s", "habitatId": "%s", "name": "%s", "workerType": "test"}""".formatted(text, habitat, text));
        app.post("/v1/runner/jobs:claim", app.admin(), "{\"queueId\": \"" + queue + "\"}");
    }

    /// @return the id of what was made; empty: it has none
    private String done(String method, String path, String json) {
        var reply = app.send(method, path, app.admin(), json);
        assertThat(reply.status()).as(path + " " + reply.text()).isBetween(200, 204);
        return reply.text().startsWith("{") ? reply.json().path("id").asString("") : "";
    }
}
