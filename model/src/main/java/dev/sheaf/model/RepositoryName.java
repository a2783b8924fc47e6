package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;

/// `<namespace>/<bundle>`: the full name of a bundle and of its OCI repository (contract 4).
public record RepositoryName(Namespace namespace, BundleName bundle) {
    /// Parses a repository name.
    ///
    /// @throws ProblemException validation-failed if either part breaks its grammar or the slash is missing
    public static RepositoryName parse(String text) {
        var name = parseAny(text);
        BundleName.parseBundle(name.bundle().value());
        return name;
    }

    /// Parses the name of a repository, which may have further parts: `team/app/image`. Such a repository is for OCI
    /// clients alone and has no bundle.
    ///
    /// @throws ProblemException validation-failed if a part breaks its grammar or the slash is missing
    public static RepositoryName parseAny(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw Problem.invalid("format", Quoted.of(text) + " has no \"/\"; write <namespace>/<bundle>");
        }
        return new RepositoryName(Namespace.parse(text.substring(0, slash)), new BundleName(text.substring(slash + 1)));
    }

    /// Returns whether a repository of this name may have a bundle: whether it has two parts.
    public boolean mayHaveBundle() {
        return bundle.value().indexOf('/') < 0;
    }

    @Override
    public String toString() {
        return namespace + "/" + bundle;
    }
}
