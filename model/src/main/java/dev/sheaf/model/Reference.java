package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;

/// `<namespace>/<bundle>[:<tag_or_version>]` or `<namespace>/<bundle>@sha256:<hex>` (specification, "Bundle
/// reference").
public record Reference(RepositoryName repository, VersionSelector selector) {
    /// Parses a reference.
    ///
    /// @throws ProblemException validation-failed, naming the part that breaks its grammar
    public static Reference parse(String text) {
        int at = text.indexOf('@');
        if (at >= 0) {
            var digest = Digest.parse(text.substring(at + 1));
            return new Reference(RepositoryName.parse(text.substring(0, at)), new VersionSelector.ByDigest(digest));
        }
        int colon = text.indexOf(':');
        if (colon < 0) {
            return new Reference(RepositoryName.parse(text), new VersionSelector.Default());
        }
        String suffix = text.substring(colon + 1);
        if (suffix.isEmpty()) {
            throw Problem.invalid(
                    "format", Quoted.of(text) + " ends in \":\"; add a tag or version, or remove the \":\"");
        }
        return new Reference(RepositoryName.parse(text.substring(0, colon)), VersionSelector.parse(suffix));
    }

    @Override
    public String toString() {
        return repository + selector.suffix();
    }
}
