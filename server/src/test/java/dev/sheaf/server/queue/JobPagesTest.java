package dev.sheaf.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How much of the jobs with long contents one answer has.
class JobPagesTest extends OnEveryStack {
    private static final String ORGANIZATION = "/v1/organizations/default";
    private static final int LENGTH = 262_000;
    private static final int JOBS = 18;

    private void enqueue(String queue) {
        app().post(ORGANIZATION + "/queues", app().admin(), "{\"name\": \"" + queue + "\"}");
        String text = "\"" + "x".repeat(LENGTH) + "\"";
        for (int i = 0; i < JOBS; i++) {
            var made = app().post(
                            ORGANIZATION + "/queues/" + queue + "/jobs",
                            app().admin(),
                            "{\"jobType\": \"" + queue + "\", \"inputData\": " + text + ", \"data\": "
                                    + (i % 2 == 0 ? text : "1") + "}");
            assertThat(made.status()).isEqualTo(201);
        }
    }

    /// How many jobs each page has; all of them are other ones.
    private List<Integer> pages(String path) {
        var sizes = new ArrayList<Integer>();
        var ids = new HashSet<String>();
        String cursor = "";
        do {
            var page = app().get(path + cursor, app().admin());
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            assertThat(page.text().length()).isLessThan(5 << 20);
            var jobs = page.json().get("data");
            jobs.forEach(job -> assertThat(ids.add(job.get("id").stringValue())).isTrue());
            sizes.add(jobs.size());
            var next = page.json().at("/meta/nextCursor");
            cursor = next.isString() ? "&cursor=" + next.stringValue() : "";
        } while (!cursor.isEmpty());
        assertThat(ids).hasSize(JOBS);
        return sizes;
    }

    @Test
    void aClaimOfSeveralEndsWhereTheirContentsAreLong() {
        enqueue("claimed");

        assertThat(claimed("claimed")).isEqualTo(11);
        assertThat(claimed("claimed")).isEqualTo(7);
    }

    @Test
    void aClaimOfSeveralEndsWhereTheirInstructionsAreLong() {
        String queue = ORGANIZATION + "/queues/rendered";
        app().post(ORGANIZATION + "/queues", app().admin(), "{\"name\": \"rendered\"}");
        String template = "{% for i in (1..30000) %}a long line of thirty letters.{% endfor %}";
        var made = app().post(
                        queue + "/instructions",
                        app().admin(),
                        "{\"name\": \"Long\", \"active\": true, \"template\": \"" + template + "\"}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        app().post(queue + "/jobs", app().admin(), "{\"jobs\": [{}, {}, {}, {}, {}, {}, {}]}");

        assertThat(claimed("rendered")).isEqualTo(5);
        assertThat(claimed("rendered")).isEqualTo(2);
    }

    private int claimed(String queue) {
        String id = app().get(ORGANIZATION + "/queues/" + queue, app().admin())
                .json()
                .get("id")
                .stringValue();
        var reply = app().post("/v1/runner/jobs:claim", app().admin(), "{\"queueId\": \"" + id + "\", \"max\": 20}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json().get("jobs").size();
    }

    @Test
    void aPageOfJobsEndsWhereItsContentsAreLong() {
        enqueue("long");

        assertThat(pages(ORGANIZATION + "/queues/long/jobs?limit=100")).containsExactly(11, 7);
        assertThat(pages(ORGANIZATION + "/jobs?jobType=long&limit=100&order=updated"))
                .containsExactly(11, 7);
        assertThat(pages(ORGANIZATION + "/jobs?jobType=long&limit=9")).containsExactly(9, 9);
    }
}
