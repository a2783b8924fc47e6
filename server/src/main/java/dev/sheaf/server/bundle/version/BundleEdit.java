package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.ProfileFields;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A change of a bundle's profile and visibility.
///
/// @param profile the change of the current profile
/// @param visibility null to leave it unchanged
public record BundleEdit(
        UnaryOperator<BundleProfile> profile, @Nullable Visibility visibility) {
    /// @param name the bundle's name, which cannot change
    /// @param maxReadme the maximum size of the README in bytes
    public static BundleEdit parse(RequestFields fields, RepositoryName name, int maxReadme) {
        if (fields.sent("slug") && !name.bundle().value().equals(fields.optional("slug", Integer.MAX_VALUE))) {
            fields.error("slug", "format", "cannot be changed; it is " + name.bundle());
        }
        return new BundleEdit(
                ProfileFields.patch(fields, maxReadme),
                fields.sent("visibility") ? fields.parsed("visibility", Visibility::parse, Visibility.PRIVATE) : null);
    }
}
