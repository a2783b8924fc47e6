package dev.sheaf.server.event;

/// Behind which event a reader goes on.
///
/// @param epoch in which the number was given, see [FeedRows.Extent]; 0: before any restore
/// @param seq -1: at the beginning, wherever that is
public record Place(long epoch, long seq) {
    public static final Place BEGINNING = new Place(0, -1);

    boolean isBeginning() {
        return seq < 0;
    }
}
