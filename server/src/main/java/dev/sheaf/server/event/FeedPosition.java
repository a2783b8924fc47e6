package dev.sheaf.server.event;

/// A position in a feed, after an event.
///
/// @param epoch the epoch in which the number was assigned, see [FeedRows.Extent]; 0 before the first restore
/// @param seq the number of the event; -1 for the beginning of the feed
public record FeedPosition(long epoch, long seq) {
    public static final FeedPosition BEGINNING = new FeedPosition(0, -1);

    boolean isBeginning() {
        return seq < 0;
    }
}
