package dev.sheaf.server.v1.event;

import dev.sheaf.model.ProblemException;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedRow;
import dev.sheaf.server.event.Feeds;
import dev.sheaf.server.event.Place;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/// Events as they come, as a stream of the form that browsers read by themselves (WHATWG HTML, section 9.2). It
/// ends with the credential, and with the node. Bound to its call.
final class EventStream implements Answer.Steps {
    static final String TYPE = "text/event-stream";

    private static final Duration SILENCE = Duration.ofSeconds(15);
    private static final int AT_ONCE = 50; // of which each reader that takes none keeps as many in memory
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Following reader;
    private final EventWire wire;
    private Place place;
    private Place told;
    private boolean begun;
    private boolean rung;
    private long spokenAt;

    /// @param place behind which to begin
    EventStream(Following reader, EventWire wire, Place place) {
        this.reader = reader;
        this.wire = wire;
        this.place = place;
        this.told = place;
    }

    static Answer answer(EventStream stream) {
        return Answer.live(TYPE, stream)
                .with("Cache-Control", "private, no-store")
                .with("X-Accel-Buffering", "no"); // or nginx keeps it until it is much
    }

    @Override
    public void await() {
        rung = reader.await(SILENCE.minusNanos(System.nanoTime() - spokenAt));
    }

    /// What has come; where that is nothing for a while, a word that lets the other side know that this one is
    /// there. The first one takes the head with it. What comes that is not for this reader is no reason to say
    /// a word: its time would tell of it.
    @Override
    public boolean writeTo(OutputStream out) throws IOException {
        if (!begun) {
            begun = true;
            say(COMMENT, out);
        } else if (!rung && !reader.isOver() && !reader.isDoubtful()) {
            sayWhereItIs(out);
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
            return false; // the credential is over, the database is away or the place is gone: who comes back is told
        }
        if (System.nanoTime() - spokenAt >= SILENCE.toNanos()) {
            sayWhereItIs(out);
        }
        return true;
    }

    private void send(Feeds.Page page, OutputStream out) throws IOException {
        for (var row : page.events()) {
            told = page.place(row);
            out.write(text(row, told).getBytes(StandardCharsets.UTF_8));
        }
        if (!page.events().isEmpty()) {
            out.flush();
            spokenAt = System.nanoTime();
        }
    }

    /// So that who comes back need not begin so far behind. Who does not see all is told always, or it would
    /// tell that something has come.
    private void sayWhereItIs(OutputStream out) throws IOException {
        boolean isNews = !reader.seesAll() || !place.equals(told);
        told = place;
        say(isNews ? (":\nid: " + reader.end(place) + "\n\n").getBytes(StandardCharsets.US_ASCII) : COMMENT, out);
    }

    private void say(byte[] words, OutputStream out) throws IOException {
        out.write(words);
        out.flush();
        spokenAt = System.nanoTime();
    }

    private String text(FeedRow row, Place at) {
        return "id: " + reader.cursor(at) + "\nevent: " + row.type() + "\ndata: "
                + new String(Json.write(Objects.requireNonNull(wire.show(row, reader.view()))), StandardCharsets.UTF_8)
                + "\n\n";
    }

    @Override
    public void close() {
        reader.close();
    }
}
