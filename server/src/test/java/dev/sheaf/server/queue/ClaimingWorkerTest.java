package dev.sheaf.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.model.wire.queue.Worker;
import dev.sheaf.server.testing.OnEveryStack;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// For which workers a credential claims jobs.
class ClaimingWorkerTest extends OnEveryStack {
    private static final String ORGANIZATION = "/v1/organizations/default";

    private String queue(String name) {
        app().post(ORGANIZATION + "/queues", app().admin(), "{\"name\": \"" + name + "\"}");
        app().post(ORGANIZATION + "/queues/" + name + "/jobs", app().admin(), "{}");
        return app().get(ORGANIZATION + "/queues/" + name, app().admin())
                .as(Queue.class)
                .habitatId()
                .toString();
    }

    private String register(String key, String habitat) {
        var made = app().post(
                        "/v1/runner/workers:register",
                        key,
                        "{\"instanceId\": \"one\", \"workerType\": \"shell\", \"habitatId\": \"" + habitat + "\"}")
                .as(Worker.Registered.class);
        return made.workerId().toString();
    }

    private int claim(String key, String worker) {
        return app().post("/v1/runner/jobs:claim", key, "{\"workerId\": \"" + worker + "\"}")
                .status();
    }

    @Test
    void rejectsClaimForWorkerOfAnotherKey() {
        String habitat = queue("workers");
        String own = app().key("own", "write");
        String other = app().key("other", "write");
        String worker = register(own, habitat);

        assertThat(claim(other, worker)).isEqualTo(404);
        assertThat(claim(own, UUID.randomUUID().toString())).isEqualTo(404);
        assertThat(claim(app().secondOrganization("elsewhere"), worker)).isEqualTo(404);
        register(own, habitat); // in place of the first
        assertThat(claim(own, worker)).isEqualTo(200);
    }
}
