package dev.sheaf.server.http.message;

import dev.sheaf.model.Digest;
import dev.sheaf.server.http.entity.Coding;
import java.util.Optional;

/// Conditional reads (RFC 9110, section 13) whose ETag is known before the answer is made: of content whose ETag is its
/// digest, and of what costs much to make.
public final class ConditionalRead {
    private ConditionalRead() {}

    public static String etag(Digest digest) {
        return "\"" + digest + "\"";
    }

    /// True where the client has the content already.
    public static boolean isUnmodified(Call call, Digest digest) {
        String etag = etag(digest);
        return call.listed("If-None-Match").stream()
                .map(ConditionalRead::strong)
                .anyMatch(tag -> tag.equals("*") || tag.equals(etag));
    }

    /// 304 where the client names this validator, or that of another coding of the same; empty where it names others
    /// alone, or whatever there is.
    ///
    /// @param etag as it stands in the header; a weak one too
    public static Optional<Answer> unmodified(Call call, String etag) {
        String plain = strong(etag);
        return call.listed("If-None-Match").stream()
                .filter(tag -> strong(Coding.plainEtag(tag)).equals(plain))
                .findFirst()
                .map(tag -> Answer.empty(304)
                        .with("ETag", (etag.equals(plain) ? "" : "W/") + strong(tag))
                        .with("Vary", "Accept-Encoding"));
    }

    private static String strong(String etag) {
        return etag.startsWith("W/") ? etag.substring(2) : etag;
    }

    /// The part of the content that the client asks for, unless If-Range names other content.
    public static Optional<ByteRange> range(Call call, Digest digest, long size) {
        boolean other =
                call.header("If-Range").filter(tag -> !tag.equals(etag(digest))).isPresent();
        return other ? Optional.empty() : call.header("Range").flatMap(header -> ByteRange.of(header, size));
    }
}
