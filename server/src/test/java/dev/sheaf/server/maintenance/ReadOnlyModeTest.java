package dev.sheaf.server.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Read-only mode over HTTP: what is refused, what still works, and how it ends.
class ReadOnlyModeTest extends OnEveryStack {
    private static final String MODE = "/v1/admin/mode";

    @AfterEach
    void writable() {
        assertThat(set("{\"readOnly\": false}")).isEqualTo(200);
    }

    private int set(String json) {
        return app().send("PUT", MODE, app().admin(), json).status();
    }

    @Test
    void refusesEveryChangeAndSaysWhy() {
        assertThat(app().push("mode/kit", "1.0.0", "public", "# One").status()).isEqualTo(201);
        assertThat(set("{\"readOnly\": true, \"reason\": \"moving to a larger disk\"}"))
                .isEqualTo(200);

        var refused = app().push("mode/kit", "1.0.1", "public", "# Two");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After"))
                .as("more than 30, so that `sheaf push` says it and does not try again")
                .isEqualTo("60");
        assertThat(refused.text()).contains("read-only", "moving to a larger disk");
        for (var request : List.of(
                "POST /v2/mode/kit/blobs/uploads/",
                "DELETE /v2/mode/kit/manifests/1.0.0",
                "POST /v1/organizations/default/api-keys",
                "POST /v1/organizations/default/queues",
                "DELETE /v1/api-keys/current")) {
            var parts = request.split(" ");
            var reply = app().send(parts[0], parts[1], app().admin(), parts[0].equals("POST") ? "{}" : null);
            assertThat(reply.status()).as(request).isEqualTo(503);
        }
    }

    /// A request that was admitted before cannot write afterwards, however slowly its body comes.
    @Test
    void refusesAChangeWhoseBodyEndsLater() throws Exception {
        String body = """
                {"name": "Kit", "visibility": "public", "version": "1.0.0",
                 "manifest": [{"logicalPath": "a.txt", "contentText": "text"}]}""";
        try (var socket = new Socket("127.0.0.1", URI.create(app().url()).getPort())) {
            socket.setSoTimeout(30_000);
            var out = socket.getOutputStream();
            String head = "POST /v1/namespaces/mode/bundles/slow:push HTTP/1.1\r\nHost: " + app().host()
                    + "\r\nAuthorization: Bearer " + app().admin() + "\r\nContent-Type: application/json\r\n"
                    + "Accept: application/json\r\nExpect: 100-continue\r\nContent-Length: " + body.length()
                    + "\r\nConnection: close\r\n\r\n";
            out.write(head.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(in.readLine()).as("the request is admitted").startsWith("HTTP/1.1 100");
            assertThat(set("{\"readOnly\": true}")).isEqualTo(200);

            out.write(body.getBytes(StandardCharsets.UTF_8));
            out.flush();

            assertThat(in.lines().filter(line -> line.startsWith("HTTP/1.1")).findFirst())
                    .hasValueSatisfying(line -> assertThat(line).contains(" 503 "));
        }
        assertThat(app().get(bundle("mode/slow"), app().admin()).status()).isEqualTo(404);
    }

    @Test
    void readsTokensAndTheModeItselfStillWork() {
        assertThat(app().push("mode/read", "1.0.0", "private", "# One").status())
                .isEqualTo(201);
        assertThat(set("{\"readOnly\": true}")).isEqualTo(200);

        assertThat(app().get(bundle("mode/read") + ":resolve", app().admin()).status())
                .isEqualTo(200);
        assertThat(app().get("/v2/mode/read/manifests/1.0.0", app().admin()).status())
                .isEqualTo(200);
        assertThat(app().get("/health/ready", null).status()).isEqualTo(200);
        assertThat(app().get(MODE, app().admin()).text()).contains("\"readOnly\":true", "\"setBy\":\"admin\"");
    }

    /// The mode may be there for a backup.
    @Test
    void administratorsStartAndCancelTasks() {
        assertThat(set("{\"readOnly\": true}")).isEqualTo(200);

        var started = app().send("POST", "/v1/admin/tasks", app().admin(), "{\"task\": \"fsck\"}");
        assertThat(started.status()).isEqualTo(201);
        String task = "/v1/admin/tasks/" + started.json().path("id").asString();

        Eventually.within(
                Duration.ofSeconds(30),
                () -> app().get(task, app().admin()).text().contains("\"state\":\"succeeded\""));
        assertThat(app().send("POST", task + ":cancel", app().admin(), null).status())
                .isEqualTo(200);
        assertThat(app().send("POST", "/v1/admin/tasks", app().admin(), "{\"task\": \"rotate-pepper\"}")
                        .status())
                .as("it changes a secret")
                .isEqualTo(503);
    }

    @Test
    void theRequestMustSayWhich() {
        var refused = app().send("PUT", MODE, app().admin(), "{\"reason\": \"x\"}");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text()).contains("readOnly");
        assertThat(app().send("PUT", MODE, app().secondOrganization("mode-strangers"), "{\"readOnly\": true}")
                        .status())
                .isEqualTo(403);
    }
}
