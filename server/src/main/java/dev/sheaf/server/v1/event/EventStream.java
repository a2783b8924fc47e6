package dev.sheaf.server.v1.event;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.Feed;
import dev.sheaf.server.event.FeedRow;
import dev.sheaf.server.event.Feeds;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/// Events as they come, as a stream of the form that browsers read by themselves (WHATWG HTML, section 9.2). It
/// ends with the credential, and with the node. Bound to its call.
final class EventStream {
    static final String TYPE = "text/event-stream";

    private static final Duration SILENCE = Duration.ofSeconds(15);
    private static final int AT_ONCE = 100;
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Feeds feeds;
    private final EventWire wire;
    private final Feed feed;
    private final Call call;
    private long credentials;

    EventStream(Feeds feeds, EventWire wire, Feed feed, Call call) {
        this.feeds = feeds;
        this.wire = wire;
        this.feed = feed;
        this.call = call;
        this.credentials = feeds.credentials();
    }

    /// @throws ProblemException as [Feeds#read]
    Answer answer(EventFilter filter) {
        var cursor = call.header("Last-Event-ID").or(() -> call.query("after"));
        long place = feeds.place(feed, cursor.orElse(null));
        feeds.read(
                feed, filter, place, 1); // which tells of a cursor that is gone, while there is a status to say it by
        return Answer.stream(TYPE, out -> follow(out, filter, place))
                .with("Cache-Control", "private, no-store")
                .with("X-Accel-Buffering", "no"); // or nginx keeps it until it is much
    }

    private void follow(OutputStream out, EventFilter filter, long from) throws IOException {
        out.write(COMMENT); // the head goes out with it
        out.flush();
        var mine = filter;
        long place = from;
        try (var follower = feeds.follow(feed)) {
            while (!follower.isOver()) {
                mine = renewed(mine);
                var page = feeds.read(feed, mine, place, AT_ONCE);
                send(page, mine, page.end() != place, out);
                place = page.end();
                if (!page.hasMore()) {
                    await(follower, out);
                }
            }
        } catch (ProblemException e) {
            out.flush(); // the credential is over, the database is away or the place is gone: who comes back is told
        }
    }

    /// Waits for events, and lets the other side know meanwhile that it is there.
    private void await(Feeds.Follower follower, OutputStream out) throws IOException {
        while (!follower.isOver()) {
            var rung = new boolean[1];
            call.work().rest(() -> rung[0] = follower.await(untilNext()));
            if (rung[0] || isOver()) {
                return;
            }
            out.write(COMMENT);
            out.flush();
            if (credentials != feeds.credentials()) {
                return;
            }
        }
    }

    private long untilNext() {
        var silence = SILENCE;
        if (call.caller() instanceof Caller.Known known && known.endsAt() != null) {
            var left = Duration.between(feeds.now(), known.endsAt()).plusMillis(1);
            silence = left.compareTo(silence) < 0 ? left : silence;
        }
        return Math.max(0, silence.toNanos());
    }

    private boolean isOver() {
        return call.caller() instanceof Caller.Known known
                && known.endsAt() != null
                && !feeds.now().isBefore(known.endsAt());
    }

    /// What the caller may read now.
    ///
    /// @throws ProblemException where that is nothing any more
    private EventFilter renewed(EventFilter filter) {
        long now = feeds.credentials();
        if (now == credentials && !isOver()) {
            return filter;
        }
        credentials = now;
        call.admitAgain();
        var organization = feed.organization();
        if (organization != null && !organization.equals(call.origin().organizationId())) { // a member no more
            throw new Problem.NotFound("organization " + organization).raise();
        }
        return new EventFilter(filter.types(), filter.subjects(), EventsApi.reader(call, feed));
    }

    private void send(Feeds.Page page, EventFilter filter, boolean moved, OutputStream out) throws IOException {
        var view = EventsApi.view(feed, filter);
        for (var row : page.events()) {
            out.write(text(row, view).getBytes(StandardCharsets.UTF_8));
        }
        if (page.events().isEmpty() && moved) { // so that who comes back need not begin so far behind
            out.write(("id: " + feeds.cursor(feed, page.end()) + "\n\n").getBytes(StandardCharsets.UTF_8));
        }
        if (moved) {
            out.flush();
        }
    }

    private String text(FeedRow row, EventWire.View view) {
        return "id: " + feeds.cursor(feed, row.seq()) + "\nevent: " + row.type() + "\ndata: "
                + new String(Json.write(Objects.requireNonNull(wire.show(row, view))), StandardCharsets.UTF_8) + "\n\n";
    }
}
