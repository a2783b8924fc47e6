package dev.sheaf.server.event;

/// A position in a feed: that after an event.
///
/// @param epoch in which the number was given, see [FeedRows.Extent]; 0 before the first restore
/// @param seq -1 for the beginning, wherever that is
public record Place(long epoch, long seq) {
    public static final Place BEGINNING = new Place(0, -1);

    boolean isBeginning() {
        return seq < 0;
    }
}
