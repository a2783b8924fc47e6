package dev.sheaf.server.hub;

/// Inert HTML that can be put into a page as it is. Only the sanitizer creates instances. Immutable.
public final class SafeHtml {
    private final byte[] bytes;

    /// @param bytes sanitized HTML in UTF-8
    SafeHtml(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Returns UTF-8 bytes, which must not be modified.
    public byte[] bytes() {
        return bytes;
    }
}
