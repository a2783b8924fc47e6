package dev.sheaf.server.hub;

import dev.sheaf.model.Digest;

/// A piece of HTML that does nothing but show itself, to be put into a page as it is. Only what cleans what strangers
/// wrote makes one. Immutable.
public final class SafeHtml {
    private final byte[] bytes;
    private final Digest digest;

    /// @param bytes in UTF-8, cleaned
    SafeHtml(byte[] bytes) {
        this.bytes = bytes;
        this.digest = Digest.sha256(bytes);
    }

    /// In UTF-8; not to be changed.
    public byte[] bytes() {
        return bytes;
    }

    public Digest digest() {
        return digest;
    }
}
