package dev.sheaf.server.event;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.org.EventRecord;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Readers who wait while what they may see changes: from then on nothing of what is not for them reaches them.
@Timeout(120)
class LosingSightTest extends OnEveryStack {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String DEFAULT = "/v1/organizations/default";
    private static final String OWN = DEFAULT + "/events";

    private final AtomicInteger names = new AtomicInteger();

    /// How a credential, or what it is good for, ends.
    private enum Way {
        MEMBER_REMOVED,
        MEMBER_LEAVES,
        ACCOUNT_DISABLED,
        SIGNED_OUT,
        KEY_REVOKED,
        KEY_DISABLED;

        boolean isOfPerson() {
            return this != KEY_REVOKED && this != KEY_DISABLED;
        }
    }

    /// @param id of the account or the key
    private record Reader(String id, String credential) {}

    private Reader reader(Way way, String name) {
        if (way.isOfPerson()) {
            String token = app().person(name + "@sight.test", "default", "admin");
            return new Reader(
                    app().get("/v1/users/me", token).as(User.class).id().toString(), token);
        }
        var key = app().newKey("""
                {"name": "%s", "scopes": ["admin"]}""".formatted(name));
        return new Reader(key.id().toString(), requireNonNull(key.key()));
    }

    private void end(Way way, Reader reader) {
        Reply ended = switch (way) {
            case MEMBER_REMOVED -> app().send("DELETE", DEFAULT + "/members/" + reader.id(), app().admin(), null);
            case MEMBER_LEAVES -> app().send("DELETE", DEFAULT + "/members/me", reader.credential(), null);
            case ACCOUNT_DISABLED -> app().post("/v1/admin/users/" + reader.id() + ":disable", app().admin(), "{}");
            case SIGNED_OUT -> app().send("DELETE", "/v1/sessions/current", reader.credential(), null);
            case KEY_REVOKED -> app().send("DELETE", DEFAULT + "/api-keys/" + reader.id(), app().admin(), null);
            case KEY_DISABLED ->
                app().send("PATCH", DEFAULT + "/api-keys/" + reader.id(), app().admin(), "{\"disabled\": true}");
        };
        assertThat(ended.status()).as(ended.text()).isBetween(200, 204);
    }

    /// Publishes one version after the other until it is closed.
    private final class Publisher implements AutoCloseable {
        private final String bundle;
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicBoolean stop = new AtomicBoolean();
        private final Thread thread;

        Publisher(String bundle) {
            this.bundle = bundle;
            this.thread = Thread.ofVirtual().start(() -> {
                while (!stop.get()) {
                    int next = begun.incrementAndGet();
                    app().push(bundle, next + ".0.0", "private", "# Kit " + next);
                }
            });
        }

        /// Waits until so many more were begun, which is to say that all but the last are published.
        void awaitMore(int count) {
            int least = begun.get() + count;
            Eventually.within(PATIENCE, () -> begun.get() >= least);
        }

        /// Whether that was begun behind the first `count`.
        boolean isLater(String subject, int count) {
            String version = subject.substring(subject.indexOf(':') + 1);
            return subject.startsWith(bundle + ":")
                    && Integer.parseInt(version.substring(0, version.indexOf('.'))) > count;
        }

        @Override
        public void close() {
            try {
                stop.set(true);
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Reads on a thread of its own until the stream ends or is closed.
    private Thread following(EventReader stream, Queue<EventReader.Event> seen) {
        return Thread.ofVirtual().start(() -> {
            try {
                for (var event = stream.next(); event != null; event = stream.next()) {
                    seen.add(event);
                }
            } catch (IOException e) {
                // closed by the test, which asks what was seen
            }
        });
    }

    /// Asks again and again until it is refused; what was refused.
    private Reply polling(String path, String credential, Queue<String> subjects, CountDownLatch first) {
        String cursor = "latest";
        while (true) {
            var page = app().get(path + "?wait=30&after=" + cursor, credential);
            if (page.status() != 200) {
                return page;
            }
            page.json()
                    .get("data")
                    .forEach(event -> subjects.add(event.get("subject").stringValue()));
            cursor = page.json().at("/meta/nextCursor").stringValue();
            first.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void whoIsGoneReadsNothingThatComesLaterAndTheStreamEnds(Way way) throws Exception {
        String name = "gone" + names.incrementAndGet();
        var reader = reader(way, name);
        var seen = new ConcurrentLinkedQueue<EventReader.Event>();
        var polled = new ConcurrentLinkedQueue<String>();
        var refused = new ConcurrentLinkedQueue<Reply>();
        var first = new CountDownLatch(1);
        int last;
        Thread streaming;
        Thread polls;
        try (var publisher = new Publisher(name + "/kit");
                var stream = new EventReader(app().request("GET", OWN + "?after=latest", reader.credential(), null))) {
            streaming = following(stream, seen);
            polls = Thread.ofVirtual().start(() -> refused.add(polling(OWN, reader.credential(), polled, first)));
            first.await();
            Eventually.within(PATIENCE, () -> seen.size() > 3);

            end(way, reader);

            last = publisher.begun.get();
            publisher.awaitMore(4);
            Numbered.all(app().database());
            streaming.join(); // which nobody but the server ends
            polls.join();
            assertThat(seen).noneMatch(event -> publisher.isLater(event.subject(), last));
            assertThat(polled).noneMatch(subject -> publisher.isLater(subject, last));
        }
        assertThat(refused).singleElement().satisfies(reply -> {
            assertThat(reply.status()).isIn(401, 403, 404);
            assertThat(reply.text()).doesNotContain(name + "/kit");
        });
    }

    /// Of the events that are for admins; those of bundles go on.
    @Test
    void whoIsAnAdminNoMoreReadsNothingForAdmins() throws Exception {
        String name = "less" + names.incrementAndGet();
        var reader = reader(Way.MEMBER_REMOVED, name);
        var seen = new ConcurrentLinkedQueue<EventReader.Event>();
        try (var stream = new EventReader(app().request("GET", OWN + "?after=latest", reader.credential(), null))) {
            var streaming = following(stream, seen);
            app().key(name + " before", "read");
            Eventually.within(
                    PATIENCE, () -> seen.stream().anyMatch(event -> event.type().equals("api_key.created")));

            var changed =
                    app().send("PATCH", DEFAULT + "/members/" + reader.id(), app().admin(), "{\"role\": \"reader\"}");
            assertThat(changed.status()).isEqualTo(200);
            app().key(name + " after", "read");
            app().push(name + "/kit", "1.0.0", "private", "# Kit");
            Eventually.within(
                    PATIENCE,
                    () -> seen.stream().anyMatch(event -> event.subject().equals(name + "/kit:1.0.0")));

            assertThat(streaming.isAlive()).isTrue();
            assertThat(seen.stream().filter(event -> event.type().equals("api_key.created")))
                    .hasSize(1);
            assertThat(seen).noneMatch(event -> event.data().toString().contains(name + " after"));
            assertThat(seen.stream().filter(event -> event.subject().equals(name + "/kit:1.0.0")))
                    .noneMatch(event -> event.data().has("sequence"));
        }
    }

    /// A namespace goes to another organization while both are followed, and while it is published to.
    @Test
    void whatIsGivenAwayIsOfItsNewOrganizationAlone() throws Exception {
        String name = "given" + names.incrementAndGet() + "-" + stack().ordinal();
        String receiver = app().secondOrganization(name);
        String theirs = "/v1/organizations/" + name + "/events";
        String confined = app().secret("""
                {"name": "%s", "scopes": ["admin"], "restrictions": {"namespaces": ["%s-ns"]}}""".formatted(name, name));
        app().push(name + "-ns/kit", "1.0.0", "private", "# Kit");
        Numbered.all(app().database());
        var ofAll = new ConcurrentLinkedQueue<EventReader.Event>();
        var ofConfined = new ConcurrentLinkedQueue<EventReader.Event>();
        var ofTheirs = new ConcurrentLinkedQueue<EventReader.Event>();
        try (var all = new EventReader(app().request("GET", OWN + "?after=latest", app().admin(), null));
                var some = new EventReader(app().request("GET", OWN + "?after=latest", confined, null));
                var other = new EventReader(app().request("GET", theirs + "?after=latest", receiver, null))) {
            following(all, ofAll);
            following(some, ofConfined);
            following(other, ofTheirs);

            give(name, receiver);
            var pushed = app().post(bundle(name + "-ns/kit") + ":push", receiver, """
                    {"name": "Kit", "version": "2.0.0",
                     "manifest": [{"logicalPath": "a.md", "assetType": "skill", "contentText": "a"}]}""");
            assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
            Numbered.all(app().database());
            app().push(name + "-last/kit", "1.0.0", "private", "# Last"); // behind all of it

            Eventually.within(PATIENCE, () -> tells(ofTheirs, name + "-ns/kit:2.0.0"));
            Eventually.within(PATIENCE, () -> tells(ofAll, name + "-last/kit:1.0.0"));
            assertThat(tells(ofAll, name + "-ns/kit:2.0.0")).isFalse();
            assertThat(ofConfined).noneMatch(event -> event.subject().contains("2.0.0"));
            var behind = app().get(OWN + "?limit=100", confined);
            assertThat(behind.text()).doesNotContain("2.0.0").doesNotContain(name + "-last");
        }
    }

    /// The same for those who poll: whoever reads all of the old organization, and whoever may read that namespace.
    @Test
    void whoPollsTheOldOrganizationIsToldNothingOfWhatIsGivenAway() throws Exception {
        String name = "polled" + names.incrementAndGet() + "-" + stack().ordinal();
        String receiver = app().secondOrganization(name);
        String confined = app().secret("""
                {"name": "%s", "scopes": ["read"], "restrictions": {"namespaces": ["%s-ns", "%s-last"]}}""".formatted(name, name, name));
        app().push(name + "-ns/kit", "1.0.0", "private", "# Kit");
        Numbered.all(app().database());
        var ofAll = new ConcurrentLinkedQueue<String>();
        var ofConfined = new ConcurrentLinkedQueue<String>();
        var begun = new CountDownLatch(2);
        String last = name + "-last/kit:1.0.0";
        var polls = Stream.of(
                        Thread.ofVirtual().start(() -> pollUntil(last, app().admin(), ofAll, begun)),
                        Thread.ofVirtual().start(() -> pollUntil(last, confined, ofConfined, begun)))
                .toList();
        begun.await();

        give(name, receiver);
        var pushed = app().post(bundle(name + "-ns/kit") + ":push", receiver, """
                {"name": "Kit", "version": "2.0.0",
                 "manifest": [{"logicalPath": "a.md", "assetType": "skill", "contentText": "a"}]}""");
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        Numbered.all(app().database());
        app().push(name + "-last/kit", "1.0.0", "private", "# Last");
        for (var poll : polls) {
            poll.join();
        }

        assertThat(ofAll).contains(last).noneMatch(subject -> subject.contains("2.0.0"));
        assertThat(ofConfined).contains(last).noneMatch(subject -> subject.contains("2.0.0"));
    }

    private void pollUntil(String last, String credential, Queue<String> subjects, CountDownLatch begun) {
        String cursor = end(credential);
        begun.countDown();
        while (!subjects.contains(last)) {
            var page = app().get(OWN + "?wait=30&after=" + cursor, credential);
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            page.list(EventRecord.class).forEach(event -> subjects.add(event.subject()));
            cursor = page.nextCursor();
        }
    }

    private String end(String credential) {
        return app().get(OWN + "?after=latest", credential).nextCursor();
    }

    /// Hands the namespace over to the organization of that name.
    private void give(String name, String receiver) {
        var offer = app().post(DEFAULT + "/namespaces/" + name + "-ns:transfer", app().admin(), """
                {"organization": "%s"}""".formatted(name))
                .as(Transfer.class);
        var id = offer.id();
        var accepted = app().post("/v1/organizations/" + name + "/transfers/" + id + ":accept", receiver, "{}");
        assertThat(accepted.status()).as(accepted.text()).isEqualTo(200);
    }

    private static boolean tells(Queue<EventReader.Event> seen, String subject) {
        return seen.stream().anyMatch(event -> event.subject().equals(subject));
    }

    /// The hub's followers, of whom nobody knows who they are.
    @Test
    void whatIsPrivateNowIsWithdrawnAndToldOfNoMore() throws Exception {
        String name = "shut" + names.incrementAndGet();
        app().push(name + "/kit", "1.0.0", "public", "# Kit");
        app().push(name + "/other", "1.0.0", "public", "# Other");
        Numbered.all(app().database());
        var seen = new ConcurrentLinkedQueue<EventReader.Event>();
        try (var stream = new EventReader(app().request("GET", "/v1/hub/events?after=latest", null, null))) {
            following(stream, seen);
            app().send("PATCH", bundle(name + "/kit"), app().admin(), "{\"visibility\": \"private\"}");
            app().push(name + "/kit", "1.1.0", "private", "# Kit 2");
            app().post(bundle(name + "/kit") + "/versions/1.0.0:yank", app().admin(), "{\"reason\": \"Wrong\"}");
            app().send("DELETE", bundle(name + "/kit"), app().admin(), null);
            app().push(name + "/other", "1.1.0", "public", "# Other 2");

            Eventually.within(PATIENCE, () -> tells(seen, name + "/other:1.1.0"));
            assertThat(seen)
                    .extracting(event -> event.type() + " " + event.subject())
                    .containsExactly("bundle.withdrawn " + name + "/kit", "version.published " + name + "/other:1.1.0");
        }
    }
}
