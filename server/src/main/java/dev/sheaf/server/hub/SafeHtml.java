package dev.sheaf.server.hub;

import dev.sheaf.model.Digest;

/// Inert HTML that can be put into a page as it is. Only the sanitizer creates instances. Immutable.
public final class SafeHtml {
    private final byte[] bytes;
    private final Digest digest;

    /// @param bytes sanitized HTML in UTF-8
    SafeHtml(byte[] bytes) {
        this.bytes = bytes;
        this.digest = Digest.sha256(bytes);
    }

    /// Returns UTF-8 bytes, which must not be modified.
    public byte[] bytes() {
        return bytes;
    }

    public Digest digest() {
        return digest;
    }
}
