package dev.sheaf.server.org.quota;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.QuotaResource;
import java.util.Arrays;
import java.util.Optional;

/// Limits of the usage of an organization; 0 means unlimited.
public record Quota(long bytes, long bundles, long versions) {
    public static final Quota NONE = new Quota(0, 0, 0);

    boolean isUnlimited() {
        return equals(NONE);
    }

    long of(QuotaResource what) {
        return switch (what) {
            case BYTES -> bytes;
            case BUNDLES -> bundles;
            case VERSIONS -> versions;
        };
    }

    /// Returns whether any of the growing amounts is limited.
    boolean limits(UsageAmounts more) {
        return Arrays.stream(QuotaResource.values()).anyMatch(what -> of(what) > 0 && more.of(what) > 0);
    }

    /// Returns why `more` does not fit in addition to the current usage; empty if it fits. Checks only amounts
    /// that grow, so an organization over a lowered quota can still make changes that add nothing.
    ///
    /// @param organization the handle of the organization
    Optional<Problem> refusal(String organization, UsageAmounts used, UsageAmounts more) {
        for (QuotaResource what : QuotaResource.values()) {
            long limit = of(what);
            long added = more.of(what);
            if (limit == 0 || added <= 0) {
                continue;
            }
            if (added > limit) {
                return Optional.of(new Problem.LargerThanQuota(organization, what, limit, added));
            }
            if (used.of(what) > limit - added) {
                return Optional.of(new Problem.QuotaExceeded(organization, what, limit, used.of(what), added));
            }
        }
        return Optional.empty();
    }
}
