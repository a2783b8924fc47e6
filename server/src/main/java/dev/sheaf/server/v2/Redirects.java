package dev.sheaf.server.v2;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Blobs;
import java.util.Optional;

/// Sends clients to the bucket for large blobs, where the installation wants that. Whoever may not be sent on, such
/// as a client that does not reach the bucket, says `Prefer: no-redirect` (RFC 7240).
public final class Redirects {
    private static final String OPT_OUT = "no-redirect";

    private final Blobs blobs;
    private final long minimum;

    /// @param minimum size in bytes from which on blobs are redirected; 0: none is
    public Redirects(Blobs blobs, long minimum) {
        this.blobs = blobs;
        this.minimum = minimum;
    }

    /// The redirect in the place of an answer with content; empty where that is to be sent. HEAD is answered here,
    /// since the URL is signed for GET.
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
                                .with("Cache-Control", "no-store")); // the URL is as good as a credential, and ends
    }

    private static boolean optsOut(Call call) {
        return call.listed("Prefer").stream().anyMatch(OPT_OUT::equalsIgnoreCase);
    }
}
