package dev.sheaf.server.db;

/// What a committed transaction changed, for caches. [#EVERYTHING] is announced where changes may have been
/// missed.
///
/// @param kind what sort of thing
/// @param id its id, empty for everything
public record Change(Kind kind, String id) {
    /// The sorts of things that are cached.
    public enum Kind {
        REPOSITORY,
        NAMESPACE,
        API_KEY,
        ORGANIZATION,
        SESSION,
        TOKEN,
        PUBLISHER,
        SIGNING_KEY,
        /// A webhook or a route of the organization of that id, or something was asked of it.
        WEBHOOK,
        /// Jobs of a queue may be claimed now, or become due at another time; the id is that of a bell.
        QUEUE,
        /// An event was written here, which has no place in a feed yet; told on this node only.
        EVENT,
        /// Events were given their places in the feed of that name.
        FEED,
        EVERYTHING
    }

    /// Whether other nodes are told.
    boolean isForAll() {
        return kind != Kind.EVENT;
    }

    static final Change EVERYTHING = new Change(Kind.EVERYTHING, "");

    String encode() {
        return kind + ":" + id;
    }

    /// Reads what [#encode] wrote; [#EVERYTHING] for what it did not, such as a kind that only a newer node
    /// knows.
    static Change decode(String text) {
        for (Kind kind : Kind.values()) {
            String start = kind + ":";
            if (text.startsWith(start)) {
                return new Change(kind, text.substring(start.length()));
            }
        }
        return EVERYTHING;
    }
}
