package dev.sheaf.server.http.entity;

import dev.sheaf.model.Digest;

/// Entity tags computed from the content (RFC 9110, section 8.8.3).
public final class EntityTag {
    private static final int ETAG_HEX = 32;

    private EntityTag() {}

    public static String of(byte[] bytes) {
        return of(Digest.sha256(bytes));
    }

    public static String of(Digest digest) {
        return "\"" + digest.hex().substring(0, ETAG_HEX) + "\"";
    }
}
