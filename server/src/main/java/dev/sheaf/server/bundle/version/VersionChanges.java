package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleChanges;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.DeprecationNotice;
import dev.sheaf.server.bundle.NearMatches;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.Yank;
import dev.sheaf.server.bundle.requirement.Dependents;
import dev.sheaf.server.bundle.requirement.RequirementRows;
import dev.sheaf.server.bundle.tag.BundleTags;
import dev.sheaf.server.bundle.tag.LatestTag;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.tag.Tags;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Changes the yank and the deprecation of published versions, never their content. Every change is one
/// transaction with its tags, event and audit entry; repeating it changes nothing. Thread-safe.
///
/// All methods throw [ProblemException]: version-not-found, or as [Bundles#writable].
public final class VersionChanges {
    private final Database database;
    private final Bundles bundles;
    private final Tags tags;

    /// Parses an exact version. A tag or a range may point to another version by the time of the change.
    public static Version exact(String text) {
        return Version.find(text).or(() -> Version.ofOciTag(text)).orElseGet(() -> Version.parse(text));
    }

    public VersionChanges(Database database, Bundles bundles, Tags tags) {
        this.database = database;
        this.bundles = bundles;
        this.tags = tags;
    }

    /// A version after a change.
    public record Changed(BundleSnapshot bundle, BundleSnapshot.Resolved version) {}

    /// A change of one version in its transaction. Returns its event, or null if there is nothing to change.
    private interface Change {
        Event.@Nullable AboutBundle apply(Tx tx, BundleSnapshot bundle, VersionRow version);
    }

    /// Yanks a version: its number and digest still resolve, tags and ranges do not. A version that is already
    /// yanked keeps its reason.
    public Changed yank(ChangeOrigin origin, RepositoryName name, Version version, Yank yank) {
        return change(origin, name, version, "version.yank", (tx, bundle, row) -> {
            if (row.isYanked()) {
                return null;
            }
            VersionRows.yank(tx, row.id(), yank, origin.actor());
            BundleTags.vacate(tx, tags, origin, bundle, row);
            Dependents.changed(tx, bundle, row, Dependents.Cause.YANKED);
            String reason = Objects.requireNonNullElse(yank.reason(), "");
            return new Event.VersionYanked(row.bundleId(), row.id(), name.toString(), number(row), reason);
        });
    }

    /// Undoes a yank. Tags that moved away stay where they are, except `latest`.
    public Changed unyank(ChangeOrigin origin, RepositoryName name, Version version) {
        return change(origin, name, version, "version.unyank", (tx, bundle, row) -> {
            if (!row.isYanked()) {
                return null;
            }
            if (row.recall() != null) {
                throw new Problem.Conflict("version " + row.version() + " of " + name
                                + " is recalled, which yanks it too; an owner can end the recall first")
                        .raise();
            }
            VersionRows.unyank(tx, row.id());
            LatestTag.recomputeLatest(tx, tags, bundle, origin.actor());
            return new Event.VersionUnyanked(row.bundleId(), row.id(), name.toString(), number(row));
        });
    }

    /// Deprecates a version; every selector still finds it.
    ///
    /// @param advice null to undeprecate
    public Changed deprecate(
            ChangeOrigin origin, RepositoryName name, Version version, @Nullable DeprecationNotice advice) {
        String action = advice == null ? "version.undeprecate" : "version.deprecate";
        return change(origin, name, version, action, (tx, bundle, row) -> {
            if (Objects.equals(advice, row.deprecation())) {
                return null;
            }
            VersionRows.deprecate(tx, row.id(), advice);
            String ref = name.toString();
            return advice == null
                    ? new Event.VersionUndeprecated(row.bundleId(), row.id(), ref, number(row))
                    : new Event.VersionDeprecated(row.bundleId(), row.id(), ref, number(row), advice.message());
        });
    }

    private static String number(VersionRow row) {
        return row.version().toString();
    }

    private Changed change(ChangeOrigin origin, RepositoryName name, Version version, String action, Change change) {
        return database.write(tx -> {
            var bundle = bundles.lock(tx, origin, name);
            var id = bundle.bundle().id();
            var before = VersionRows.exact(tx, id, version)
                    .orElseThrow(() -> NearMatches.missing(tx, tags, bundle, version.toString())
                            .raise());
            var event = change.apply(tx, bundle, before);
            if (event != null) {
                BundleChanges.record(tx, origin, bundle, action, name + ":" + before.version(), event);
                Repositories.announce(tx, name);
            }
            var after = VersionRows.find(tx, id, before.version()).orElseThrow();
            var pointing = BundleTags.of(tx, tags, bundle, after);
            return new Changed(
                    bundle,
                    new BundleSnapshot.Resolved(
                            after, AssetRows.list(tx, after.id()), pointing, RequirementRows.list(tx, after.id())));
        });
    }
}
