package dev.sheaf.server.bundle.recall;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleChanges;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.NearMatches;
import dev.sheaf.server.bundle.Recall;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.requirement.Dependents;
import dev.sheaf.server.bundle.review.ReviewEnds;
import dev.sheaf.server.bundle.tag.BundleTags;
import dev.sheaf.server.bundle.tag.LatestTag;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.org.member.Members;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.content.RecalledRows;
import dev.sheaf.server.registry.tag.Tags;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/// Recalls versions, and ends recalls. A recall belongs to the manifest of a version in its bundle: every
/// version of the bundle with that manifest is recalled, and no other bundle is. Every call is one
/// transaction with its tags, events and audit entries; repeating it changes nothing. Thread-safe.
public final class RecallChanges {
    private static final int NAMED = 20;

    private final Database database;
    private final Bundles bundles;
    private final Tags tags;

    public RecallChanges(Database database, Bundles bundles, Tags tags) {
        this.database = database;
        this.bundles = bundles;
        this.tags = tags;
    }

    /// The versions that are now recalled, or no longer are, highest first.
    public record Done(BundleSnapshot bundle, List<VersionRow> versions) {
        public Done {
            versions = List.copyOf(versions);
        }
    }

    /// Recalls versions: their content is taken from everybody but admins of the organization, and they are yanked. A
    /// version that is recalled already gets the new reason.
    ///
    /// @throws ProblemException version-not-found, version-deleted; conflict if the range has other versions than
    /// expected, or if there are more than [RecallRequest#MOST]; those of [Access#write]; forbidden for restricted
    /// credentials
    public Done recall(ChangeOrigin origin, RepositoryName name, RecallRequest request) {
        mayRecall(origin);
        return database.write(tx -> {
            var bundle = bundles.lock(tx, origin, name);
            var found = wanted(tx, bundle, request);
            if (found.size() > RecallRequest.MOST && !request.force()) {
                throw new Problem.Conflict("this would recall " + found.size() + " versions of " + name + "; more than "
                                + RecallRequest.MOST + " at once need \"force\": true")
                        .raise();
            }
            var changed = found.values().stream()
                    .filter(row -> !request.recall().equals(row.recall()))
                    .toList();
            for (var row : changed) { // all of them before tags move, so that none moves to a recalled version
                VersionRows.recall(tx, row.id(), request.recall(), origin.actor());
            }
            for (var row : changed) {
                RecalledRows.recall(tx, bundle.repository(), row.manifestId());
                ReviewEnds.withdraw(tx, origin, bundle.repository(), row.version());
                BundleTags.vacate(tx, tags, origin, bundle, row);
                Dependents.changed(tx, bundle, row, Dependents.Cause.RECALLED);
                record(tx, origin, bundle, row, "version.recall", event(name, row, request.recall()));
            }
            announce(tx, name, changed);
            return done(tx, bundle, found.keySet());
        });
    }

    /// Ends the recall of versions, and of the others with their manifests. Their numbers and their content can be
    /// used as before; a version that was yanked before its recall stays yanked. Tags that moved away stay where
    /// they are, except `latest`.
    ///
    /// @throws ProblemException version-not-found; forbidden for callers other than owners; those of [Access#write]
    public Done unrecall(ChangeOrigin origin, RepositoryName name, List<Version> versions) {
        mayRecall(origin);
        return database.write(tx -> {
            var bundle = bundles.lock(tx, origin, name);
            Members.requireOwner(tx, origin, "end a recall");
            var found = new LinkedHashMap<UUID, VersionRow>();
            versions.forEach(version -> add(tx, found, exact(tx, bundle, version)));
            var changed =
                    found.values().stream().filter(one -> one.recall() != null).toList();
            for (var one : changed) {
                VersionRows.unrecall(tx, one.id());
                if (one.recallYanked()) {
                    VersionRows.unyank(tx, one.id());
                }
                var event = new Event.VersionUnrecalled(
                        one.bundleId(),
                        one.id(),
                        name.toString(),
                        one.version().toString(),
                        one.digest().toString());
                record(tx, origin, bundle, one, "version.unrecall", event);
            }
            RecalledRows.unrecall(
                    tx,
                    bundle.repository(),
                    changed.stream().map(VersionRow::manifestId).distinct().toList());
            if (!changed.isEmpty()) {
                LatestTag.recomputeLatest(tx, tags, bundle, origin.actor());
            }
            announce(tx, name, changed);
            return done(tx, bundle, found.keySet());
        });
    }

    private static void mayRecall(ChangeOrigin origin) {
        Access.unrestricted(origin.caller());
        Access.inPerson(origin.caller());
    }

    /// Returns what to recall by id: the versions that the request names, and all that have the manifest of one.
    private Map<UUID, VersionRow> wanted(Tx tx, BundleSnapshot bundle, RecallRequest request) {
        var id = bundle.bundle().id();
        var found = new LinkedHashMap<UUID, VersionRow>();
        for (Digest digest : request.digests()) {
            var row = VersionRows.find(tx, id, digest)
                    .orElseThrow(() -> NearMatches.missing(tx, tags, bundle, digest.toString())
                            .raise());
            add(tx, found, row);
        }
        var range = request.range();
        for (Version version : range == null ? request.versions() : inRange(tx, bundle, range, request.expected())) {
            add(tx, found, exact(tx, bundle, version));
        }
        return found;
    }

    private static void add(Tx tx, Map<UUID, VersionRow> found, VersionRow row) {
        if (!found.containsKey(row.id())) {
            VersionRows.withManifest(tx, row.bundleId(), row.manifestId()).forEach(one -> found.put(one.id(), one));
        }
    }

    private VersionRow exact(Tx tx, BundleSnapshot bundle, Version version) {
        return VersionRows.exact(tx, bundle.bundle().id(), version)
                .orElseThrow(() -> NearMatches.missing(tx, tags, bundle, version.toString())
                        .raise());
    }

    private static List<Version> inRange(Tx tx, BundleSnapshot bundle, String text, List<Version> expected) {
        var range = VersionRange.find(text).orElseThrow();
        var inside = VersionRows.numbers(tx, bundle.bundle().id()).stream()
                .filter(version -> range.highest(List.of(version)).isPresent())
                .toList();
        if (!inside.stream()
                .sorted()
                .toList()
                .equals(expected.stream().distinct().sorted().toList())) {
            throw new Problem.Conflict("the range " + range + " of " + bundle.name() + " has "
                            + (inside.isEmpty() ? "no version" : words(inside))
                            + "; repeat the request with exactly these"
                            + " in \"expected\" to recall them")
                    .raise();
        }
        return inside;
    }

    private static String words(List<Version> versions) {
        int more = versions.size() - NAMED;
        return versions.stream().limit(NAMED).map(Version::toString).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }

    private static Event.VersionRecalled event(RepositoryName name, VersionRow row, Recall recall) {
        return new Event.VersionRecalled(
                row.bundleId(),
                row.id(),
                name.toString(),
                row.version().toString(),
                row.digest().toString(),
                recall.severity().toString());
    }

    private static void record(
            Tx tx, ChangeOrigin origin, BundleSnapshot bundle, VersionRow row, String action, Event.AboutBundle event) {
        BundleChanges.record(tx, origin, bundle, action, bundle.name() + ":" + row.version(), event);
    }

    private static void announce(Tx tx, RepositoryName name, Collection<VersionRow> changed) {
        if (!changed.isEmpty()) {
            Repositories.announce(tx, name);
            tx.changed(new DataChange(DataChange.Kind.CONTENT, ""));
        }
    }

    private static Done done(Tx tx, BundleSnapshot bundle, Collection<UUID> ids) {
        var rows = VersionRows.list(tx, ids).stream()
                .sorted(VersionRows.BY_LATEST.reversed())
                .toList();
        return new Done(bundle, rows);
    }
}
