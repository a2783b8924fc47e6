package dev.sheaf.server.testing.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// A queue with a claimed job, a worker and all else that paths and bodies may name; made when the first of them does.
public final class JobTargets {
    private static final String OWN = "/v1/organizations/default";

    private final TestApp app;
    private final String name;
    private final Map<String, String> ids = new LinkedHashMap<>();

    /// @param name of the queue, as a slug
    public JobTargets(TestApp app, String name) {
        this.app = app;
        this.name = name;
    }

    /// The text with ids for `{queue_id}` and `QUEUE_ID`, and for others in the same way.
    public String filled(String text) {
        if (!text.matches(
                "(?s).*(habitat|queue|instruction|schedule|route|job|worker|HABITAT|QUEUE|JOB|WORKER)_(id|ID).*")) {
            return text;
        }
        if (ids.isEmpty()) {
            make();
        }
        String filled = text;
        for (var id : ids.entrySet()) {
            filled = filled.replace("{" + id.getKey() + "_id}", id.getValue())
                    .replace(id.getKey().toUpperCase(Locale.ROOT) + "_ID", id.getValue());
        }
        return filled;
    }

    private void make() {
        String queue = OWN + "/queues/" + name;
        ids.put("habitat", made(OWN + "/habitats", "{\"name\": \"" + name + "\"}", "/id"));
        ids.put("queue", made(OWN + "/queues", """
                {"name": "%s", "habitatId": "%s", "leaseSeconds": 600}""".formatted(name, ids.get("habitat")), "/id"));
        ids.put("instruction", made(queue + "/instructions", "{\"name\": \"i\", \"template\": \"Do it.\"}", "/id"));
        ids.put("schedule", made(queue + "/schedules", "{\"cron\": \"30 2 * * *\", \"enabled\": false}", "/id"));
        ids.put("route", made(OWN + "/routes", """
                {"name": "r", "eventTypes": ["blob.damaged"], "queueId": "%s"}""".formatted(ids.get("queue")), "/id"));
        ids.put("worker", made("/v1/runner/workers:register", """
                {"instanceId": "%s", "habitatId": "%s", "workerType": "shell"}""".formatted(name, ids.get("habitat")), "/workerId"));
        for (int i = 0; i < 2; i++) { // one to be claimed, and one more
            made(queue + "/jobs", "{}", "/id");
        }
        ids.put("job", made("/v1/runner/jobs:claim", "{\"queueId\": \"" + ids.get("queue") + "\"}", "/job/id"));
    }

    private String made(String path, String body, String pointer) {
        var reply = app.post(path, app.admin(), body);
        assertThat(reply.status()).as(path + ": " + reply.text()).isIn(200, 201);
        return reply.json().at(pointer).stringValue();
    }
}
