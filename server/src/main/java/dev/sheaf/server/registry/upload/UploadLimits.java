package dev.sheaf.server.registry.upload;

import dev.sheaf.model.Problem;

/// Limits of uploads.
///
/// @param blobBytes the largest size of one blob
/// @param open open uploads of an organization
/// @param openOfOne open uploads of one credential, so that one careless client leaves room for others
public record UploadLimits(long blobBytes, long open, long openOfOne) {
    /// @throws dev.sheaf.model.ProblemException too-many-uploads if one more would exceed a limit
    void checkOpen(UploadRows.Open now) {
        if (now.ofPrincipal() >= openOfOne) {
            throw refusal("this credential", now.ofPrincipal(), openOfOne).raise();
        }
        if (now.ofOrganization() >= open) {
            throw refusal("the organization", now.ofOrganization(), open).raise();
        }
    }

    private static Problem refusal(String whose, long open, long limit) {
        return new Problem.TooManyUploads(
                whose + " has " + open + " open uploads, and the limit is " + limit
                        + "; finish or cancel some, or wait: an upload ends 24 hours after its last chunk",
                limit);
    }
}
