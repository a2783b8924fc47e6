package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;

/// `<namespace>/<bundle>`: the full name of a bundle and of its OCI repository (contract 4).
public record RepositoryName(Namespace namespace, BundleName bundle) {
    /// Parses a repository name.
    ///
    /// @throws ProblemException validation-failed if either part breaks its grammar or the slash is missing
    public static RepositoryName parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw Problem.invalid("format", Quoted.of(text) + " has no \"/\"; write <namespace>/<bundle>");
        }
        return new RepositoryName(
                Namespace.parse(text.substring(0, slash)), BundleName.parse(text.substring(slash + 1)));
    }

    @Override
    public String toString() {
        return namespace + "/" + bundle;
    }
}
