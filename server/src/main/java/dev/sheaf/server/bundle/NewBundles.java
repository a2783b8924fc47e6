package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.ReservedNames;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.org.quota.UsageAmounts;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.HeldRows;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Creates bundles inside the transaction of the caller: the first publish, or the creation of an empty bundle.
/// Thread-safe.
public final class NewBundles {
    private final Namespaces namespaces;
    private final QuotaCheck quotas;
    private final Repositories repositories;

    public NewBundles(Namespaces namespaces, QuotaCheck quotas, Repositories repositories) {
        this.namespaces = namespaces;
        this.quotas = quotas;
        this.repositories = repositories;
    }

    /// Refuses early a caller who can neither change nor create the bundle of this name. The transaction must
    /// check again.
    ///
    /// @throws ProblemException those of [Access#write]
    public void mayMake(ChangeOrigin origin, RepositoryName name) {
        var caller = origin.caller();
        var repository = repositories.find(caller, name);
        if (repository.isEmpty() || !Access.sees(caller, repository.get())) {
            var owner = namespaces.owner(name.namespace());
            notAnothers(caller, name, owner);
            Namespaces.mayClaim(caller, name, owner);
        } else {
            Access.write(caller, name, repository.get());
        }
    }

    /// Reports that the namespace belongs to another organization, if its public bundles show that anyway.
    /// Missing and hidden bundles in it get the same answer.
    ///
    /// @param owner the organization that owns the namespace; null if the namespace is free
    private void notAnothers(Caller caller, RepositoryName name, @Nullable UUID owner) {
        if (!(caller instanceof Caller.Known known) || !known.restrictions().permit(name)) {
            return;
        }
        boolean isAnothers = owner != null && !owner.equals(known.organizationId());
        if (isAnothers && repositories.isAnyPublic(name.namespace())) {
            throw new Problem.BundleNotFound(
                            name,
                            "; the namespace " + name.namespace() + " belongs to another organization, so publish under"
                                    + " one of your own")
                    .raise();
        }
    }

    /// Refuses early a caller whose organization has no room for a single byte.
    ///
    /// @throws ProblemException quota-exceeded
    public void mayHold(ChangeOrigin origin) {
        quotas.admit(origin.organizationId(), UsageAmounts.ofBytes(1));
    }

    /// Returns the repository, created if it is missing. It is locked until the transaction ends, so that changes
    /// of a bundle are made one after the other.
    ///
    /// @throws ProblemException those of [Access#write] and of the claim of the namespace
    public Repository repository(Tx tx, ChangeOrigin origin, RepositoryName name) {
        return repository(tx, origin, name, repositories.lockSoon(tx, name));
    }

    /// Returns the bundle of the name with its repository, both locked as by [#repository].
    public Place place(Tx tx, ChangeOrigin origin, RepositoryName name) {
        var locked = repositories.lockSoon(tx, name);
        var bundle = BundleRows.find(tx, name);
        var repository = repository(tx, origin, name, locked);
        // if several callers found no repository, one of them has made it, and perhaps its bundle
        var found = locked.get().isPresent() ? bundle.get() : BundleRows.find(tx, repository.id());
        return new Place(repository, found.orElse(null));
    }

    /// A repository, and its bundle if it has one.
    ///
    /// @param bundle null if it has none
    public record Place(Repository repository, @Nullable BundleRow bundle) {}

    private Repository repository(
            Tx tx, ChangeOrigin origin, RepositoryName name, PipelineAnswer<Optional<Repository>> locked) {
        quotas.enforce(tx);
        var found = locked.get();
        if (found.isPresent()) {
            return Access.write(origin.caller(), name, found.get());
        }
        if (ReservedNames.endsLikeAnother(name.bundle().value())) {
            throw new Problem.NameReserved(name.bundle().value()).raise();
        }
        namespaces.claimForPush(tx, origin, name);
        requireNotDeleted(tx, origin, name);
        var made = repositories.make(tx, name);
        if (made.isEmpty()) {
            requireNotDeleted(tx, origin, name);
            throw new Problem.Unavailable("bundle " + name + " is being changed by others; try again", 1).raise();
        }
        return Access.write(origin.caller(), name, made.get());
    }

    private void requireNotDeleted(Tx tx, ChangeOrigin origin, RepositoryName name) {
        repositories.lockDeleted(tx, name).ifPresent(deleted -> {
            Access.write(origin.caller(), name, deleted.repository());
            throw new Problem.Conflict("bundle " + name + " was deleted at " + deleted.deletedAt()
                            + " and its name stays taken; restore it, or choose another name")
                    .raise();
        });
    }

    /// Creates the first bundle in a repository that the transaction has locked; empty if the repository
    /// already has a bundle.
    public Optional<BundleSnapshot> in(
            Tx tx,
            ChangeOrigin origin,
            Repository repository,
            BundleProfile profile,
            Visibility visibility,
            BundleRow.Source source) {
        return BundleRows.insert(tx, repository.id(), profile, source, origin.actor())
                .map(bundle -> {
                    var name = repository.name();
                    var event = new Event.BundleCreated(bundle.id(), name.toString(), visibility.toString());
                    BundleChanges.record(tx, origin, repository, "bundle.create", name, event);
                    if (visibility == Visibility.PUBLIC) {
                        HeldRows.close(tx, repository);
                    }
                    return new BundleSnapshot(repositories.publish(tx, repository, visibility), bundle);
                });
    }
}
