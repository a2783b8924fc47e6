package dev.sheaf.server.scan;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.bundle.decision.ReviewDecisions;
import dev.sheaf.server.bundle.review.PushScan;
import dev.sheaf.server.bundle.review.PushScanRows;
import dev.sheaf.server.registry.content.BlobContent;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.Manifests;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Lets scanners read the one push that they are asked about, and answer once. A token is all that they need.
/// Thread-safe.
public final class ScannerAnswers {
    private final Database database;
    private final ReviewDecisions decisions;
    private final Manifests manifests;
    private final Blobs blobs;

    public ScannerAnswers(Database database, ReviewDecisions decisions, Manifests manifests, Blobs blobs) {
        this.database = database;
        this.decisions = decisions;
        this.manifests = manifests;
        this.blobs = blobs;
    }

    /// Returns the scan that a token belongs to.
    ///
    /// @param token null if none was sent
    /// @throws ProblemException unauthenticated, the same for all reasons; conflict if the scanner has answered
    public PushScan of(UUID id, @Nullable String token) {
        var scan = database.read(tx -> PushScanRows.find(tx, id)).orElse(null);
        if (scan != null && token != null && scan.isToken(token, database.now())) {
            if (!scan.isWaiting()) {
                throw new Problem.Conflict("the scan has its answer already, which nobody can change").raise();
            }
            return scan;
        }
        throw new Problem.Unauthenticated(
                        token == null ? CredentialFault.MISSING : CredentialFault.UNKNOWN,
                        "the token does not belong to a scan with this id; send the one that came with the question,"
                                + " within 15 minutes")
                .raise();
    }

    /// Returns the manifest of the push.
    ///
    /// @throws ProblemException conflict if the push does not wait any more
    public ReviewDecisions.Readable manifest(PushScan scan) {
        return decisions.readable(scan);
    }

    /// Returns a blob of the push.
    ///
    /// @throws ProblemException blob-unknown if its manifest does not name it; conflict
    public BlobContent blob(PushScan scan, Digest digest) {
        var of = decisions.readable(scan);
        if (!manifests.hasBlob(of.repository(), of.manifest().digest(), digest)) {
            throw new Problem.BlobUnknown(digest).raise();
        }
        return blobs.find(of.repository(), digest)
                .map(blobs::open)
                .orElseThrow(() -> new Problem.BlobUnknown(digest).raise());
    }

    /// Takes an answer.
    ///
    /// @param parsed returns the answer once it is known that the push waits
    /// @param admitting receives the number of bytes to be read; may refuse by throwing
    /// @throws ProblemException conflict for another digest, a second answer, or a push that does not wait any more
    public void answer(PushScan scan, Supplier<ScanAnswer> parsed, LongConsumer admitting) {
        var readable = decisions.readable(scan);
        var answer = parsed.get();
        if (!answer.digest().equals(readable.manifest().digest())) {
            throw new Problem.Conflict("the answer is about " + answer.digest() + ", and the question about "
                            + readable.manifest().digest())
                    .raise();
        }
        decisions.scanned(scan, answer.verdict(), answer.findings(), admitting);
    }
}
