package dev.sheaf.server.blob;

import dev.sheaf.model.Digest;

/// The name of a finished object in a blob store: the digest of its bytes and a random part, so that two uploads of
/// one digest are two objects, and deleting one never touches the other. Ours; never a client's text.
///
/// @param part of 32 lower-case hex characters, that of the draft it was made from
public record ObjectId(Digest digest, String part) {
    private static final int SEPARATORS = 2;

    public ObjectId {
        DraftId.check(part);
    }

    /// Reads what [#toString] wrote.
    ///
    /// @throws RuntimeException where the text is no object id
    public static ObjectId parse(String text) {
        String[] parts = text.split("-", -1);
        if (parts.length != SEPARATORS + 1) {
            throw new IllegalArgumentException("no object id: " + text);
        }
        return new ObjectId(Digest.parse(parts[0] + ":" + parts[1]), parts[2]);
    }

    /// `<algorithm>-<hex>-<part>`, as it stands in the database and in storage names.
    @Override
    public String toString() {
        return digest.algorithm() + "-" + digest.hex() + "-" + part;
    }
}
