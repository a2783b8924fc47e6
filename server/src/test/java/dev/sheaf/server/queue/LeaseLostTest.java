package dev.sheaf.server.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import org.junit.jupiter.api.Test;

/// What a worker is told of a job that it does not hold.
class LeaseLostTest extends OnEveryStack {
    private static final String ORGANIZATION = "/v1/organizations/default";
    private static final String CLAIM = "/v1/runner/jobs:claim";

    private String claimed(String queue) {
        app().post(ORGANIZATION + "/queues", app().admin(), "{\"name\": \"" + queue + "\"}");
        app().post(ORGANIZATION + "/queues/" + queue + "/jobs", app().admin(), "{}");
        return claim(queue);
    }

    private String claim(String queue) {
        var id = app().get(ORGANIZATION + "/queues/" + queue, app().admin())
                .as(Queue.class)
                .id();
        return app().post(CLAIM, app().admin(), "{\"queueId\": \"" + id + "\"}")
                .as(Claim.class)
                .job()
                .id()
                .toString();
    }

    private Reply verb(String job, String verb, String json) {
        return app().post("/v1/runner/jobs/" + job + ":" + verb, app().admin(), json);
    }

    private static void isLost(Reply reply, String why) {
        reply.assertRefused("409 lease-lost");
        assertThat(reply.problem().detail()).contains(": " + why + ";");
    }

    @Test
    void rejectsReportOfCancelledAndRetriedJob() {
        String job = claimed("again");
        app().post(ORGANIZATION + "/jobs/" + job + ":cancel", app().admin(), "{}");
        assertThat(verb(job, "heartbeat", "{}").as(Job.class).status()).isEqualTo("cancelled");
        app().post(ORGANIZATION + "/jobs/" + job + ":retry", app().admin(), "{}");

        isLost(verb(job, "heartbeat", "{}"), "it was cancelled; it is queued now");
    }

    @Test
    void rejectsReportOfReleasedJob() {
        String job = claimed("released");
        verb(job, "release", "{}");

        isLost(verb(job, "heartbeat", "{}"), "it was released; it is queued now");
    }

    @Test
    void aJobThatWaitsAgainHasNoProgress() {
        String job = claimed("progress");
        verb(job, "progress", "{\"percent\": 50}");
        String path = ORGANIZATION + "/jobs/" + job;
        assertThat(requireNonNull(app().get(path, app().admin()).as(Job.class).progress())
                        .percent())
                .isEqualTo(50);

        app().post(path + ":cancel", app().admin(), "{}");
        app().post(path + ":retry", app().admin(), "{}");

        assertThat(app().get(path, app().admin()).json().at("/progress/percent").isMissingNode())
                .isTrue();
    }

    @Test
    void rejectsReportOfAnotherAttempt() {
        String job = claimed("tries");
        isLost(verb(job, "complete", "{\"attemptNumber\": 2}"), "attempt 2 has not begun; attempt 1 is held now");
        app().post(ORGANIZATION + "/jobs/" + job + ":cancel", app().admin(), "{}");
        app().post(ORGANIZATION + "/jobs/" + job + ":retry", app().admin(), "{}");
        assertThat(claim("tries")).isEqualTo(job);

        isLost(verb(job, "complete", "{\"attemptNumber\": 1}"), "attempt 1 is over; attempt 2 is held now");
        assertThat(verb(job, "complete", "{\"attemptNumber\": 2}").status()).isEqualTo(200);
    }

    @Test
    void rejectsReportFromNonHolder() {
        String job = claimed("other");
        String other = app().key("other", "write");

        isLost(
                app().post("/v1/runner/jobs/" + job + ":complete", other, "{\"attemptNumber\": 1}"),
                "another worker claimed it");
    }
}
