package dev.sheaf.server.registry.api;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Blobs;
import java.util.Optional;

/// Redirects clients to the bucket for large blobs if the installation is set up for it. A client that cannot
/// follow, for example because it cannot reach the bucket, sends `Prefer: no-redirect` (RFC 7240).
public final class BucketRedirects {
    private static final String OPT_OUT = "no-redirect";

    private final Blobs blobs;
    private final long minimum;

    /// @param minimum blobs of at least this many bytes are redirected; 0 means that no blob is redirected
    public BucketRedirects(Blobs blobs, long minimum) {
        this.blobs = blobs;
        this.minimum = minimum;
    }

    /// Returns the redirect to send instead of the content; empty if the content should be sent. HEAD is
    /// answered here, because the URL is signed for GET.
    Optional<Answer> of(Call call, Answer answer, BlobRecord blob) {
        boolean here = minimum == 0
                || blob.size() < minimum
                || !(answer.body() instanceof Answer.Body.Content)
                || call.isHead()
                || optsOut(call);
        return here
                ? Optional.empty()
                : blobs.presign(blob)
                        .map(url -> Answer.empty(307)
                                .with("Location", url.toString())
                                .with("Cache-Control", "no-store")); // the URL works like a credential, and expires
    }

    private static boolean optsOut(Call call) {
        return call.listed("Prefer").stream().anyMatch(OPT_OUT::equalsIgnoreCase);
    }
}
