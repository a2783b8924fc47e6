package dev.sheaf.server.bundle.decision;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.NearMatches;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.bundle.review.HeldPushes;
import dev.sheaf.server.bundle.review.Review;
import dev.sheaf.server.bundle.review.ReviewEnds;
import dev.sheaf.server.bundle.review.ReviewRows;
import dev.sheaf.server.registry.content.ManifestRows;
import dev.sheaf.server.registry.tag.Tags;

/// Puts versions that were published without a review into the inbox. Readers have them meanwhile, and whatever
/// people decide: an approval only marks the version. Thread-safe.
public final class ReviewRequests {
    private final Database database;
    private final Bundles bundles;
    private final Tags tags;

    public ReviewRequests(Database database, Bundles bundles, Tags tags) {
        this.database = database;
        this.bundles = bundles;
        this.tags = tags;
    }

    /// Asks for the review of a version. Asking again while it waits changes nothing.
    ///
    /// @throws ProblemException version-not-found; conflict if it is approved, recalled, or an index of other
    /// manifests, or if no policy says who may approve; too-many-held; those of [Bundles#lock]
    public Review request(ChangeOrigin origin, RepositoryName name, Version version) {
        return database.write(tx -> {
            var bundle = bundles.lock(tx, origin, name);
            var row = VersionRows.exact(tx, bundle.bundle().id(), version)
                    .orElseThrow(() -> NearMatches.missing(tx, tags, bundle, version.toString())
                            .raise());
            String subject = name + ":" + row.version();
            var open = ReviewRows.open(tx, bundle.repository().id(), row.version());
            if (open.isPresent()) {
                if (!open.get().ofPublished()) {
                    throw new Problem.Conflict("other content waits for approval as " + subject
                                    + "; have it decided or withdrawn first")
                            .raise();
                }
                return open.get();
            }
            if (row.recall() != null) {
                throw new Problem.Conflict(subject + " is recalled, so nobody gets it; end the recall first").raise();
            }
            if (ReviewRows.isApproved(tx, row.id())) {
                throw new Problem.Conflict(subject + " is approved already").raise();
            }
            if (ManifestRows.listsOthers(tx, row.manifestId())) {
                throw new Problem.Conflict(
                                subject + " is an index of other manifests, which nobody can review as one; publish the"
                                        + " manifest of one platform as a version")
                        .raise();
            }
            var policy = BundlePolicies.effective(tx, name);
            var approval = policy.approval();
            if (approval == null) {
                throw new Problem.Conflict("no policy of " + name
                                + " or its namespace says who approves versions; set one first"
                                + " (PUT /v1/namespaces/" + name.namespace() + "/bundles/" + name.bundle()
                                + "/policy)")
                        .raise();
            }
            var review = HeldPushes.request(tx, origin.actor(), bundle, row, policy, approval);
            ReviewEnds.announceAsked(tx, origin, review);
            return review;
        });
    }
}
