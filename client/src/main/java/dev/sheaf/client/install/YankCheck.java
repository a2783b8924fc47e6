package dev.sheaf.client.install;

import dev.sheaf.client.agents.YankedBundle;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Asks registries whether installed versions were yanked. It never fails: if a registry cannot be reached, its last
/// answer counts, and it is not asked again.
final class YankCheck {
    private final BundleAccess supply;
    private final boolean offline;
    private final Set<RegistryUrl> silent = new HashSet<>();

    /// @param offline whether only the last answers count
    YankCheck(BundleAccess supply, boolean offline) {
        this.supply = supply;
        this.offline = offline;
    }

    List<YankedBundle> among(Collection<LockedBundle> entries) {
        return entries.stream().flatMap(entry -> Stream.ofNullable(of(entry))).toList();
    }

    /// Returns null if the version is not yanked, or this is unknown.
    @Nullable
    YankedBundle of(LockedBundle entry) {
        var registry = entry.registry();
        if (!offline && !silent.contains(registry)) {
            try {
                return supply.yanked(registry, entry.pinned(), false);
            } catch (SheafException.Network | SheafException.Server | SheafException.RateLimited e) {
                silent.add(registry);
            } catch (SheafException e) {
                return null; // deleted, or not visible, which other commands report
            }
        }
        try {
            return supply.yanked(registry, entry.pinned(), true);
        } catch (SheafException e) {
            return null;
        }
    }
}
