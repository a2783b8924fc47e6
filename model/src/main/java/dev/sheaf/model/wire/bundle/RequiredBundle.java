package dev.sheaf.model.wire.bundle;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import org.jspecify.annotations.Nullable;

/// Another bundle that a version needs.
///
/// @param bundle `namespace/slug`
/// @param range the versions that will do
/// @param optional whether the version also works without it; null means no
public record RequiredBundle(
        String bundle, String range, @Nullable Boolean optional) {
    /// Returns the record of a requirement.
    public static RequiredBundle of(Requirement requirement) {
        return new RequiredBundle(
                requirement.bundle().toString(), requirement.range(), requirement.optional() ? true : null);
    }

    /// Returns the requirement in an answer of a registry.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed if it is not valid
    public Requirement parsed() {
        return new Requirement(RepositoryName.parse(bundle), range, Boolean.TRUE.equals(optional));
    }
}
