package dev.sheaf.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.Scope;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.Restrictions;
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
        return created(app().post(OWN + "/api-keys", app().admin(), """
                        {"name": "key %d", "scopes": ["write"], "restrictions": %s}""".formatted(++keys, restrictions)))
                .json()
                .get("key")
                .stringValue();
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
        var jobs = app().get(OWN + "/jobs", app().admin()).json().get("data");
        for (var job : jobs) {
            String name = job.get("jobType").stringValue();
            int expected = names.contains(name) ? 200 : 404;
            String path = OWN + "/jobs/" + job.get("id").stringValue();
            assertThat(app().get(path, key).status()).as(name).isEqualTo(expected);
            assertThat(app().get(path + "/events", key).status()).as(name).isEqualTo(expected);
            for (String more : List.of("", "/stats", "/jobs", "/instructions", "/schedules")) {
                assertThat(app().get(QUEUES + "/" + name + more, key).status())
                        .as(name + more)
                        .isEqualTo(expected);
            }
            if (expected == 404) {
                refusesToChange(key, name, job.get("queueId").stringValue(), path);
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
            types.add(reply.json().at("/job/jobType").stringValue());
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
        var key = app().post(OWN + "/api-keys", app().admin(), "{\"name\": \"for tokens\", \"scopes\": [\"write\"]}");
        var id = UUID.fromString(key.json().get("id").stringValue());
        String delegated = app().token(id, new Grant.Delegated(Scope.WRITE, Restrictions.NONE));
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
    void anotherOrganizationSeesNothing() {
        enqueueInAll();
        String other = app().secondOrganization("other");
        var job = app().get(OWN + "/jobs?limit=1&status=queued", app().admin())
                .json()
                .at("/data/0");

        assertThat(app().get(QUEUES + "/a-notes", other).status()).isEqualTo(404);
        assertThat(app().get(OWN + "/jobs", other).status()).isEqualTo(404);
        assertThat(app().get("/v1/runner/queues", other).json().get("data")).isEmpty();
        assertThat(claimed(other)).isEmpty();
        String queue = "{\"queueId\": \"" + job.get("queueId").stringValue() + "\"}";
        assertThat(app().post(CLAIM, other, queue).status()).isEqualTo(404);
        for (String verb : List.of("start", "heartbeat", "complete", "release")) {
            String path = "/v1/runner/jobs/" + job.get("id").stringValue() + ":" + verb;
            assertThat(app().post(path, other, "{}").status()).as(verb).isEqualTo(404);
            assertThat(app().post(path, app().admin(), "{}").status()).as(verb).isEqualTo(409);
        }
    }

    @Test
    void aHabitatOfAnotherOrganizationIsNotFoundLikeOneThatIsNot() {
        String other = app().secondOrganization("elsewhere");
        String habitat = app().get(QUEUES + "/b-none", app().admin())
                .json()
                .get("habitatId")
                .stringValue();
        String none = UUID.randomUUID().toString();

        var foreign = app().post(CLAIM, other, "{\"habitatId\": \"" + habitat + "\"}");
        var missing = app().post(CLAIM, other, "{\"habitatId\": \"" + none + "\"}");

        assertThat(foreign.status()).isEqualTo(404);
        assertThat(missing.status()).isEqualTo(404);
        assertThat(foreign.json().get("detail").stringValue().replace(habitat, none))
                .isEqualTo(missing.json().get("detail").stringValue());
        assertThat(app().post(CLAIM, app().admin(), "{\"habitatId\": \"" + habitat + "\"}")
                        .status())
                .isEqualTo(204);
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
                        .json()
                        .path("jobType")
                        .asString(""))
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
            String id = app().post(QUEUES + "/b-none/jobs", app().admin(), "{\"jobType\": \"" + type + "\"}")
                    .json()
                    .get("id")
                    .stringValue();
            app().post(OWN + "/jobs/" + id + ":cancel", app().admin(), "{}");
        }

        pass(Duration.ofSeconds(1));
        var purged = app().post(
                        QUEUES + "/b-none:purge", app().admin(), "{\"status\": [\"cancelled\"], \"jobType\": \"one\"}");

        assertThat(purged.json().get("count").asInt()).as(purged.text()).isEqualTo(1);
        assertThat(slugs(QUEUES + "/b-none/jobs?status=cancelled", app().admin(), "jobType"))
                .containsExactly("two");
    }
}
