package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.input.IdText;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.ProfileFields;
import java.util.List;
import java.util.UUID;

/// A request to list a bundle at the hub (contract 3.8): it becomes public and gets this profile.
public record NewListing(UUID bundleId, RepositoryName name, BundleEdit edit) {
    private static final UUID NO_ID = new UUID(0, 0);

    /// @param maxReadme the maximum size of the README in bytes
    public static NewListing parse(RequestFields fields, Namespace namespace, int maxReadme) {
        var id = fields.parsed("bundleId", IdText.of("a bundle"), NO_ID);
        var name = new RepositoryName(namespace, fields.parsed("slug", BundleName::parseBundle, NewBundle.NONE));
        String displayName = fields.required("displayName", ProfileFields.MAX_NAME);
        var profile = ProfileFields.patch(fields, maxReadme);
        return new NewListing(
                id, name, new BundleEdit(before -> profile.apply(before).called(displayName), Visibility.PUBLIC));
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed if it is another bundle; conflict if the bundle
    /// has no version to show
    void check(Bundles.Overview bundle) {
        if (!bundle.bundle().bundle().id().equals(bundleId)) {
            throw new Problem.ValidationFailed(List.of(
                            new Problem.FieldError("/bundleId", "mismatch", "\"bundleId\" is not the id of " + name)))
                    .raise();
        }
        if (bundle.latest() == null) {
            throw new Problem.Conflict("bundle " + name
                            + " has no published version, or all are yanked; publish one, then list the bundle")
                    .raise();
        }
    }
}
