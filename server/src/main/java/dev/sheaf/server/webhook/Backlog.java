package dev.sheaf.server.webhook;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.event.Feed;
import dev.sheaf.server.event.FeedRow;
import dev.sheaf.server.event.Feeds;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is to be delivered to one webhook: what failed and is due, what happened since, and what is sent once
/// more. What has just happened is read once for all webhooks of an organization. For one courier.
final class Backlog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);
    private static final int PAGE = 20;
    private static final EventFilter ALL = new EventFilter(List.of(), List.of(), reader(Restrictions.NONE));

    private final Database database;
    private final Feeds.Follower follower;
    private final Feed feed;
    private final UUID id;
    private final ArrayDeque<FeedRow> events = new ArrayDeque<>();
    private final ArrayDeque<DeliveryRow> tests = new ArrayDeque<>();
    private boolean replayed; // whether these are sent once more
    private long read;
    private EventFilter filter = ALL;
    private @Nullable Instant due;

    Backlog(Database database, Feeds feeds, UUID organization, UUID id) {
        this.database = database;
        this.feed = new Feed(organization);
        this.follower = feeds.follow(feed);
        this.id = id;
    }

    private static EventFilter.Reader reader(Restrictions restrictions) {
        return new EventFilter.Reader(true, restrictions);
    }

    /// Reads the webhook, and begins anew with what it is for; empty where it is gone.
    Optional<WebhookRow> load() {
        var found = database.read(tx -> {
            due = DeliveryRows.earliestDue(tx, id).orElse(null);
            lookForTests(tx);
            return WebhookRows.find(tx, Objects.requireNonNull(feed.organization()), id);
        });
        found.ifPresent(webhook -> {
            events.clear();
            read = webhook.progress().seq();
            filter = new EventFilter(
                    webhook.types().names(), List.of(), reader(Restrictions.decode(webhook.restrictions())));
        });
        return found;
    }

    /// Whether the receiver is still that one.
    boolean isSentTo(String url) {
        return database.read(tx -> WebhookRows.find(tx, Objects.requireNonNull(feed.organization()), id))
                .filter(webhook -> webhook.url().equals(url))
                .isPresent();
    }

    private void lookForTests(Tx tx) {
        tests.clear();
        tests.addAll(DeliveryRows.tests(tx, id, PAGE));
    }

    /// A test, which comes before all else; null: there is none.
    @Nullable
    DeliveryRow takeTest() {
        return tests.poll();
    }

    /// Looks for more of them where all that were found are sent.
    void lookForTests() {
        if (tests.isEmpty()) {
            database.read(tx -> {
                lookForTests(tx);
                return tx;
            });
        }
    }

    /// When something that failed is to be tried again; null: nothing is.
    @Nullable
    Instant due() {
        return due;
    }

    void dueAt(Instant at) {
        if (due == null || at.isBefore(due)) {
            due = at;
        }
    }

    /// What is to be tried again now.
    List<DeliveryRow> takeDue() {
        var rows = database.read(tx -> DeliveryRows.due(tx, id, PAGE));
        due = null; // until it is asked for again
        return rows;
    }

    void lookForDue() {
        due = database.read(tx -> DeliveryRows.earliestDue(tx, id)).orElse(null);
    }

    /// The next event, which stays; null: there is none now.
    @Nullable
    FeedRow peek(Progress progress) {
        if (events.isEmpty()) {
            readOn(progress);
        }
        return events.peek();
    }

    FeedRow take() {
        return events.remove();
    }

    /// Whether the event that is next is sent once more.
    boolean isReplayed() {
        return replayed;
    }

    /// How far the feed was read, over events that are not for this webhook.
    long read() {
        return read;
    }

    private void readOn(Progress progress) {
        replayed = false;
        boolean hasMore = true;
        while (events.isEmpty() && hasMore) {
            var page = page(filter, read);
            events.addAll(page.events());
            read = page.events().isEmpty()
                    ? page.end().seq()
                    : page.events().getLast().seq();
            hasMore = page.hasMore();
        }
        if (events.isEmpty() && progress.replaySeq() != null && progress.replayEnd() != null) {
            readReplay(progress.replaySeq(), progress.replayEnd());
        }
    }

    private void readReplay(long after, long end) {
        long from = after;
        boolean hasMore = true;
        replayed = true;
        while (events.isEmpty() && hasMore && from < end) {
            var page = page(filter, from);
            page.events().stream().filter(event -> event.seq() <= end).forEach(events::add);
            from = page.end().seq();
            hasMore = page.hasMore();
        }
        if (events.isEmpty()) { // nothing of the rest is for this webhook
            database.write(tx -> {
                WebhookRows.replayed(tx, id, end, end);
                return end;
            });
        }
    }

    /// The event at that place of the feed, whatever the webhook is for; empty where it is kept no longer.
    Optional<FeedRow> event(long seq) {
        return page(ALL, seq - 1).events().stream()
                .filter(event -> event.seq() == seq)
                .findFirst();
    }

    private Feeds.Page page(EventFilter of, long after) {
        try {
            return follower.read(of, after, PAGE);
        } catch (ProblemException e) {
            if (!(e.problem() instanceof Problem.CursorExpired)) {
                throw e;
            }
            LOG.warn("the webhook {} is behind what events are kept for; it goes on with the oldest that is left", id);
            return follower.read(of, -1, PAGE);
        }
    }

    @Override
    public void close() {
        follower.close();
    }
}
