package dev.sheaf.server.registry.upload;

import dev.sheaf.model.Problem;

/// Limits of uploads.
///
/// @param blobBytes the largest size of one blob
/// @param open open uploads of an organization
/// @param openOfOne open uploads of one credential, so that one careless client leaves room for others
public record UploadLimits(long blobBytes, long open, long openOfOne) {
    boolean hasRoom(UploadRows.Open now) {
        return !isOver(now.ofPrincipal()) && now.ofOrganization() < open;
    }

    /// Returns whether a credential with so many open uploads may begin no other.
    boolean isOver(long ofPrincipal) {
        return ofPrincipal >= openOfOne;
    }

    /// @throws dev.sheaf.model.ProblemException too-many-uploads if one more would exceed a limit
    void checkOpen(UploadRows.Open now) {
        if (isOver(now.ofPrincipal())) {
            throw refusal("this credential", now.ofPrincipal(), "max-open-uploads-per-credential", openOfOne)
                    .raise();
        }
        if (now.ofOrganization() >= open) {
            throw refusal("the organization", now.ofOrganization(), "max-open-uploads", open)
                    .raise();
        }
    }

    private static Problem refusal(String whose, long open, String setting, long limit) {
        return new Problem.TooManyUploads(
                whose + " has " + open + " open uploads, and the limit is " + limit + " (" + setting
                        + "); finish or cancel some, or wait: one that nobody uses for ten minutes makes room for another",
                limit);
    }
}
