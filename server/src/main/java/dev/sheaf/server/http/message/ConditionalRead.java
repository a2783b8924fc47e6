package dev.sheaf.server.http.message;

import dev.sheaf.model.Digest;
import dev.sheaf.server.http.entity.ContentCoding;
import java.util.Optional;

/// Conditional reads (RFC 9110, section 13) whose ETag is known before the answer is made: for content whose ETag
/// is its digest, and for answers that are expensive to make.
public final class ConditionalRead {
    private ConditionalRead() {}

    public static String etag(Digest digest) {
        return "\"" + digest + "\"";
    }

    /// Returns whether the client has the content already.
    public static boolean isUnmodified(Call call, Digest digest) {
        var tags = call.listed("If-None-Match");
        if (tags.isEmpty()) {
            return false;
        }
        String etag = etag(digest);
        return tags.stream().anyMatch(tag -> tag.equals("*") || strong(tag).equals(etag));
    }

    /// Returns 304 if If-None-Match contains this validator, or the one of another coding of the same content.
    /// Empty if it contains only others, or `*`.
    ///
    /// @param etag the entity tag as in the header; it may be weak
    public static Optional<Answer> unmodified(Call call, String etag) {
        String plain = strong(etag);
        return call.listed("If-None-Match").stream()
                .filter(tag -> strong(ContentCoding.plainEtag(tag)).equals(plain))
                .findFirst()
                .map(tag -> Answer.empty(304)
                        .with("ETag", (etag.equals(plain) ? "" : "W/") + strong(tag))
                        .with("Vary", "Accept-Encoding"));
    }

    private static String strong(String etag) {
        return etag.startsWith("W/") ? etag.substring(2) : etag;
    }

    /// Returns the range that the client requests, unless If-Range names different content.
    public static Optional<ByteRange> range(Call call, Digest digest, long size) {
        boolean other =
                call.header("If-Range").filter(tag -> !tag.equals(etag(digest))).isPresent();
        return other ? Optional.empty() : call.header("Range").flatMap(header -> ByteRange.of(header, size));
    }
}
