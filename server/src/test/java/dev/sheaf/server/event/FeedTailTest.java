package dev.sheaf.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Gen;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.key.KeyRestrictions;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Refusals;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.Together;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What followers are given from memory is what the database has for them.
@Timeout(120)
class FeedTailTest extends OnEveryStack {
    private static final List<String> NAMESPACES = List.of("acme", "ac", "beta");
    private static final List<String> BUNDLES =
            List.of("acme/kit", "acme/kit-two", "ac/kit", "ac/kit%", "beta/k_t", "beta/Ünï", "beta/𝔘x");

    private UUID organization() {
        return app().database()
                .read(tx -> tx.one("SELECT id FROM organization ORDER BY created_at LIMIT 1", UUID.class));
    }

    private EventFeeds feeds() {
        return new EventFeeds(app().database(), new FeedCursors(MasterSecret.parse(MasterSecret.generate())));
    }

    private static void emit(Tx tx, UUID organization, Gen gen) {
        String bundle = gen.of(BUNDLES);
        switch (gen.number(0, 3)) {
            case 0 -> OutboxRows.emitToHub(tx, organization, new Event.TagMoved(bundle, gen.text("ab", 1, 2), "d"));
            case 1 -> OutboxRows.emit(tx, organization, new Event.BundleUpdated(organization, bundle, "private"));
            case 2 -> OutboxRows.emit(tx, organization, new Event.NamespaceClaimed(gen.of(NAMESPACES)));
            default -> OutboxRows.emit(tx, organization, new Event.ApiKeyUpdated(organization, "k", "active"));
        }
    }

    private static EventFilter filter(Gen gen) {
        var types = List.of("tag.moved", "tag.*", "bundle.updated", "*", "api_key.*", "Tag.*", "namespace.claimed");
        var subjects = List.of(
                "acme/kit", "acme/kit*", "ac*", "ac/kit%*", "beta/k_*", "*", "beta/Ü*", "beta/𝔘*", "ACME/KIT", "");
        var patterns = List.of("acme/kit", "acme/kit*", "ac/*", "beta/k*");
        var restrictions = CredentialRestrictions.parse(
                new KeyRestrictions(orNull(some(NAMESPACES, gen, 0.6)), orNull(some(patterns, gen, 0.6)), null));
        return new EventFilter(
                some(types, gen, 0.5),
                some(subjects, gen, 0.5),
                new EventFilter.Reader(
                        gen.chance(0.5) ? Scope.ADMIN : gen.chance(0.5) ? Scope.WRITE : Scope.READ,
                        gen.chance(0.5) ? CredentialRestrictions.NONE : restrictions));
    }

    private static @Nullable List<String> orNull(List<String> some) {
        return some.isEmpty() ? null : some;
    }

    private static List<String> some(List<String> choices, Gen gen, double none) {
        var some = new ArrayList<String>();
        for (int i = gen.chance(none) ? 0 : gen.number(1, 3); i > 0; i--) {
            some.add(gen.of(choices));
        }
        return some;
    }

    @Test
    void memoryAndDatabaseGiveTheSamePages() {
        var organization = organization();
        var feeds = feeds();
        for (var feed : List.of(new EventFeed(organization), EventFeed.HUB)) {
            try (var follower = feeds.follow(feed)) {
                var start = follower.place(EventFeeds.LATEST);
                Gen.forAll(15, gen -> {
                    app().database().write(tx -> {
                        for (int i = gen.number(1, 30); i > 0; i--) {
                            emit(tx, organization, gen);
                        }
                        return tx;
                    });
                    Numbered.all(app().database());
                    Eventually.within(Duration.ofSeconds(30), () -> {
                        follower.await(0);
                        return follower.place(EventFeeds.LATEST).equals(feeds.place(feed, EventFeeds.LATEST));
                    });
                    long last = follower.place(EventFeeds.LATEST).seq();
                    for (int i = 0; i < 40; i++) {
                        var filter = filter(gen);
                        var after = new FeedPosition(start.epoch(), gen.number((int) start.seq(), (int) last));
                        int limit = gen.number(1, 20);

                        assertThat(follower.read(filter, after, limit))
                                .as("%s behind %s", filter, after)
                                .isEqualTo(feeds.read(feed, filter, after, limit));
                        assertThat(follower.read(filter, after.seq(), limit))
                                .as("%s behind the number of %s", filter, after)
                                .isEqualTo(feeds.read(feed, filter, after.seq(), limit));
                    }
                });
            }
        }
    }

    /// A burst costs a query or two, however many follow.
    @Test
    void whatComesIsReadOnceForAll() throws Exception {
        Assumptions.assumeTrue(stack() != Stack.SQLITE, "statements are seen on PostgreSQL only");
        int followers = 200;
        var organization = organization();
        var feeds = feeds();
        var feed = new EventFeed(organization);
        var places = new ArrayList<FeedPosition>();
        var all = new ArrayList<EventFeeds.Follower>();
        try {
            for (int i = 0; i < followers; i++) {
                var follower = feeds.follow(feed);
                all.add(follower);
                places.add(follower.place(EventFeeds.LATEST));
            }
            app().database().write(tx -> {
                emit(tx, organization, tag());
                return tx;
            });
            Numbered.all(app().database());

            var asked = new Statements(app().database()).of(() -> read(all, places));

            assertThat(asked)
                    .filteredOn(statement -> statement.sql().contains("FROM event"))
                    .hasSizeLessThan(5);
        } finally {
            all.forEach(EventFeeds.Follower::close);
        }
    }

    private static void read(List<EventFeeds.Follower> followers, List<FeedPosition> places) {
        try {
            Together.run(followers.size(), i -> () -> {
                assertThat(followers.get(i).await(TimeUnit.SECONDS.toNanos(30))).isTrue();
                assertThat(followers
                                .get(i)
                                .read(EventFilter.NONE, places.get(i), 100)
                                .events())
                        .isNotEmpty();
                return i;
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Gen tag() {
        var made = new ArrayList<Gen>();
        Gen.forAll(1, made::add);
        return made.getFirst();
    }

    /// As after a restore: numbers are given once more, and who has seen them is told, now and later.
    @Test
    void aCursorOfAnEarlierEpochIsGoodOnlyForWhatIsTheSame() {
        var organization = organization();
        var feeds = feeds();
        var feed = new EventFeed(organization);
        var database = app().database();
        emitAndNumber(organization);
        var kept = feeds.place(feed, EventFeeds.LATEST);
        String keptCursor = feeds.cursor(feed, kept);
        String lostCursor = feeds.cursor(feed, new FeedPosition(kept.epoch(), kept.seq() + 1));
        database.write(tx -> {
            FeedEpochs.restored(tx);
            return tx;
        });
        emitAndNumber(organization);
        emitAndNumber(organization);

        var read = feeds.read(feed, EventFilter.NONE, feeds.place(feed, keptCursor), 10);

        assertThat(read.events()).hasSize(2);
        assertThat(read.end().epoch()).isNotZero().isNotEqualTo(kept.epoch());
        assertThat(feeds.read(feed, EventFilter.NONE, feeds.place(feed, feeds.cursor(feed, read.end())), 10)
                        .events())
                .isEmpty();
        var refused = Refusals.refusal(
                Problem.CursorExpired.class,
                () -> feeds.read(feed, EventFilter.NONE, feeds.place(feed, lostCursor), 10));
        assertThat(feeds.read(feed, EventFilter.NONE, feeds.place(feed, refused.oldest()), 10)
                        .events())
                .isNotEmpty();
    }

    private void emitAndNumber(UUID organization) {
        app().database().write(tx -> {
            OutboxRows.emit(tx, organization, new Event.NamespaceClaimed("again"));
            return tx;
        });
        Numbered.all(app().database());
    }
}
