package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleRow;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.NewBundles;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.org.quota.UsageAmounts;
import dev.sheaf.server.registry.Descriptor;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.Manifests;
import java.util.Optional;

/// Refuses early a version that cannot be published, before its content is stored. The transaction of [Publish]
/// repeats all checks. Thread-safe.
public final class PublishPrecheck {
    private final Database database;
    private final NewBundles newBundles;
    private final QuotaCheck quotas;
    private final Repositories repositories;
    private final Blobs blobs;
    private final Manifests manifests;

    public PublishPrecheck(
            Database database,
            NewBundles newBundles,
            QuotaCheck quotas,
            Repositories repositories,
            Blobs blobs,
            Manifests manifests) {
        this.database = database;
        this.newBundles = newBundles;
        this.quotas = quotas;
        this.repositories = repositories;
        this.blobs = blobs;
        this.manifests = manifests;
    }

    /// Refuses a caller who may not publish under the name.
    ///
    /// @throws ProblemException those of [NewBundles#mayMake]
    public void mayPublish(ChangeOrigin origin, RepositoryName name) {
        newBundles.mayMake(origin, name);
    }

    /// Refuses a name that is not a slug for a new bundle; only OCI clients may use such names.
    ///
    /// @throws ProblemException validation-failed
    public void mayCall(RepositoryName name) {
        if (!name.bundle().isSlug() && repositories.find(name).isEmpty()) {
            BundleName.parseSlug(name.bundle().value());
        }
    }

    /// Refuses a version that exceeds the organization's quota.
    ///
    /// @throws ProblemException quota-exceeded, or payload-too-large if it could never fit
    public void admit(ChangeOrigin origin, RepositoryName name, NewVersion.Content content) {
        var organization = origin.organizationId();
        long most = content.manifest().size()
                + content.blobs().values().stream().mapToLong(Long::longValue).sum();
        if (!quotas.fits(organization, new UsageAmounts(most, 1, 1))) {
            quotas.admit(organization, growth(name, content));
        }
    }

    /// Makes the transaction fail at its end if it exceeds the quotas.
    void enforce(Tx tx) {
        quotas.enforce(tx);
    }

    /// Returns why there is no room for a version now; empty if there is. Reads the usage from the database.
    Optional<Problem> refusal(ChangeOrigin origin, NewVersion publication) {
        var content = publication.content();
        try {
            long config = content.manifest().config().map(Descriptor::size).orElse(0L);
            blobs.admit(config);
        } catch (ProblemException e) {
            return Optional.of(e.problem());
        }
        return quotas.refusal(origin.organizationId(), growth(publication.name(), content));
    }

    /// Returns what a version adds to the usage of its bundle. Nothing if the version exists already, whatever its
    /// content.
    private UsageAmounts growth(RepositoryName name, NewVersion.Content content) {
        var repository = repositories.find(name);
        var bundle = repository.flatMap(found -> database.read(tx -> BundleRows.find(tx, found.id())));
        if (bundle.filter(row -> isPublished(row, content)).isPresent()) {
            return UsageAmounts.NONE;
        }
        boolean isThere = repository
                .flatMap(found -> manifests.find(found, content.manifest().digest()))
                .isPresent();
        long bytes = isThere ? 0 : content.manifest().size();
        for (var blob : content.blobs().entrySet()) {
            boolean isHeld = repository
                    .filter(found -> blobs.find(found, blob.getKey()).isPresent())
                    .isPresent();
            bytes += isHeld ? 0 : blob.getValue();
        }
        return new UsageAmounts(bytes, bundle.isPresent() ? 0 : 1, 1);
    }

    private boolean isPublished(BundleRow bundle, NewVersion.Content content) {
        return database.read(tx -> VersionRows.find(tx, bundle.id(), content.version()))
                .isPresent();
    }
}
