package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleChanges;
import dev.sheaf.server.bundle.BundleRow;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.DeprecationNotice;
import dev.sheaf.server.bundle.NewBundles;
import dev.sheaf.server.bundle.requirement.RequirementRows;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.bundle.review.ReviewRows;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.content.HeldRows;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Changes of a bundle other than new versions. Thread-safe.
public final class BundleEdits {
    private static final int MOST_NAMED = 20;

    private final Database database;
    private final Bundles bundles;
    private final NewBundles newBundles;
    private final Repositories repositories;

    public BundleEdits(Database database, Bundles bundles, NewBundles newBundles, Repositories repositories) {
        this.database = database;
        this.bundles = bundles;
        this.newBundles = newBundles;
        this.repositories = repositories;
    }

    /// Creates a bundle without a version. Claims its namespace if that is free and the installation allows it.
    ///
    /// @throws ProblemException name-taken if it exists; those of [Publish#open]
    public Bundles.Overview create(ChangeOrigin origin, NewBundle made) {
        var name = made.name();
        newBundles.mayMake(origin, name);
        return database.write(tx -> {
            var repository = newBundles.repository(tx, origin, name);
            var bundle = newBundles
                    .in(tx, origin, repository, made.profile(), made.visibility(), BundleRow.Source.CONSOLE)
                    .orElseThrow(() -> new Problem.NameTaken(name.toString()).raise());
            return Bundles.overview(tx, bundle);
        });
    }

    /// Edits a bundle. An edit that changes nothing is not recorded.
    ///
    /// @param precondition receives the current bundle, and throws if it is not what the caller expects
    /// @throws ProblemException those of [Bundles#writable]
    public Bundles.Overview edit(
            ChangeOrigin origin, RepositoryName name, BundleEdit edit, Consumer<Bundles.Overview> precondition) {
        return database.write(tx -> {
            var before = bundles.lock(tx, origin, name);
            precondition.accept(Bundles.overview(tx, before));
            var profile = edit.profile().apply(before.bundle().profile());
            var visibility = edit.visibility() == null ? before.visibility() : edit.visibility();
            boolean shown = visibility != before.visibility();
            if (visibility == Visibility.PRIVATE && shown && before.repository().hasRecalled()) {
                VersionDeletion.recalled(origin, name.toString(), "has a recalled version");
            }
            if (visibility == Visibility.PUBLIC && shown) {
                requirePublic(tx, before);
                requireReviewed(tx, before);
                HeldRows.close(tx, before.repository());
            }
            if (shown) {
                repositories.publish(tx, before.repository(), visibility);
            }
            if (shown || !profile.equals(before.bundle().profile())) {
                BundleRows.update(tx, before.bundle().id(), profile);
                changed(tx, before);
                var event = new Event.BundleUpdated(before.bundle().id(), name.toString(), visibility.toString());
                String action = shown ? "bundle.make_" + visibility : "bundle.update";
                BundleChanges.record(tx, origin, before, action, name, event);
            }
            return Bundles.overview(tx, bundles.lock(tx, origin, name));
        });
    }

    /// Refuses to show everybody a bundle whose versions require a private one.
    private static void requirePublic(Tx tx, BundleSnapshot bundle) {
        RequirementRows.anyPrivate(tx, bundle.bundle().id()).ifPresent(required -> {
            throw new Problem.RequirementNotReadable(
                            bundle.name(),
                            required,
                            "it is private, so readers of a public bundle could not get it; make it public first, or"
                                    + " yank the versions that require it")
                    .raise();
        });
    }

    /// Refuses to show everybody versions that nobody approved, if the policy asks for that. Recalled ones count
    /// too: their recall may end.
    private static void requireReviewed(Tx tx, BundleSnapshot bundle) {
        if (BundlePolicies.effective(tx, bundle.name()).review() == null) {
            return;
        }
        var open = ReviewRows.unapproved(tx, bundle.bundle().id());
        if (!open.isEmpty()) {
            throw new Problem.NeedsReview(
                            bundle.name(), open.stream().limit(MOST_NAMED).toList(), open.size())
                    .raise();
        }
    }

    /// Lists a bundle at the hub.
    ///
    /// @throws ProblemException those of [NewListing#check], [Bundles#writable]
    public Bundles.Overview list(ChangeOrigin origin, NewListing listing) {
        bundles.writable(origin.caller(), listing.name());
        return edit(origin, listing.name(), listing.edit(), listing::check);
    }

    /// Deprecates the bundle, which still works. Repeating it changes nothing.
    ///
    /// @param advice null to undeprecate
    /// @throws ProblemException those of [Bundles#writable]
    public Bundles.Overview deprecate(ChangeOrigin origin, RepositoryName name, @Nullable DeprecationNotice advice) {
        return database.write(tx -> {
            var before = bundles.lock(tx, origin, name);
            var id = before.bundle().id();
            if (Objects.equals(advice, before.bundle().deprecation())) {
                return Bundles.overview(tx, before);
            }
            BundleRows.deprecate(tx, id, advice);
            changed(tx, before);
            var event = advice == null
                    ? new Event.BundleUndeprecated(id, name.toString())
                    : new Event.BundleDeprecated(id, name.toString(), advice.message());
            String action = advice == null ? "bundle.undeprecate" : "bundle.deprecate";
            BundleChanges.record(tx, origin, before, action, name, event);
            return Bundles.overview(tx, bundles.lock(tx, origin, name));
        });
    }

    private static void changed(Tx tx, BundleSnapshot bundle) {
        HubIndex.refresh(tx, bundle.repository().id());
        Repositories.announce(tx, bundle.name());
    }
}
