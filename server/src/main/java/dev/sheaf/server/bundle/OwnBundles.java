package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An organization's bundles in numbers, for its members. Thread-safe.
public final class OwnBundles {
    private static final long MONTH = 30; // days
    private static final int MOST_RISKY = 200; // that are read, since a key may see only some

    private final Database database;
    private final Bundles bundles;

    public OwnBundles(Database database, Bundles bundles) {
        this.database = database;
        this.bundles = bundles;
    }

    /// A bundle and its use.
    ///
    /// @param latest its latest version; null if no version is active
    /// @param risk the risk of the latest version; null if there is none
    /// @param pulls its pulls in the last 30 days
    public record Summary(
            BundleSnapshot bundle,
            @Nullable VersionRow latest,
            @Nullable VersionRisk risk,
            long pulls) {}

    /// Returns bundles of the caller's organization that the caller may see, in the order of their names;
    /// others are left out.
    public List<Summary> summaries(Caller.Known caller, Collection<RepositoryName> names) {
        var found = names.stream()
                .map(bundles::find)
                .flatMap(Optional::stream)
                .filter(bundle -> bundle.organizationId().equals(caller.organizationId()))
                .filter(bundle -> Access.mayRead(caller, bundle))
                .toList();
        var repositories =
                found.stream().map(bundle -> bundle.repository().id()).toList();
        return database.read(tx -> {
            var pulls = OwnPullRows.since(tx, repositories, PullCounts.day(tx.now()) - MONTH + 1);
            var latest = new HashMap<UUID, VersionRow>();
            found.forEach(bundle -> VersionRows.latest(tx, bundle.bundle().id())
                    .ifPresent(version -> latest.put(version.bundleId(), version)));
            var risks = VersionRows.risks(
                    tx, latest.values().stream().map(VersionRow::id).toList());
            return found.stream()
                    .map(bundle -> {
                        var version = latest.get(bundle.bundle().id());
                        return new Summary(
                                bundle,
                                version,
                                version == null ? null : risks.get(version.id()),
                                pulls.getOrDefault(bundle.repository().id(), 0L));
                    })
                    .toList();
        });
    }

    /// A bundle whose latest version has a finding of high severity.
    ///
    /// @param findings the number of all findings of the version
    public record Risky(RepositoryName ref, Version version, int findings) {}

    /// Returns bundles of the caller's organization that the caller may see, and whose latest version has a finding
    /// of high severity, by name.
    public List<Risky> risky(Caller.Known caller, int limit) {
        return database.read(tx -> VersionRows.ofHighRisk(tx, caller.organizationId(), MOST_RISKY)).stream()
                .filter(risky -> bundles.find(risky.ref())
                        .filter(bundle -> Access.mayRead(caller, bundle))
                        .isPresent())
                .limit(limit)
                .toList();
    }

    /// The pulls of all bundles of an organization by day.
    ///
    /// @param from the first day, in days since 1970 (UTC)
    /// @param to today
    /// @param days the days with pulls, oldest first
    public record Pulls(long from, long to, List<PullCounts.Day> days) {
        public Pulls {
            days = List.copyOf(days);
        }
    }

    /// Returns the pulls of the last 60 days. The last seconds may be missing.
    ///
    /// @throws dev.sheaf.model.ProblemException forbidden for a credential that is restricted to a part of
    /// the organization
    public Pulls pulls(Caller.Known caller) {
        Access.whole(caller);
        return database.read(tx -> {
            long today = PullCounts.day(tx.now());
            long from = today - 2 * MONTH + 1;
            return new Pulls(from, today, OwnPullRows.days(tx, caller.organizationId(), from, today));
        });
    }
}
