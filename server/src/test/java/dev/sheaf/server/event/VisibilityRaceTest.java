package dev.sheaf.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Together;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Bundles that become public and private while they are published to, and readers who follow. What everybody is told
/// of is decided when the event is written: what was private during the whole of a request is never told of, and what
/// was public is.
@Timeout(180)
class VisibilityRaceTest extends OnEveryStack {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OWN = "/v1/organizations/default/events";
    private static final String HUB = "/v1/hub/events";
    private static final String LAST = "bundle.listed race/last";
    private static final String OWN_LAST = "version.published race/b0:9.0.0";
    private static final int BUNDLES = 3;
    private static final int WRITERS = 2; // of each bundle
    private static final int WRITING = BUNDLES * (WRITERS + 1); // with who flips
    private static final int FLIPS = 6;

    /// A request, from before it was sent until after it was answered.
    ///
    /// @param what was published, or the visibility that was set
    private record Done(String what, long begin, long end) {}

    /// A bundle and what happened to it.
    private final class Raced {
        private final String name;
        private final List<Done> flips = new ArrayList<>(); // of one thread
        private final Queue<Done> published = new ConcurrentLinkedQueue<>();
        private final AtomicInteger versions = new AtomicInteger();
        private final AtomicBoolean over = new AtomicBoolean();

        Raced(String name) {
            this.name = name;
        }

        void flip() {
            for (int i = 0; i < FLIPS; i++) {
                int before = published.size();
                Eventually.within(PATIENCE, () -> published.size() > before + WRITERS);
                String visibility = i % 2 == 0 ? "public" : "private";
                long begin = System.nanoTime();
                var flipped = app().send("PATCH", bundle(name), app().admin(), """
                        {"visibility": "%s"}""".formatted(visibility));
                assertThat(flipped.status()).as(flipped.text()).isEqualTo(200);
                flips.add(new Done(visibility, begin, System.nanoTime()));
            }
            over.set(true);
        }

        void publish() {
            while (!over.get()) {
                String version = "1." + versions.incrementAndGet() + ".0";
                long begin = System.nanoTime();
                var pushed = app().post(bundle(name) + ":push", app().admin(), """
                        {"name": "Raced", "version": "%s",
                         "manifest": [{"logicalPath": "a.md", "assetType": "prompt", "contentText": "%s"}]}""".formatted(version, version));
                assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
                published.add(new Done(name + ":" + version, begin, System.nanoTime()));
            }
        }

        /// What was published while the bundle had this visibility for the whole of the request.
        List<String> whole(String visibility) {
            return published.stream()
                    .filter(done -> visibility.equals(during(done)))
                    .map(Done::what)
                    .toList();
        }

        /// Null where it was changed meanwhile. It began private.
        private @Nullable String during(Done done) {
            String before = "private";
            for (var flip : flips) {
                if (flip.begin() < done.end() && flip.end() > done.begin()) {
                    return null;
                }
                before = flip.end() <= done.begin() ? flip.what() : before;
            }
            return before;
        }
    }

    /// Reads a feed up to the last event, by its type and subject.
    private List<String> streamed(String path, @Nullable String key, String last) throws Exception {
        var seen = new ArrayList<String>();
        try (var stream = new EventReader(app().request("GET", path, key, null))) {
            for (var event = stream.next(); event != null; event = stream.next()) {
                seen.add(event.type() + " " + event.subject());
                if (seen.getLast().equals(last)) {
                    return seen;
                }
            }
        }
        throw new IOException("the stream ended");
    }

    private List<String> polled(String path, @Nullable String key, String last) {
        var seen = new ArrayList<String>();
        String cursor = path.substring(path.indexOf("after=") + 6);
        while (true) {
            var page = app().get(path.replaceFirst("after=.*", "") + "wait=30&limit=7&after=" + cursor, key);
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            for (var event : page.json().get("data")) {
                seen.add(event.get("type").stringValue() + " "
                        + event.get("subject").stringValue());
            }
            if (seen.contains(last)) {
                return seen;
            }
            cursor = page.json().at("/meta/nextCursor").stringValue();
        }
    }

    @Test
    void readersGetNoEventsFromBeforeTheyCouldSee() throws Exception {
        var bundles = new ArrayList<Raced>();
        for (int i = 0; i < BUNDLES; i++) {
            app().push("race/b" + i, "1.0.0", "private", "# Kit");
            bundles.add(new Raced("race/b" + i));
        }
        String narrow = app().secret("""
                {"name": "narrow race", "scopes": ["read"], "restrictions": {"bundles": ["race/b0"]}}""");
        Numbered.all(app().database());
        String ownEnd = OWN + "?after=" + end(OWN, narrow);
        String hubEnd = HUB + "?after=" + end(HUB, null);

        var written = new CountDownLatch(WRITING);
        var seen = Together.<List<String>>run(WRITING + 1 + 8, i -> () -> switch (i - WRITING) {
            case 0, 1 -> streamed(hubEnd, null, LAST);
            case 2, 3 -> polled(hubEnd, null, LAST);
            case 4, 5 -> streamed(ownEnd, narrow, OWN_LAST);
            case 6, 7 -> polled(ownEnd, narrow, OWN_LAST);
            case 8 -> end(written);
            default -> write(bundles.get(i % BUNDLES), i < BUNDLES, written);
        });

        var hub = seen.subList(WRITING, WRITING + 4);
        var own = seen.subList(WRITING + 4, WRITING + 8);
        check(bundles, hub);
        assertThat(own).allSatisfy(one -> assertThat(one).isEqualTo(own.getFirst()));
        assertThat(own.getFirst())
                .allMatch(event -> event.endsWith(" race/b0") || event.contains(" race/b0:"))
                .containsAll(bundles.getFirst().published.stream()
                        .map(done -> "version.published " + done.what())
                        .toList());
    }

    private static void check(List<Raced> bundles, List<List<String>> hub) {
        for (var bundle : bundles) {
            var hidden = bundle.whole("private").stream()
                    .map(version -> "version.published " + version)
                    .toList();
            var open = bundle.whole("public").stream()
                    .map(version -> "version.published " + version)
                    .toList();
            assertThat(hidden).as("of " + bundle.name).isNotEmpty();
            assertThat(open).as("of " + bundle.name).isNotEmpty();
            for (var one : hub) {
                assertThat(hidden.stream().filter(one::contains).toList())
                        .as("private then")
                        .isEmpty();
                assertThat(open.stream().filter(event -> !one.contains(event)).toList())
                        .as("public then")
                        .isEmpty();
            }
        }
        for (var one : hub) {
            assertThat(one.equals(hub.getFirst()))
                    .as("all read the same, %s", one.size())
                    .isTrue();
        }
    }

    private static List<String> write(Raced bundle, boolean flips, CountDownLatch written) {
        if (flips) {
            bundle.flip();
        } else {
            bundle.publish();
        }
        written.countDown();
        return List.of();
    }

    /// What all readers wait for, behind all that is written.
    private List<String> end(CountDownLatch written) throws InterruptedException {
        written.await();
        app().push("race/b0", "9.0.0", "private", "# Last");
        app().push("race/last", "1.0.0", "public", "# Last");
        return List.of();
    }

    private String end(String feed, @Nullable String key) {
        return app().get(feed + "?after=latest", key)
                .json()
                .at("/meta/nextCursor")
                .stringValue();
    }
}
