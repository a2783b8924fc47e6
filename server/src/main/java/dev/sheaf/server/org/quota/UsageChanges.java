package dev.sheaf.server.org.quota;

import dev.sheaf.engine.db.Tx;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Collects the changes of a transaction to the usage of organizations. The row functions that insert and
/// delete counted content call [#add], so that other code does not need to. The sum is written at the end of
/// the transaction, in one row for each changed repository.
public final class UsageChanges implements Tx.Gathering {
    private final Map<Long, UsageAmounts> byRepository = new TreeMap<>();
    private final Map<UUID, Long> reserved = new TreeMap<>();
    private @Nullable QuotaCheck quotas;

    private UsageChanges() {}

    private static UsageChanges of(Tx tx) {
        return tx.gather(UsageChanges.class, UsageChanges::new);
    }

    /// Adds amounts to the usage of the organization that owns the repository; negative amounts lower it.
    public static void add(Tx tx, long repositoryId, UsageAmounts more) {
        of(tx).byRepository.merge(repositoryId, more, UsageAmounts::plus);
    }

    /// Adds bytes to the organization's open uploads; a negative number lowers their sum. Their sum is stored
    /// with the uploads. Here it counts only in the check at the end of the transaction.
    public static void reserve(Tx tx, UUID organizationId, long bytes) {
        of(tx).reserved.merge(organizationId, bytes, Long::sum);
    }

    static void enforce(Tx tx, QuotaCheck quotas) {
        of(tx).quotas = quotas;
    }

    @Override
    public void settle(Tx tx) {
        var byOrganization = new TreeMap<UUID, Owner>();
        byRepository.forEach((repository, more) -> {
            if (!more.equals(UsageAmounts.NONE)) {
                var owner = UsageRows.append(tx, repository, more);
                byOrganization.merge(owner.id(), new Owner(owner.override(), more), Owner::plus);
            }
        });
        var checks = quotas;
        if (checks != null) {
            reserved.forEach((id, bytes) -> byOrganization.merge(
                    id, new Owner(UsageRows.override(tx, id), UsageAmounts.ofBytes(bytes)), Owner::plus));
            byOrganization.forEach((id, owner) -> checks.check(tx, id, owner.override(), owner.more()));
        }
    }

    @Override
    public UsageChanges copy() {
        var copy = new UsageChanges();
        copy.byRepository.putAll(byRepository);
        copy.reserved.putAll(reserved);
        copy.quotas = quotas;
        return copy;
    }

    private record Owner(QuotaOverride override, UsageAmounts more) {
        Owner plus(Owner other) {
            return new Owner(override, more.plus(other.more));
        }
    }
}
