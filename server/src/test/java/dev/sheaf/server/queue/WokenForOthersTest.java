package dev.sheaf.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A job wakes whoever has waited longest. Where that one may not have it, the next one is woken.
class WokenForOthersTest extends OnEveryStack {
    private static final String ORGANIZATION = "/v1/organizations/default";
    private static final String CLAIM = "/v1/runner/jobs:claim";

    private String key(String name, String restrictions) {
        return app().secret("{\"name\": \"%s\", \"scopes\": [\"write\"]%s}".formatted(name, restrictions));
    }

    private String enqueue(String queue) {
        app().post(ORGANIZATION + "/queues", app().admin(), "{\"name\": \"" + queue + "\"}");
        return app().post(ORGANIZATION + "/queues/" + queue + "/jobs", app().admin(), "{}")
                .as(Job.class)
                .id()
                .toString();
    }

    private CompletableFuture<Reply> poll(String key, int waiting) {
        var reply = CompletableFuture.supplyAsync(() -> app().post(CLAIM + "?wait_timeout_seconds=50", key, "{}"));
        waiting(waiting);
        return reply;
    }

    private void waiting(int count) {
        Eventually.within(
                Duration.ofSeconds(30),
                () -> app().get("/metrics", app().admin()).text().contains("sheaf_claims_waiting " + count + ".0"));
    }

    private void gets(CompletableFuture<Reply> reply, String job) {
        assertThat(reply.orTimeout(30, TimeUnit.SECONDS)
                        .join()
                        .as(Claim.class)
                        .job()
                        .id()
                        .toString())
                .isEqualTo(job);
    }

    @Test
    void confinedKeyLeavesJobToOtherWaiter() {
        var confined = poll(key("confined", ", \"restrictions\": {\"queues\": [\"elsewhere\"]}"), 1);
        var free = poll(key("free", ""), 2);

        gets(free, enqueue("seen"));

        assertThat(confined).isNotDone();
        gets(confined, enqueue("elsewhere"));
    }

    @Test
    void releasingHolderLeavesJobToOtherWaiter() {
        String releasing = key("releasing", "");
        String job = enqueue("released");
        gets(CompletableFuture.completedFuture(app().post(CLAIM, releasing, "{}")), job);
        var again = poll(releasing, 1);
        var other = poll(key("other", ""), 2);

        app().post("/v1/runner/jobs/" + job + ":release", releasing, "{}");

        gets(other, job);
        assertThat(again).isNotDone();
        gets(again, enqueue("released"));
    }
}
