package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.ProfileFields;

/// A request to create a bundle without a version.
public record NewBundle(RepositoryName name, BundleProfile profile, Visibility visibility) {
    static final BundleName NONE = new BundleName("none");
    private static final BundleProfile EMPTY = BundleProfile.of("", null, null, null);

    /// @param maxReadme the maximum size of the README in bytes
    public static NewBundle parse(RequestFields fields, Namespace namespace, int maxReadme) {
        var slug = fields.parsed("slug", BundleName::parseSlug, NONE);
        fields.required("name", ProfileFields.MAX_NAME);
        return new NewBundle(
                new RepositoryName(namespace, slug),
                ProfileFields.patch(fields, maxReadme).apply(EMPTY),
                fields.parsedOr("visibility", Visibility::parse, Visibility.PRIVATE));
    }
}
