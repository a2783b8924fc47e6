package dev.sheaf.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.model.wire.org.EventRecord;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.Together;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

/// Many writers on several nodes, and followers of every kind: none misses an event, and none gets one twice.
@Timeout(240)
class FollowersTest {
    private static final String OWN = "/v1/organizations/default/events";
    private static final Map<String, String> MASTER = Map.of("master-key", MasterSecret.generate());
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int WRITERS = 32;
    private static final int EVENTS = 40;
    private static final int ALL = WRITERS * EVENTS;

    @TempDir
    private Path folder;

    private static UUID organization(TestApp app) {
        return app.database().read(tx -> tx.one("SELECT id FROM organization ORDER BY created_at LIMIT 1", UUID.class));
    }

    /// Writes an event in a transaction that takes a while, so that others commit between it and its commit.
    private static void write(TestApp node, UUID organization, String tag) {
        boolean slow = node.database().dialect() == SqlDialect.POSTGRES;
        node.database().write(tx -> {
            OutboxRows.emit(tx, organization, new Event.TagMoved("acme/kit", tag, "sha256:0"));
            for (int i = slow ? ThreadLocalRandom.current().nextInt(40) : 0; i > 0; i--) {
                tx.has("SELECT 1 FROM organization"); // takes a while, more or less of it
            }
            return tag;
        });
    }

    private interface Follower {
        void read(TestApp node, List<String> seen) throws Exception;
    }

    private static List<String> seen(Follower follower, TestApp node) {
        var seen = new ArrayList<String>();
        try {
            follower.read(node, seen);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return seen;
    }

    private static String start(TestApp node) {
        return node.get(OWN + "?after=latest", node.admin()).nextCursor();
    }

    private static void poll(TestApp node, String from, int wait, List<String> seen) {
        String cursor = from;
        while (seen.size() < ALL) {
            var page = node.get(OWN + "?limit=100&wait=" + wait + "&after=" + cursor, node.admin())
                    .page(EventRecord.class);
            page.data().forEach(event -> seen.add(event.subject()));
            cursor = page.meta().nextCursor();
        }
    }

    /// @param most how many events are read before the stream is given up and begun again
    private static void stream(TestApp node, String from, int most, List<String> seen) throws Exception {
        String cursor = from;
        while (seen.size() < ALL) {
            var request = node.request("GET", OWN, node.admin(), null).header("Last-Event-ID", cursor);
            try (var stream = new EventReader(request)) {
                for (int i = 0; i < most && seen.size() < ALL; i++) {
                    var event = Objects.requireNonNull(stream.next());
                    seen.add(event.subject());
                    cursor = event.id();
                }
            } catch (IOException e) {
                throw new AssertionError("the stream broke", e);
            }
        }
    }

    /// A program that is killed (SIGKILL) each second, and begun again behind the last event that it had whole.
    ///
    /// @return how often it was killed
    private int curl(TestApp node, String from, List<String> seen) throws Exception {
        String cursor = from;
        int kills = 0;
        for (int run = 0; seen.size() < ALL; run++) {
            Path out = folder.resolve("curl-" + run);
            var curl = new ProcessBuilder(
                            "curl",
                            "--silent",
                            "--no-buffer",
                            "--header",
                            "Authorization: Bearer " + node.admin(),
                            "--header",
                            "Accept: text/event-stream",
                            "--header",
                            "Last-Event-ID: " + cursor,
                            node.url() + OWN)
                    .redirectOutput(out.toFile())
                    .start();
            kills += curl.waitFor(1, TimeUnit.SECONDS) ? 0 : 1;
            curl.destroyForcibly().onExit().join();
            String text = Files.readString(out);
            var blocks = text.substring(0, text.lastIndexOf("\n\n") + 1).split("\n\n");
            for (String block : blocks) {
                for (String line : block.split("\n")) {
                    if (line.startsWith("id: ")) {
                        cursor = line.substring(4);
                    } else if (line.startsWith("data: ")) {
                        seen.add(JSON.readTree(line.substring(6)).get("subject").stringValue());
                    }
                }
            }
        }
        return kills;
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void nobodyMissesAnEventOrGetsItTwice(Stack stack) throws Exception {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor();
                var one = TestApp.start(stack, folder.resolve("one"), InstantSource.system(), MASTER)) {
            var nodes = new ArrayList<>(List.of(one));
            if (stack != Stack.SQLITE) {
                nodes.add(one.another(folder.resolve("two")));
                nodes.add(one.another(folder.resolve("three")));
            }
            try {
                Numbered.all(one.database());
                String from = start(one);
                var kills = new AtomicInteger();
                var followers = List.<Follower>of(
                        (node, seen) -> poll(node, from, 0, seen),
                        (node, seen) -> poll(node, from, 5, seen),
                        (node, seen) -> stream(node, from, ALL, seen),
                        (node, seen) -> stream(node, from, 17, seen),
                        (node, seen) -> kills.set(curl(node, from, seen)));
                var read = new ArrayList<CompletableFuture<List<String>>>();
                for (int i = 0; i < followers.size(); i++) {
                    var follower = followers.get(i);
                    var node = nodes.get(i % nodes.size());
                    read.add(CompletableFuture.supplyAsync(() -> seen(follower, node), executor));
                }
                var organization = organization(one);

                Together.run(WRITERS, writer -> () -> {
                    for (int i = 0; i < EVENTS; i++) {
                        write(nodes.get((writer + i) % nodes.size()), organization, "t" + writer + "-" + i);
                    }
                    return writer;
                });

                assertSame(read);
                assertThat(kills.get()).isPositive();
            } finally {
                nodes.subList(1, nodes.size()).forEach(TestApp::close);
            }
        }
    }

    private static void assertSame(List<CompletableFuture<List<String>>> read) throws Exception {
        for (var each : read) { // one who missed an event waits for it in vain
            assertThat(each).succeedsWithin(Duration.ofSeconds(100));
        }
        var first = read.getFirst().get();
        assertThat(first).hasSize(ALL).doesNotHaveDuplicates();
        for (var others : read) {
            assertThat(others.get()).isEqualTo(first);
        }
    }

    /// It wrote, committed and was killed: nobody was told. The next node that starts makes up for it.
    @Test
    void whatANodeLeftIsNumberedByAnother() {
        try (var one = TestApp.start(Stack.POSTGRES, folder.resolve("one"), InstantSource.system(), MASTER)) {
            var organization = organization(one);
            one.database().write(tx -> tx.change("""
                    INSERT INTO event (id, type, organization_id, subject, data, created_at, audience)
                    VALUES ('0199d3c4-7a10-7cc0-8000-5d6f6e1c2b3a', 'tag.moved', :organization, 'left/behind:x', '{}',
                            :now, 'read')
                    """, "organization", organization));
            assertThat(one.get(OWN + "?subject=left/*", one.admin()).list(EventRecord.class))
                    .isEmpty();
            try (var other = one.another(folder.resolve("other"))) {
                var page = other.get(OWN + "?subject=left/*&wait=30", other.admin())
                        .list(EventRecord.class);

                assertThat(page.getFirst().subject()).isEqualTo("left/behind:x");
            }
        }
    }
}
