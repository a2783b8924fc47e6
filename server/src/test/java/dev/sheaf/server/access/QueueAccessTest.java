package dev.sheaf.server.access;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.model.wire.queue.Runner;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Which queues and jobs a credential sees, and what it does with them.
class QueueAccessTest extends OnEveryStack {
    private static final String OWN = "/v1/organizations/default";
    private static final String QUEUES = OWN + "/queues";
    private static final String CLAIM = "/v1/runner/jobs:claim";

    private int keys;

    /// Three queues: of one bundle, of another, and of none.
    @Override
    public void prepare() {
        app().push("acme/notes", "1.0.0", "private", "# Notes");
        app().push("acme/other", "1.0.0", "private", "# Other");
        queue("a-notes", ", \"bundle\": \"acme/notes\"");
        queue("a-other", ", \"bundle\": \"acme/other\"");
        queue("b-none", "");
    }

    private void queue(String name, String more) {
        created(app().post(QUEUES, app().admin(), "{\"name\": \"" + name + "\"" + more + "}"));
    }

    /// A job in each queue, whose type is the name of the queue.
    private void enqueueInAll() {
        for (String name : List.of("a-notes", "a-other", "b-none")) {
            created(app().post(QUEUES + "/" + name + "/jobs", app().admin(), "{\"jobType\": \"" + name + "\"}"));
        }
    }

    private static Reply created(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply;
    }

    private String key(String restrictions) {
        return requireNonNull(created(app().post(OWN + "/api-keys", app().admin(), """
                        {"name": "key %d", "scopes": ["write"], "restrictions": %s}""".formatted(++keys, restrictions)))
                .as(ApiKey.class)
                .key());
    }

    private List<String> slugs(String path, String key, String member) {
        var reply = app().get(path, key);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json()
                .get("data")
                .valueStream()
                .map(entry -> entry.get(member).stringValue())
                .distinct()
                .sorted()
                .toList();
    }

    /// @param names of the queues that the key sees, and of their jobs
    private void seesOnly(String key, List<String> names) {
        assertThat(slugs(QUEUES, key, "slug")).isEqualTo(names);
        assertThat(slugs("/v1/runner/queues", key, "slug")).isEqualTo(names);
        assertThat(slugs(OWN + "/jobs", key, "jobType")).isEqualTo(names);
        var jobs = app().get(OWN + "/jobs", app().admin()).list(Job.class);
        for (var job : jobs) {
            String name = job.jobType();
            int expected = names.contains(name) ? 200 : 404;
            String path = OWN + "/jobs/" + job.id();
            assertThat(app().get(path, key).status()).as(name).isEqualTo(expected);
            assertThat(app().get(path + "/events", key).status()).as(name).isEqualTo(expected);
            for (String more : List.of("", "/stats", "/jobs", "/instructions", "/schedules")) {
                assertThat(app().get(QUEUES + "/" + name + more, key).status())
                        .as(name + more)
                        .isEqualTo(expected);
            }
            if (expected == 404) {
                refusesToChange(key, name, job.queueId().toString(), path);
            }
        }
    }

    private void refusesToChange(String key, String name, String queue, String job) {
        String path = QUEUES + "/" + name;
        assertThat(app().post(CLAIM, key, "{\"queueId\": \"" + queue + "\"}").status())
                .isEqualTo(404);
        assertThat(app().post(path + "/jobs", key, "{}").status()).isEqualTo(404);
        assertThat(app().post(path + ":pause", key, "{}").status()).isEqualTo(404);
        assertThat(app().send("PATCH", path, key, "{\"name\": \"x\"}").status()).isEqualTo(404);
        assertThat(app().send("DELETE", path, key, null).status()).isEqualTo(404);
        assertThat(app().post(job + ":cancel", key, "{}").status()).isEqualTo(404);
        String route = "{\"name\": \"r\", \"eventTypes\": [\"*\"], \"queueId\": \"" + queue + "\"}";
        assertThat(app().post(OWN + "/routes", key, route).status()).isEqualTo(422);
    }

    /// The types of all jobs that the key is given.
    private Set<String> claimed(String key) {
        var types = new TreeSet<String>();
        var reply = app().post(CLAIM, key, "{}");
        while (reply.status() == 200) {
            types.add(reply.as(Claim.class).job().jobType());
            reply = app().post(CLAIM, key, "{}");
        }
        assertThat(reply.status()).as(reply.text()).isEqualTo(204);
        return types;
    }

    @Test
    void aKeyThatIsConfinedToQueuesSeesThese() {
        enqueueInAll();
        String key = key("{\"queues\": [\"a-*\"]}");

        seesOnly(key, List.of("a-notes", "a-other"));
        assertThat(claimed(key)).containsExactly("a-notes", "a-other");
        assertThat(app().post(QUEUES, key, "{\"name\": \"c\"}").status()).isEqualTo(403);
        assertThat(app().send("PATCH", QUEUES + "/a-notes", key, "{\"slug\": \"c\"}")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aKeyThatIsConfinedToBundlesSeesTheQueuesOfThese() {
        enqueueInAll();
        String key = key("{\"bundles\": [\"acme/notes\"]}");

        seesOnly(key, List.of("a-notes"));
        assertThat(claimed(key)).containsExactly("a-notes");
        assertThat(app().send("PATCH", QUEUES + "/a-notes", key, "{\"bundle\": \"acme/other\"}")
                        .status())
                .isIn(403, 422);
        assertThat(app().post(QUEUES + "/a-notes/jobs", key, "{\"bundle\": \"acme/other\"}")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void aKeyForWorkDoesNothingElse() {
        enqueueInAll();
        String key = key("{\"uses\": [\"work\"]}");

        assertThat(claimed(key)).isNotEmpty();
        assertThat(app().post(QUEUES + "/b-none/jobs", key, "{}").status()).isEqualTo(403);
        assertThat(app().post(QUEUES, key, "{\"name\": \"c\"}").status()).isEqualTo(403);
        assertThat(app().post("/v1/namespaces/acme/bundles/notes:push", key, "{}")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aKeyToEnqueueDoesNothingElse() {
        String key = key("{\"uses\": [\"enqueue\"]}");

        assertThat(app().post(QUEUES + "/b-none/jobs", key, "{}").status()).isEqualTo(201);
        assertThat(app().post(CLAIM, key, "{}").status()).isEqualTo(403);
        assertThat(app().post(QUEUES + "/b-none:pause", key, "{}").status()).isEqualTo(403);
    }

    @Test
    void aTokenThatWasHandedOnWorksAndOneOfTheRegistryDoesNot() {
        enqueueInAll();
        var key = app().newKey("{\"name\": \"for tokens\", \"scopes\": [\"write\"]}");
        var id = key.id();
        String delegated = app().token(id, new Grant.Delegated(Scope.WRITE, CredentialRestrictions.NONE));
        String registry = app().get("/v2/token?service=x&scope=repository:acme/notes:pull,push", app().admin())
                .json()
                .get("token")
                .stringValue();

        assertThat(claimed(delegated)).isNotEmpty();
        assertThat(app().post(QUEUES + "/b-none/jobs", delegated, "{}").status())
                .isEqualTo(201);
        assertThat(app().post(CLAIM, registry, "{}").status()).isEqualTo(403);
        assertThat(app().post(QUEUES + "/b-none/jobs", registry, "{}").status()).isEqualTo(403);
        assertThat(app().get("/v1/runner/queues", registry).status()).isEqualTo(403);
    }

    @Test
    void hidesQueuesFromOtherOrganizations() {
        enqueueInAll();
        String other = app().secondOrganization("other");
        var job = app().get(OWN + "/jobs?limit=1&status=queued", app().admin())
                .list(Job.class)
                .getFirst();

        assertThat(app().get(QUEUES + "/a-notes", other).status()).isEqualTo(404);
        assertThat(app().get(OWN + "/jobs", other).status()).isEqualTo(404);
        assertThat(app().get("/v1/runner/queues", other).list(Runner.QueueEntry.class))
                .isEmpty();
        assertThat(claimed(other)).isEmpty();
        String queue = "{\"queueId\": \"" + job.queueId() + "\"}";
        assertThat(app().post(CLAIM, other, queue).status()).isEqualTo(404);
        for (String verb : List.of("start", "heartbeat", "complete", "release")) {
            String path = "/v1/runner/jobs/" + job.id() + ":" + verb;
            assertThat(app().post(path, other, "{}").status()).as(verb).isEqualTo(404);
            assertThat(app().post(path, app().admin(), "{}").status()).as(verb).isEqualTo(409);
        }
    }

    @Test
    void habitatOfAnotherOrganizationLooksMissing() {
        String other = app().secondOrganization("elsewhere");
        var habitat =
                app().get(QUEUES + "/b-none", app().admin()).as(Queue.class).habitatId();
        String none = UUID.randomUUID().toString();

        var foreign = app().post(CLAIM, other, "{\"habitatId\": \"" + habitat + "\"}");
        var missing = app().post(CLAIM, other, "{\"habitatId\": \"" + none + "\"}");

        assertThat(foreign.status()).isEqualTo(404);
        assertThat(missing.status()).isEqualTo(404);
        assertThat(foreign.problem().detail().replace(habitat.toString(), none))
                .isEqualTo(missing.problem().detail());
        assertThat(app().post(CLAIM, app().admin(), "{\"habitatId\": \"" + habitat + "\"}")
                        .status())
                .as("with or without a job")
                .isIn(200, 204);
    }

    /// The list that is as wrong as a single job, in its own place.
    @Test
    void errorsOfSeveralJobsPointToEach() {
        String jobs = QUEUES + "/b-none/jobs";

        assertThat(pointers(app().post(jobs, app().admin(), "{\"jobs\": [{\"jobType\": 7}, {\"priority\": \"x\"}]}")))
                .containsExactly("/jobs/0/jobType", "/jobs/1/priority");
        assertThat(pointers(app().post(jobs, app().admin(), "{\"jobs\": [{\"bundle\": \"acme/none\"}]}")))
                .containsExactly("/jobs/0/bundle");
        assertThat(pointers(app().post(jobs, app().admin(), "{\"jobs\": [{}], \"jobType\": \"t\"}")))
                .containsExactly("/jobs");
        assertThat(app().post(jobs, app().admin(), "{\"jobs\": null, \"jobType\": \"t\"}")
                        .as(Job.class)
                        .jobType())
                .isEqualTo("t");
    }

    private static List<String> pointers(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        return reply.json()
                .get("errors")
                .valueStream()
                .map(error -> error.get("field").stringValue())
                .toList();
    }

    @Test
    void onlyJobsOfTheTypeArePurged() {
        for (String type : List.of("one", "two")) {
            var id = app().post(QUEUES + "/b-none/jobs", app().admin(), "{\"jobType\": \"" + type + "\"}")
                    .as(Job.class)
                    .id();
            app().post(OWN + "/jobs/" + id + ":cancel", app().admin(), "{}");
        }

        pass(Duration.ofSeconds(1));
        var purged = app().post(
                        QUEUES + "/b-none:purge", app().admin(), "{\"status\": [\"cancelled\"], \"jobType\": \"one\"}")
                .as(Job.Count.class);

        assertThat(purged.count()).isEqualTo(1);
        assertThat(slugs(QUEUES + "/b-none/jobs?status=cancelled", app().admin(), "jobType"))
                .containsExactly("two");
    }
}
