package dev.sheaf.engine.blob;

import dev.sheaf.model.Digest;

/// The name of a finished object in a blob store: the digest of its content and a random part. The random part
/// makes two uploads of one digest two objects, so that deleting one never affects the other. Never contains text
/// from clients.
///
/// @param part 32 lower-case hex characters, taken from the draft
public record ObjectId(Digest digest, String part) {
    private static final int SEPARATORS = 2;

    public ObjectId {
        DraftId.check(part);
    }

    /// Reads what [#toString] wrote.
    ///
    /// @throws RuntimeException if the text is not an object id
    public static ObjectId parse(String text) {
        String[] parts = text.split("-", -1);
        if (parts.length != SEPARATORS + 1) {
            throw new IllegalArgumentException("not an object id: " + text);
        }
        return new ObjectId(Digest.parse(parts[0] + ":" + parts[1]), parts[2]);
    }

    /// Returns `<algorithm>-<hex>-<part>`, as stored in the database and used in storage names.
    @Override
    public String toString() {
        return digest.algorithm() + "-" + digest.hex() + "-" + part;
    }
}
