package dev.sheaf.server.org.quota;

import dev.sheaf.model.text.Counted;
import dev.sheaf.model.Problem;
import java.util.Arrays;
import java.util.Optional;

/// The most that an organization may hold; 0 means any amount.
public record Quota(long bytes, long bundles, long versions) {
    public static final Quota NONE = new Quota(0, 0, 0);

    boolean isUnlimited() {
        return equals(NONE);
    }

    long of(Counted what) {
        return switch (what) {
            case BYTES -> bytes;
            case BUNDLES -> bundles;
            case VERSIONS -> versions;
        };
    }

    /// Whether any of what grows is limited.
    boolean limits(Amounts more) {
        return Arrays.stream(Counted.values()).anyMatch(what -> of(what) > 0 && more.of(what) > 0);
    }

    /// Why `more` has no room beside what is in use, if it has none. Only what grows is looked at: whoever is over
    /// a quota that was lowered can still do what adds nothing to it.
    ///
    /// @param organization its handle
    Optional<Problem> refusal(String organization, Amounts used, Amounts more) {
        for (Counted what : Counted.values()) {
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
