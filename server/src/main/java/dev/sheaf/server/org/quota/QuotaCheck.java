package dev.sheaf.server.org.quota;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.org.OrganizationUsage;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.org.OrganizationRows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The usage of organizations and their limits. Thread-safe.
///
/// A quota is checked twice. [#admit] runs before bytes are accepted and uses cached numbers, so it costs
/// nothing without a quota, and may miss commits of the last two seconds. [#enforce] runs at the end of a
/// transaction that adds usage. It locks the organization's row and reads the current usage, so concurrent
/// pushes never exceed the quota together.
public final class QuotaCheck {
    private static final Duration FRESH = Duration.ofSeconds(2);
    private static final int REMEMBERED = HeapShare.ORGANIZATIONS.entries(6, 200 + HeapShare.ENTRY);
    private static final int UNFOLDED = 100;
    private static final int FOLDED_AT_ONCE = 500;
    private static final int PAGE = 100;

    private final Database database;
    private final Quota fallback;
    private final InvalidatedCache<UUID, Known> known;
    private final Map<UUID, Long> coming = new ConcurrentHashMap<>();

    /// @param used the usage; zero if there is no quota, because it is not needed then
    private record Known(String handle, Quota quota, UsageAmounts used, Instant at) {}

    /// The usage of an organization: the sum of its rows, and the recorded usage.
    public record Recount(UUID organizationId, String handle, UsageAmounts counted, UsageAmounts recorded) {
        public boolean agrees() {
            return counted.equals(recorded);
        }
    }

    /// @param fallback the quota of organizations without their own
    public QuotaCheck(Database database, Quota fallback) {
        this.database = database;
        this.fallback = fallback;
        this.known = new InvalidatedCache<>(database, "quotas", REMEMBERED);
        database.onChange(this::forget);
    }

    private void forget(DataChange change) {
        switch (change.kind()) {
            case ORGANIZATION -> known.forget(UUID.fromString(change.id()));
            case EVERYTHING -> known.forgetAll();
            case REPOSITORY,
                    NAMESPACE,
                    API_KEY,
                    SIGNING_KEY,
                    SESSION,
                    PUBLISHER,
                    TOKEN,
                    WEBHOOK,
                    QUEUE,
                    EVENT,
                    FEED -> {
                // stores nothing that counts
            }
        }
    }

    // --- checks ---

    /// Refuses content that does not fit into the organization's quota, before it is accepted.
    ///
    /// @throws ProblemException quota-exceeded, or payload-too-large if it could never fit
    public void admit(UUID organizationId, UsageAmounts more) {
        if (!fits(organizationId, more)) {
            refusal(organizationId, current(organizationId), more).ifPresent(problem -> {
                throw problem.raise();
            });
        }
    }

    /// Returns why `more` does not fit into the organization's quota, from the current rows; empty if it fits.
    public Optional<Problem> refusal(UUID organizationId, UsageAmounts more) {
        return refusal(organizationId, current(organizationId), more);
    }

    private Optional<Problem> refusal(UUID organizationId, Known known, UsageAmounts more) {
        return refusal(known, coming.getOrDefault(organizationId, 0L), more);
    }

    private static Optional<Problem> refusal(Known known, long coming, UsageAmounts more) {
        return known.quota().refusal(known.handle(), known.used().plus(UsageAmounts.ofBytes(coming)), more);
    }

    /// Returns whether the problem is a refusal by a quota.
    public static boolean isRefusal(Problem problem) {
        return problem instanceof Problem.QuotaExceeded || problem instanceof Problem.LargerThanQuota;
    }

    /// Returns whether `more` fits into the organization's quota, from cached numbers.
    public boolean fits(UUID organizationId, UsageAmounts more) {
        return refusal(organizationId, recent(organizationId), more).isEmpty();
    }

    /// Reserves room for content while this node receives it.
    public QuotaReservation reserve(UUID organizationId) {
        return new QuotaReservation(this, organizationId);
    }

    /// Reserves room for bytes that are about to arrive; returns false if there is none. Concurrent calls see
    /// each other's reservations.
    boolean take(UUID organizationId, long bytes) {
        var found = recent(organizationId);
        boolean[] fits = new boolean[1];
        coming.compute(organizationId, (id, before) -> {
            long taken = before == null ? 0 : before;
            fits[0] = refusal(found, taken, UsageAmounts.ofBytes(bytes)).isEmpty();
            return fits[0] ? Long.valueOf(taken + bytes) : before;
        });
        return fits[0];
    }

    void give(UUID organizationId, long bytes) {
        coming.computeIfPresent(organizationId, (id, before) -> before > bytes ? before - bytes : null);
    }

    private Known recent(UUID organizationId) {
        var found = get(organizationId);
        boolean old = !found.quota().isUnlimited() && found.at().plus(FRESH).isBefore(database.now());
        return old ? current(organizationId) : found;
    }

    private Known current(UUID organizationId) {
        known.forget(organizationId);
        return get(organizationId);
    }

    private Known get(UUID organizationId) {
        return known.get(organizationId, id -> database.read(tx -> find(tx, id)))
                .orElseThrow();
    }

    private Optional<Known> find(Tx tx, UUID id) {
        return OrganizationRows.find(tx, id).map(organization -> {
            var quota = UsageRows.override(tx, id).over(fallback);
            var used = quota.isUnlimited() ? UsageAmounts.NONE : UsageRows.counted(tx, id);
            return new Known(organization.handle(), quota, used, tx.now());
        });
    }

    /// Makes the transaction fail at its end if it adds more usage to an organization than its quota allows.
    ///
    /// The transaction then throws like [#admit].
    public void enforce(Tx tx) {
        UsageChanges.enforce(tx, this);
    }

    /// @param more the amounts that the transaction adds, already recorded
    public void check(Tx tx, UUID organizationId, QuotaOverride override, UsageAmounts more) {
        var quota = override.over(fallback);
        if (!quota.limits(more)) {
            return;
        }
        // This is the transaction's last lock. The sum is read after it, so it includes every push that has
        // passed this check.
        OrganizationRows.lock(tx, organizationId);
        var before = UsageRows.counted(tx, organizationId).minus(more);
        if (quota.refusal("", before, more).isPresent()) {
            var handle = OrganizationRows.find(tx, organizationId).orElseThrow().handle();
            throw quota.refusal(handle, before, more).orElseThrow().raise();
        }
    }

    // --- reading and setting ---

    /// Returns the usage and limits of the caller's organization.
    ///
    /// @throws ProblemException forbidden for a key that is restricted to a part of the organization
    public OrganizationUsage usage(Caller.Known caller) {
        Access.whole(caller);
        return database.read(tx -> usage(tx, caller.organizationId()));
    }

    private OrganizationUsage usage(Tx tx, UUID organizationId) {
        var used = UsageRows.sum(tx, organizationId);
        var quota = UsageRows.override(tx, organizationId).over(fallback);
        return new OrganizationUsage(
                new OrganizationUsage.Used(used.bytes(), used.bundles(), used.versions()),
                UsageRows.uploads(tx, organizationId),
                new OrganizationUsage.Quota(shown(quota.bytes()), shown(quota.bundles()), shown(quota.versions())));
    }

    private static @Nullable Long shown(long limit) {
        return limit == 0 ? null : limit;
    }

    /// Sets an organization's quota; for administrators of the installation. A quota below the current usage
    /// deletes nothing, but allows no additions.
    ///
    /// @param idOrHandle the organization
    /// @param check inspects the current usage and limits, and may refuse
    /// @param edit computes the new quota from the current one
    /// @throws ProblemException not-found
    public OrganizationUsage set(
            ChangeOrigin origin,
            String idOrHandle,
            Consumer<OrganizationUsage> check,
            UnaryOperator<QuotaOverride> edit) {
        return database.write(tx -> {
            var organization = OrganizationRows.find(tx, idOrHandle)
                    .orElseThrow(() -> new Problem.NotFound("organization " + Quoted.of(idOrHandle)).raise());
            OrganizationRows.lock(tx, organization.id());
            check.accept(usage(tx, organization.id()));
            var before = UsageRows.override(tx, organization.id());
            var after = edit.apply(before);
            if (!after.equals(before)) {
                UsageRows.setOverride(tx, organization.id(), after);
                tx.changed(new DataChange(
                        DataChange.Kind.ORGANIZATION, organization.id().toString()));
                AuditRows.record(tx, origin, "organization.set_quota", organization.handle());
            }
            return usage(tx, organization.id());
        });
    }

    // --- upkeep ---

    /// Replaces the recorded changes of each organization with their sum, in small steps. Several nodes may do
    /// this at the same time, and during pushes.
    public void fold() {
        for (UUID organization : database.read(tx -> UsageRows.crowded(tx, UNFOLDED))) {
            int folded = FOLDED_AT_ONCE;
            while (folded == FOLDED_AT_ONCE) {
                folded = database.write(tx -> UsageRows.fold(tx, organization, FOLDED_AT_ONCE));
            }
        }
    }

    /// Counts every organization's rows again. Pushes may continue during that time.
    ///
    /// @param repair whether wrong records are corrected
    /// @return the organizations whose recorded usage was wrong, with the old numbers
    public List<Recount> recount(boolean repair) {
        var wrong = new ArrayList<Recount>();
        var page = database.read(tx -> OrganizationRows.ids(tx, "", PAGE));
        while (!page.isEmpty()) {
            for (UUID id : page) {
                var found = database.read(tx -> UsageRows.count(tx, id));
                if (!found.agrees() && repair) {
                    found = repaired(id);
                }
                if (!found.agrees()) {
                    wrong.add(found);
                }
            }
            var last = page.getLast();
            page = database.read(tx -> OrganizationRows.ids(tx, last.toString(), PAGE));
        }
        return wrong;
    }

    /// Corrects the recorded usage. If several nodes repair at the same time, the second one has nothing to do.
    private Recount repaired(UUID id) {
        return database.write(tx -> {
            OrganizationRows.lock(tx, id);
            var found = UsageRows.count(tx, id);
            if (!found.agrees()) {
                UsageRows.insert(tx, id, found.counted().minus(found.recorded()));
            }
            tx.changed(new DataChange(DataChange.Kind.ORGANIZATION, id.toString()));
            return found;
        });
    }
}
