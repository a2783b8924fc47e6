package dev.sheaf.server.http;

import dev.sheaf.model.Digest;
import java.util.Arrays;
import java.util.Optional;

/// Conditional requests (RFC 9110, section 13) on content whose ETag is its digest.
public final class Conditions {
    private Conditions() {}

    public static String etag(Digest digest) {
        return "\"" + digest + "\"";
    }

    /// True where the client has the content already.
    public static boolean isUnmodified(Call call, Digest digest) {
        String etag = etag(digest);
        return call.headers("If-None-Match").stream()
                .flatMap(line -> Arrays.stream(line.split(",")))
                .map(String::strip)
                .map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
                .anyMatch(tag -> tag.equals("*") || tag.equals(etag));
    }

    /// The Range header, unless If-Range names other content.
    public static Optional<String> range(Call call, Digest digest) {
        boolean other =
                call.header("If-Range").filter(tag -> !tag.equals(etag(digest))).isPresent();
        return other ? Optional.empty() : call.header("Range");
    }
}
