package dev.sheaf.server.db;

/// What a committed transaction changed, for caches. [#EVERYTHING] is announced where changes may have been missed.
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
        EVERYTHING
    }

    static final Change EVERYTHING = new Change(Kind.EVERYTHING, "");

    String encode() {
        return kind + ":" + id;
    }

    static Change decode(String text) {
        int colon = text.indexOf(':');
        return new Change(Kind.valueOf(text.substring(0, colon)), text.substring(colon + 1));
    }
}
