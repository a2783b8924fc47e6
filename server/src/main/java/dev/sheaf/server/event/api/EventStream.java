package dev.sheaf.server.event.api;

import dev.sheaf.model.ProblemException;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedPosition;
import dev.sheaf.server.event.FeedRow;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/// A stream of events in the form that browsers read natively (WHATWG HTML, section 9.2). It ends when the
/// credential ends or the node stops. Bound to its call.
final class EventStream implements Answer.Steps {
    static final String TYPE = "text/event-stream";

    private static final Duration SILENCE = Duration.ofSeconds(15);
    private static final int AT_ONCE = 50; // a stalled reader keeps this many in memory
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final FeedFollower reader;
    private final EventWire wire;
    private FeedPosition place;
    private FeedPosition told;
    private boolean begun;
    private boolean rung;
    private long spokenAt;

    /// @param place the stream begins after it
    EventStream(FeedFollower reader, EventWire wire, FeedPosition place) {
        this.reader = reader;
        this.wire = wire;
        this.place = place;
        this.told = place;
    }

    static Answer answer(EventStream stream) {
        return Answer.live(TYPE, stream)
                .with("Cache-Control", "private, no-store")
                .unbuffered();
    }

    @Override
    public void await() {
        rung = reader.await(SILENCE.minusNanos(System.nanoTime() - spokenAt));
    }

    /// Sends new events. If there are none for a while, it sends a comment so that the other side knows that
    /// this one is alive. The first call also sends the head. An event that this reader may not see does
    /// not trigger anything, because the time of the reaction would reveal it.
    @Override
    public boolean writeTo(OutputStream out) throws IOException {
        if (!begun) {
            begun = true;
            say(COMMENT, out);
        } else if (!rung && !reader.isOver() && !reader.isDoubtful()) {
            sendPlace(out);
            return true;
        }
        try {
            for (boolean more = true; more; ) {
                if (reader.isOver()) {
                    return false;
                }
                var page = reader.read(place, AT_ONCE);
                send(page, out);
                place = page.end();
                more = page.hasMore();
            }
        } catch (ProblemException e) {
            return false; // the credential ended, the database is unavailable or the place has expired: a new request
            // gets the error
        }
        if (System.nanoTime() - spokenAt >= SILENCE.toNanos()) {
            sendPlace(out);
        }
        return true;
    }

    private void send(EventFeeds.Page page, OutputStream out) throws IOException {
        for (var row : page.events()) {
            told = page.place(row);
            out.write(text(row, told).getBytes(StandardCharsets.UTF_8));
        }
        if (!page.events().isEmpty()) {
            out.flush();
            spokenAt = System.nanoTime();
        }
    }

    /// Sends the current place, so that a new request need not start far back. A reader who does not see all
    /// events always gets it; otherwise it would reveal that something happened.
    private void sendPlace(OutputStream out) throws IOException {
        boolean isNews = !reader.seesAll() || !place.equals(told);
        told = place;
        say(isNews ? (":\nid: " + reader.end(place) + "\n\n").getBytes(StandardCharsets.US_ASCII) : COMMENT, out);
    }

    private void say(byte[] words, OutputStream out) throws IOException {
        out.write(words);
        out.flush();
        spokenAt = System.nanoTime();
    }

    private String text(FeedRow row, FeedPosition at) {
        return "id: " + reader.cursor(at) + "\nevent: " + row.type() + "\ndata: "
                + new String(Json.write(Objects.requireNonNull(wire.show(row, reader.view()))), StandardCharsets.UTF_8)
                + "\n\n";
    }

    @Override
    public void close() {
        reader.close();
    }
}
