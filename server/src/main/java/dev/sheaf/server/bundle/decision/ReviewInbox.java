package dev.sheaf.server.bundle.decision;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.diff.VersionComparer;
import dev.sheaf.server.bundle.diff.WhiteSpace;
import dev.sheaf.server.bundle.passport.VersionPassports;
import dev.sheaf.server.bundle.requirement.RequirementRows;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.bundle.review.HeldPushes;
import dev.sheaf.server.bundle.review.Review;
import dev.sheaf.server.bundle.review.ReviewRows;
import dev.sheaf.server.bundle.review.ReviewState;
import dev.sheaf.server.bundle.review.Reviewers;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// What people look at before they decide: the pushes of an organization, and what each changes. Thread-safe.
public final class ReviewInbox {
    private final Database database;
    private final Repositories repositories;
    private final VersionComparer comparer;
    private final VersionPassports passports;

    public ReviewInbox(
            Database database, Repositories repositories, VersionComparer comparer, VersionPassports passports) {
        this.database = database;
        this.repositories = repositories;
        this.comparer = comparer;
        this.passports = passports;
    }

    /// Returns pushes of the caller's organization that the caller may see, the newest first.
    ///
    /// @param state null for all
    /// @param mine whether only the caller's own
    /// @param before the id after which to go on; null for the newest
    public List<Review> list(
            Caller.Known caller, @Nullable ReviewState state, boolean mine, @Nullable String before, int limit) {
        return database.read(tx -> {
            var found = new ArrayList<Review>();
            String from = before == null ? TimeOrderedIds.END : before;
            for (boolean more = true; more && found.size() < limit; ) {
                var rows =
                        ReviewRows.list(tx, caller.organizationId(), from, state, mine ? caller.actor() : null, limit);
                rows.stream()
                        .filter(review -> sees(tx, caller, review.ref()))
                        .limit(limit - found.size())
                        .forEach(found::add);
                more = rows.size() == limit;
                from = rows.isEmpty() ? from : rows.getLast().id().toString();
            }
            return found;
        });
    }

    /// Returns whether the caller may see the pushes of a bundle of the caller's organization.
    private static boolean sees(Tx tx, Caller.Known caller, RepositoryName name) {
        if (!caller.restrictions().permit(name)) {
            return false;
        }
        return caller.scope().includes(Scope.WRITE)
                || (caller.credential() instanceof Credential.Session session
                        && BundlePolicies.approval(tx, name)
                                .filter(policy ->
                                        Reviewers.mayApprove(tx, caller.organizationId(), policy, session.userId()))
                                .isPresent());
    }

    /// Returns the number of pushes of the caller's organization that wait and that the caller may see.
    public int waiting(Caller.Known caller) {
        return database.read(tx -> {
            var seen = new HashMap<RepositoryName, Boolean>();
            return (int) ReviewRows.waiting(tx, caller.organizationId(), HeldPushes.MOST_OF_ORGANIZATION).stream()
                    .filter(name -> seen.computeIfAbsent(name, one -> sees(tx, caller, one)))
                    .count();
        });
    }

    /// Returns the pushes that wait in a repository, the newest first, for those who may push to it.
    public List<ReviewRows.Waiting> waiting(Repository repository) {
        return repository.hasHeld()
                ? database.read(tx -> ReviewRows.waiting(tx, repository.id(), HeldPushes.MOST_OF_BUNDLE))
                : List.of();
    }

    /// Returns what reviews approved, by review and in the order of the approvals.
    public List<ReviewRows.Approval> approvals(List<UUID> reviews) {
        return database.read(tx -> ReviewRows.approvals(tx, reviews));
    }

    /// What a push changes.
    ///
    /// @param from the latest version now; null if there is none
    /// @param before what the latest version requires
    public record Change(@Nullable VersionRow from, List<Requirement> before, VersionComparer.Result result) {
        public Change {
            before = List.copyOf(before);
        }
    }

    /// Compares a push with the latest version.
    ///
    /// @param admitting receives the number of bytes to be read; may refuse by throwing
    /// @throws dev.sheaf.model.ProblemException those of [VersionComparer#between]
    public Change change(Review review, WhiteSpace whiteSpace, LongConsumer admitting) {
        var repository = repository(review);
        var latest = database.read(tx -> latest(tx, repository, review));
        var sent = new VersionComparer.Files(id(review), files(review));
        var from = latest.version();
        List<Requirement> before = from == null ? List.of() : database.read(tx -> RequirementRows.list(tx, from.id()));
        return new Change(from, before, comparer.between(repository, latest.files(), sent, whiteSpace, admitting));
    }

    /// What the files of a push can touch.
    ///
    /// @param from the latest version now, with what its files can touch; null if there is none
    public record Passports(
            Passport sent,
            @Nullable VersionRow from,
            @Nullable Passport before) {}

    /// Returns what the files of a push can touch, and those of the latest version.
    ///
    /// @param admitting as in [#change]
    public Passports passports(Review review, LongConsumer admitting) {
        var repository = repository(review);
        var latest = database.read(tx -> latest(tx, repository, review));
        var from = latest.version();
        return new Passports(
                passports.of(repository, review.digest(), files(review), admitting),
                from,
                from == null
                        ? null
                        : passports.of(repository, from.digest(), latest.files().assets(), admitting));
    }

    /// Returns the override that published a version; null if there was none.
    public ReviewRows.@Nullable Decision overrideOf(Repository repository, VersionRow version) {
        return database.read(tx -> ReviewRows.overrideOf(tx, repository.id(), version.version(), version.digest()))
                .orElse(null);
    }

    private List<StoredAsset> files(Review review) {
        return review.manifestId() == null ? List.of() : database.read(tx -> ReviewRows.files(tx, review));
    }

    /// Returns the repository that holds a push.
    public Repository repository(Review review) {
        return repositories.find(review.ref()).orElseThrow();
    }

    private record Latest(@Nullable VersionRow version, VersionComparer.Files files) {}

    /// Returns with what a review is compared. A published version is shown whole: nobody reviewed the others
    /// either.
    private static Latest latest(Tx tx, Repository repository, Review review) {
        if (review.ofPublished()) {
            return new Latest(null, VersionComparer.Files.NONE);
        }
        return BundleRows.find(tx, repository.id())
                .flatMap(bundle -> VersionRows.latest(tx, bundle.id()))
                .map(version ->
                        new Latest(version, new VersionComparer.Files(version.id(), AssetRows.list(tx, version.id()))))
                .orElse(new Latest(null, VersionComparer.Files.NONE));
    }

    /// Returns an id of the content of a push.
    private static UUID id(Review review) {
        return UUID.nameUUIDFromBytes((review.id() + " " + review.digest()).getBytes(StandardCharsets.UTF_8));
    }
}
