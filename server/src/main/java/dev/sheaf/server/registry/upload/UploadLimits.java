package dev.sheaf.server.registry.upload;

import dev.sheaf.model.Problem;

/// What uploads may come to.
///
/// @param blobBytes of one blob
/// @param open uploads of an organization at one time
/// @param openOfOne of them those that one credential began, so that one that loses track leaves room for others
public record UploadLimits(long blobBytes, long open, long openOfOne) {
    /// @throws dev.sheaf.model.ProblemException too-many-uploads where one more is too many
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
                whose + " has " + open + " uploads open, of at most " + limit
                        + "; finish or cancel some, or wait: an upload ends 24 hours after its last chunk",
                limit);
    }
}
