package dev.sheaf.server.org.quota;

import dev.sheaf.server.db.Tx;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Collects the changes of a transaction to the usage of organizations. The row functions that insert and
/// delete counted content call [#add], so that other code does not need to. The sum is written at the end of
/// the transaction, in one row for each changed repository.
public final class Usage implements Tx.Gathering {
    private final Map<Long, Amounts> byRepository = new TreeMap<>();
    private final Map<UUID, Long> reserved = new TreeMap<>();
    private @Nullable Quotas quotas;

    private Usage() {}

    private static Usage of(Tx tx) {
        return tx.gather(Usage.class, Usage::new);
    }

    /// Adds amounts to the usage of the organization that owns the repository; negative amounts lower it.
    public static void add(Tx tx, long repositoryId, Amounts more) {
        of(tx).byRepository.merge(repositoryId, more, Amounts::plus);
    }

    /// Adds bytes to the organization's open uploads; a negative number lowers their sum. Their sum is stored
    /// with the uploads. Here it counts only in the check at the end of the transaction.
    public static void reserve(Tx tx, UUID organizationId, long bytes) {
        of(tx).reserved.merge(organizationId, bytes, Long::sum);
    }

    static void enforce(Tx tx, Quotas quotas) {
        of(tx).quotas = quotas;
    }

    @Override
    public void settle(Tx tx) {
        var byOrganization = new TreeMap<UUID, Owner>();
        byRepository.forEach((repository, more) -> {
            if (!more.equals(Amounts.NONE)) {
                var owner = UsageRows.append(tx, repository, more);
                byOrganization.merge(owner.id(), new Owner(owner.override(), more), Owner::plus);
            }
        });
        var checks = quotas;
        if (checks != null) {
            reserved.forEach((id, bytes) -> byOrganization.merge(
                    id, new Owner(UsageRows.override(tx, id), Amounts.ofBytes(bytes)), Owner::plus));
            byOrganization.forEach((id, owner) -> checks.check(tx, id, owner.override(), owner.more()));
        }
    }

    @Override
    public Usage copy() {
        var copy = new Usage();
        copy.byRepository.putAll(byRepository);
        copy.reserved.putAll(reserved);
        copy.quotas = quotas;
        return copy;
    }

    private record Owner(QuotaOverride override, Amounts more) {
        Owner plus(Owner other) {
            return new Owner(override, more.plus(other.more));
        }
    }
}
