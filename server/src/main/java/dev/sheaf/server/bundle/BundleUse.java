package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Version;
import dev.sheaf.model.key.Scope;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Who uses a bundle: its pulls by kind of client for all its readers, and by key or workflow for the admins of its
/// organization. Thread-safe.
///
/// Small numbers of strangers are not told, or they would say what a single one of them uses. The pulls of a version
/// on a day by a kind of client are told only if at least [#FEW] of them came from outside. Nothing says whether a
/// kind that is left out had fewer or none.
public final class BundleUse {
    /// The least number of pulls from outside that is told.
    public static final int FEW = 5;

    /// How long pulls by kind of client and by credential are kept: 13 months.
    public static final Duration KEPT = Duration.ofDays(396);

    private static final int DEFAULT_DAYS = 30;
    private static final int MOST_DAYS = 92; // about a quarter

    private final Database database;

    public BundleUse(Database database) {
        this.database = database;
    }

    /// What is asked for.
    ///
    /// @param from the first day; null for 30 days until `to`
    /// @param to the last day; null for today (UTC)
    /// @param version null for all versions
    public record Wanted(
            @Nullable LocalDate from,
            @Nullable LocalDate to,
            @Nullable UUID version) {
        /// All versions in the last 30 days.
        public static final Wanted MONTH = new Wanted(null, null, null);
    }

    /// The pulls of a version on a day.
    ///
    /// @param day in days since 1970 (UTC)
    /// @param pulls null if fewer than [#FEW] came from outside, or if it would reveal another such number
    /// @param own how many of them were by the owning organization; null for readers of others
    /// @param isFew whether fewer than [#FEW] came from outside
    /// @param credential the key or trusted publisher; null in a list by kind of client
    public record Row(
            UUID versionId,
            Version version,
            long day,
            String client,
            @Nullable Long pulls,
            @Nullable Long own,
            boolean isFew,
            @Nullable String credential) {
        public UsePlace place() {
            return new UsePlace(day, versionId, credential == null ? client : credential);
        }
    }

    /// A sum of the numbers that are told; there may be more pulls from outside.
    ///
    /// @param name a kind of client, or a version
    /// @param own how many of them were by the owning organization; null for readers of others
    public record Sum(String name, long pulls, @Nullable Long own) {}

    /// The pulls by a key or trusted publisher.
    ///
    /// @param versions how many versions it pulled
    /// @param lastDay in days since 1970 (UTC)
    public record OfCredential(String credential, long pulls, long versions, long lastDay) {}

    /// Returns pulls by kind of client, the newest day first. The last seconds may be missing.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed if the days are in the wrong order, or too many
    public List<Row> byClient(
            Caller caller, BundleSnapshot bundle, Wanted wanted, @Nullable UsePlace after, int limit) {
        var asked = asked(caller, bundle, wanted);
        return database.read(tx -> UseRows.byClient(tx, asked, after, limit)).stream()
                .map(row -> row(row, asked.inside() == 1))
                .toList();
    }

    private static Row row(UseRows.Stored row, boolean isInside) {
        return new Row(
                row.versionId(),
                row.version(),
                row.day(),
                row.client(),
                row.tells() ? row.downloads() : null,
                isInside ? row.own() : null,
                row.downloads() - row.own() < FEW,
                null);
    }

    /// Returns pulls by keys and trusted publishers of the organization that owns the bundle, the newest day first.
    /// Each of them counts once for a version and day.
    ///
    /// @throws dev.sheaf.model.ProblemException not-owner, scope-missing or forbidden unless the caller is an
    ///     admin of the whole organization; those of [#byClient]
    public List<Row> byCredential(
            Caller caller, BundleSnapshot bundle, Wanted wanted, @Nullable UsePlace after, int limit) {
        return byCredential(
                caller,
                bundle,
                wanted,
                asked ->
                        database
                                .read(tx -> UseRows.byCredential(tx, asked, bundle.organizationId(), after, limit))
                                .stream()
                                .map(row -> new Row(
                                        row.versionId(),
                                        row.version(),
                                        row.day(),
                                        row.client(),
                                        1L,
                                        1L,
                                        false,
                                        row.credential()))
                                .toList());
    }

    /// Returns sums by kind of client, the largest first.
    public List<Sum> clients(Caller caller, BundleSnapshot bundle) {
        var asked = asked(caller, bundle, Wanted.MONTH);
        return told(database.read(tx -> UseRows.clients(tx, asked)), asked);
    }

    /// Returns sums by version, the largest first.
    public List<Sum> versions(Caller caller, BundleSnapshot bundle, int limit) {
        var asked = asked(caller, bundle, Wanted.MONTH);
        return told(database.read(tx -> UseRows.versions(tx, asked, limit)), asked);
    }

    private static List<Sum> told(List<Sum> sums, UseRows.Asked asked) {
        return asked.inside() == 1
                ? sums
                : sums.stream()
                        .map(sum -> new Sum(sum.name(), sum.pulls(), null))
                        .toList();
    }

    /// Returns sums by credential, the largest first.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [#byCredential]
    public List<OfCredential> credentials(Caller caller, BundleSnapshot bundle, int limit) {
        return byCredential(
                caller,
                bundle,
                Wanted.MONTH,
                asked -> database.read(tx -> UseRows.credentials(tx, asked, bundle.organizationId(), limit)));
    }

    private <T> T byCredential(
            Caller caller, BundleSnapshot bundle, Wanted wanted, Function<UseRows.Asked, T> reading) {
        var known = Access.scope(caller, Scope.READ);
        if (!isInside(known, bundle)) {
            boolean isOwn = known.organizationId().equals(bundle.organizationId());
            throw new Problem.NotOwner("bundle " + bundle.name(), isOwn).raise();
        }
        Access.scope(known, Scope.ADMIN);
        Access.whole(known);
        return reading.apply(asked(known, bundle, wanted));
    }

    /// Returns whether the caller may read [#byCredential].
    public static boolean maySeeCredentials(Caller caller, BundleSnapshot bundle) {
        return Access.mayReadRecalled(caller, bundle)
                && caller instanceof Caller.Known known
                && !known.restrictions().isPart();
    }

    private static boolean isInside(Caller caller, BundleSnapshot bundle) {
        return Access.owns(caller, bundle.organizationId(), bundle.name());
    }

    private UseRows.Asked asked(Caller caller, BundleSnapshot bundle, Wanted wanted) {
        long to = wanted.to() == null
                ? PullCounts.day(database.now())
                : wanted.to().toEpochDay();
        long from =
                wanted.from() == null ? to - DEFAULT_DAYS + 1 : wanted.from().toEpochDay();
        if (from > to) {
            throw wrong("must not be after the last day, " + LocalDate.ofEpochDay(to));
        }
        if (to - from >= MOST_DAYS) {
            throw wrong(
                    "must be " + LocalDate.ofEpochDay(to - MOST_DAYS + 1) + " or later, because one request lists at"
                            + " most " + MOST_DAYS + " days; ask for the days before in another request");
        }
        return new UseRows.Asked(bundle.bundle().id(), from, to, wanted.version(), isInside(caller, bundle) ? 1 : 0);
    }

    private static ProblemException wrong(String detail) {
        return new Problem.ValidationFailed(List.of(new FieldError("from", "range", detail))).raise();
    }
}
