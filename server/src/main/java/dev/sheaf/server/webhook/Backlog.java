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

/// The deliveries that one webhook still has to send: failed ones that are due, new events, and replayed
/// events. New events are read once for all webhooks of an organization. Used by one courier.
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
    private boolean replayed; // whether `events` are part of a replay
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

    /// Reads the webhook again and drops what was read for its old settings. Empty if the webhook was deleted.
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

    /// Returns whether the receiver is still the one with this URL.
    boolean isSentTo(String url) {
        return database.read(tx -> WebhookRows.find(tx, Objects.requireNonNull(feed.organization()), id))
                .filter(webhook -> webhook.url().equals(url))
                .isPresent();
    }

    private void lookForTests(Tx tx) {
        tests.clear();
        tests.addAll(DeliveryRows.tests(tx, id, PAGE));
    }

    /// Returns a test, which is sent before all else; null if there is none.
    @Nullable
    DeliveryRow takeTest() {
        return tests.poll();
    }

    /// Looks for more tests if all that were found have been sent.
    void lookForTests() {
        if (tests.isEmpty()) {
            database.read(tx -> {
                lookForTests(tx);
                return tx;
            });
        }
    }

    /// Returns when the next failed delivery is due; null if there is none.
    @Nullable
    Instant due() {
        return due;
    }

    void dueAt(Instant at) {
        if (due == null || at.isBefore(due)) {
            due = at;
        }
    }

    /// Returns the failed deliveries that are due now.
    List<DeliveryRow> takeDue() {
        var rows = database.read(tx -> DeliveryRows.due(tx, id, PAGE));
        due = null; // null makes the next call read it again
        return rows;
    }

    void lookForDue() {
        due = database.read(tx -> DeliveryRows.earliestDue(tx, id)).orElse(null);
    }

    /// Returns the next event without removing it; null if there is none now.
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

    /// Returns whether the next event is part of a replay.
    boolean isReplayed() {
        return replayed;
    }

    /// Returns how far the feed was read, including events that are not for this webhook.
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
        if (events.isEmpty()) { // the rest has no events for this webhook
            database.write(tx -> {
                WebhookRows.replayed(tx, id, end, end);
                return end;
            });
        }
    }

    /// Returns the event with this sequence, even if it is not for this webhook. Empty if it has expired.
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
            LOG.warn(
                    "the webhook {} is so far behind that events have expired; it continues with the oldest one that is left",
                    id);
            return follower.read(of, -1, PAGE);
        }
    }

    @Override
    public void close() {
        follower.close();
    }
}
