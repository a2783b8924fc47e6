package dev.sheaf.engine.db;

/// A change made by a committed transaction, for caches. [#EVERYTHING] is announced if changes may have been
/// missed.
///
/// @param id the id of the changed object; empty for [#EVERYTHING]
public record DataChange(Kind kind, String id) {
    /// The kinds of cached objects.
    public enum Kind {
        REPOSITORY,
        NAMESPACE,
        API_KEY,
        ORGANIZATION,
        SESSION,
        TOKEN,
        PUBLISHER,
        SIGNING_KEY,
        /// A webhook or route of the organization with that id changed, or a delivery was requested.
        WEBHOOK,
        /// Jobs of a queue may be claimed now, or become due at another time; the id names a bell.
        QUEUE,
        /// An event was written on this node and has no position in a feed yet; announced on this node only.
        EVENT,
        /// An entry of the audit log was written on this node and has no place in the chain yet; announced on this node
        /// only. The id is empty.
        AUDIT,
        /// Events got their positions in the feed with that name.
        FEED,
        /// Content was purged, so its bytes must leave every cache. The id is empty.
        CONTENT,
        /// The installation became read-only or writable.
        MODE,
        EVERYTHING
    }

    /// Returns whether purged bytes may be in a cache.
    public boolean concernsContent() {
        return kind == Kind.CONTENT || kind == Kind.EVERYTHING;
    }

    /// Returns whether other nodes are notified.
    boolean isForAll() {
        return kind != Kind.EVENT && kind != Kind.AUDIT;
    }

    static final DataChange EVERYTHING = new DataChange(Kind.EVERYTHING, "");

    String encode() {
        return kind + ":" + id;
    }

    /// Reads what [#encode] wrote. Returns [#EVERYTHING] for anything else, such as a kind that only a newer node
    /// knows.
    static DataChange decode(String text) {
        for (Kind kind : Kind.values()) {
            String start = kind + ":";
            if (text.startsWith(start)) {
                return new DataChange(kind, text.substring(start.length()));
            }
        }
        return EVERYTHING;
    }
}
