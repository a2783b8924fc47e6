package dev.sheaf.server.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.RouteMethod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// While the installation is read-only, forms change nothing, and show again what was typed.
class ReadOnlyPagesTest extends OnNode {
    private static final String NO_ID = "00000000-0000-4000-8000-000000000000";

    private PageClient owner = new PageClient("http://localhost");

    @Override
    void prepare() {
        owner.close();
        assertThat(app().push("acme/kept", "1.0.0", "public", "# Kept").status())
                .isEqualTo(201);
        app().person("keeper@acme.test", "default", "owner");
        owner = PageClient.of(app(), "keeper@acme.test");
    }

    @AfterAll
    void leave() {
        owner.close();
    }

    private void set(boolean readOnly) {
        String json = "{\"readOnly\": " + readOnly + ", \"reason\": \"moving house\"}";
        assertThat(app().send("PUT", "/v1/admin/mode", app().admin(), json).status())
                .isEqualTo(200);
    }

    /// A form, and a part of the page that shows it again.
    private record Sent(String path, Map<String, String> fields, String again) {}

    private static List<Sent> forms() {
        return List.of(
                new Sent("/account/profile", Map.of("fullName", "Ada Typed"), ""),
                new Sent("/organizations/default/rename", Map.of("name", "Name Typed"), "value=\"Name Typed\""),
                new Sent("/organizations/default/namespaces", Map.of("handle", "typed"), "value=\"typed\""),
                new Sent(
                        "/organizations/default/keys",
                        Map.of("name", "key-typed", "scope", "read", "expiry", "P7D"),
                        "value=\"key-typed\""),
                new Sent("/organizations/default/queues", Map.of("name", "Queue Typed"), "value=\"Queue Typed\""),
                new Sent("/acme/kept/tags", Map.of("name", "typed", "version", "1.0.0"), "value=\"typed\""),
                new Sent("/acme/kept/settings", Map.of("name", "Bundle Typed"), "value=\"Bundle Typed\""),
                new Sent(
                        "/acme/kept/settings/files/edit",
                        Map.of("before", "", "path", "a.txt", "text", "Text Typed"),
                        "Text Typed"));
    }

    private Map<String, String> withToken(Map<String, String> fields) {
        var all = new LinkedHashMap<>(fields);
        all.put("_token", owner.token("/account"));
        return all;
    }

    @Test
    void showsWhatWasTyped() {
        set(true);
        for (var form : forms()) {
            var refused = owner.post(form.path(), withToken(form.fields()));

            assertThat(refused.statusCode()).as(form.path()).isIn(503, 422); // a form of tags has its own status
            assertThat(refused.body()).as(form.path()).contains("read-only", "moving house", form.again());
        }
        set(false);
        for (var form : forms()) {
            assertThat(owner.post(form.path(), withToken(form.fields())).statusCode())
                    .as(form.path())
                    .isIn(200, 303);
        }
    }

    private static String path(String pattern) {
        return pattern.replace("{org_id}", "default")
                .replace("{namespace}", "acme")
                .replace("{bundle}", "kept")
                .replace("{version}", "1.0.0")
                .replaceAll("\\{[a-z]+_id}", NO_ID)
                .replaceAll("\\{[^}]*}", "latest");
    }

    private String newest() {
        return app().get("/v1/admin/audit-log?limit=1", app().admin())
                .json()
                .at("/data/0/id")
                .asString();
    }

    /// What an empty form of an owner would do is not done: leaving, yanking, ending sessions, signing out.
    @Test
    void noFormOfAnOwnerChangesAnything() {
        set(true);
        try {
            String before = newest();
            for (var route : app().pages()) {
                if (route.method() == RouteMethod.POST && !route.pattern().startsWith("/admin/tasks")) {
                    owner.post(path(route.pattern()), withToken(Map.of()));
                }
            }
            assertThat(newest()).isEqualTo(before);
        } finally {
            set(false);
        }
        assertThat(owner.get("/organizations/default").statusCode()).isEqualTo(200);
    }
}
