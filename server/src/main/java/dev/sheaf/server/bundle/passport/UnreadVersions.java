package dev.sheaf.server.bundle.passport;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.VersionRows.Unread;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Reads the versions whose risk is not known: those that OCI clients and the console publish, those of older
/// programs, and all once the rules of passports change. One version at a time, so that the memory stays small.
/// Organizations take turns, and of a bundle the newest version is read first: nobody can delay the others by
/// publishing much.
public final class UnreadVersions {
    private static final int AT_ONCE = 20;
    private static final int BUNDLES = 500; // among which the organizations take turns
    private static final int MOST_FAILURES = 3;

    private final Database database;
    private final Repositories repositories;
    private final VersionPassports passports;
    private final Map<String, String> places = new ConcurrentHashMap<>(); // the last bundle that was reached, by rules

    public UnreadVersions(Database database, Repositories repositories, VersionPassports passports) {
        this.database = database;
        this.repositories = repositories;
        this.passports = passports;
    }

    /// Reads until nothing is left that can be read, or until the thread is interrupted.
    ///
    /// @throws ProblemException service-unavailable if the node is busy or the files cannot be read now; the next
    ///     call goes on with other bundles
    public void readAll() {
        boolean isMore = true;
        while (isMore && !Thread.currentThread().isInterrupted()) {
            isMore = false;
            for (String rules : database.read(VersionRows::earlierRules)) {
                isMore |= readSome(rules);
            }
        }
    }

    /// Goes through all bundles once, or through the rest after a failure, and reads some versions of each part.
    /// Returns whether there may be more.
    private boolean readSome(String rules) {
        String after = places.getOrDefault(rules, "");
        boolean isMore = !after.isEmpty();
        var some = part(rules, after);
        while (!some.isEmpty() && !Thread.currentThread().isInterrupted()) {
            String last = some.getLast().bundleId().toString();
            places.put(rules, last);
            isMore |= read(inTurns(some)) > 0;
            some = some.size() < BUNDLES ? List.of() : part(rules, last);
        }
        places.remove(rules);
        return isMore;
    }

    private List<Unread> part(String rules, String after) {
        return database.read(tx -> VersionRows.unread(tx, rules, after, BUNDLES));
    }

    /// Returns the versions to read next: one of each organization, then a second one and so on. Their order is
    /// random, so that nodes seldom read the same ones, and ones that cannot be read do not keep others from their
    /// turn.
    static List<Unread> inTurns(List<Unread> some) {
        record Turn(int number, Unread version) {}
        var numbers = new HashMap<UUID, Integer>();
        var mixed = new ArrayList<>(some);
        Collections.shuffle(mixed);
        return mixed.stream()
                .filter(version -> !version.isDeleted())
                .map(version -> new Turn(numbers.merge(version.organizationId(), 1, Integer::sum), version))
                .sorted(Comparator.comparing(Turn::number))
                .limit(AT_ONCE)
                .map(Turn::version)
                .toList();
    }

    /// Returns the number of versions that were read.
    private int read(List<Unread> some) {
        int failures = 0;
        for (var version : some) {
            try {
                read(version);
            } catch (ProblemException e) {
                failures++;
                if (failures == MOST_FAILURES) { // the node is busy, or the storage is away
                    throw e;
                }
            }
        }
        return some.size() - failures;
    }

    private void read(Unread version) {
        var repository = repositories.find(version.ref());
        if (repository.isEmpty()) {
            return; // deleted meanwhile
        }
        var passport = passport(repository.get(), version);
        database.write(tx -> {
            repositories.lockSoon(tx, version.ref()); // as all who write the entry of the hub
            var before = VersionRows.risk(tx, version.id());
            var risk = VersionRisk.of(passport, VersionRows.warningCodes(tx, version.id()));
            tell(tx, version, before, risk);
            VersionRows.keep(tx, version.id(), passport == null ? null : risk);
            HubIndex.keep(tx, version.bundleId(), version.version(), risk);
            return version;
        });
    }

    /// Tells the organization if a version that is published is worse than was known.
    private static void tell(Tx tx, Unread version, VersionRisk before, VersionRisk risk) {
        var known = before.worst();
        if (risk.worst() != null && (known == null || risk.worst().compareTo(known) > 0)) {
            OutboxRows.emit(
                    tx,
                    version.organizationId(),
                    new Event.VersionScanned(
                            version.bundleId(),
                            version.id(),
                            version.ref().toString(),
                            version.version().toString(),
                            version.digest().toString(),
                            risk.worst().toString(),
                            risk.findings()));
        }
    }

    /// Returns the passport; null if files are damaged, gone or recalled.
    private @Nullable Passport passport(Repository repository, Unread version) {
        var assets = database.read(tx -> AssetRows.list(tx, version.id()));
        try {
            return passports.of(repository, version.digest(), assets, bytes -> {});
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.BlobUnknown || e.problem() instanceof Problem.VersionRecalled) {
                return null;
            }
            throw e;
        }
    }
}
