package dev.sheaf.client.install;

import dev.sheaf.client.agents.YankedBundle;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.pull.PartFetch;
import dev.sheaf.model.RecallSeverity;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.bundle.VersionVerdict;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Asks registries whether installed versions were yanked or recalled. If a registry cannot be reached, that is no
/// failure: its last answer about a yank counts, and it is not asked again. Of a recall only the registry itself
/// tells.
final class YankCheck {
    static final String RECALLED = "version-recalled";

    private final BundleAccess supply;
    private final boolean offline;
    private final boolean strict;
    private final Consumer<String> notice;
    private final Set<RegistryUrl> silent = new HashSet<>();

    /// @param offline whether only the last answers count
    /// @param strict whether a registry that refuses to say is a failure
    /// @param notice told of registries that do not say
    YankCheck(BundleAccess supply, boolean offline, boolean strict, Consumer<String> notice) {
        this.supply = supply;
        this.offline = offline;
        this.strict = strict;
        this.notice = notice;
    }

    /// Returns the withdrawn versions among the installed ones, by bundle.
    Map<RepositoryName, YankedBundle> among(Collection<LockedBundle> entries) {
        var found = new HashMap<RepositoryName, YankedBundle>();
        entries.stream().collect(Collectors.groupingBy(LockedBundle::registry)).forEach((registry, its) -> {
            var verdicts = verdicts(registry, its);
            for (var entry : its) {
                var withdrawn = of(entry, verdicts.get(entry.pinned()));
                if (withdrawn != null) {
                    found.put(entry.bundle(), withdrawn);
                }
            }
        });
        return found;
    }

    /// Returns nothing if the registry does not say: each version is asked for then.
    private Map<PartFetch.Pinned, VersionVerdict> verdicts(RegistryUrl registry, List<LockedBundle> entries) {
        if (offline) {
            return Map.of();
        }
        try {
            return supply.verdicts(
                    registry, entries.stream().map(LockedBundle::pinned).toList());
        } catch (SheafException.NotFound e) {
            // too old for verdicts
        } catch (SheafException.Network | SheafException.Server | SheafException.RateLimited e) {
            silent.add(registry);
            unsaid(registry, e);
        } catch (SheafException e) {
            if (strict) {
                throw e; // such as a key that ended: it could say, and does not
            }
            unsaid(registry, e);
        }
        return Map.of();
    }

    private void unsaid(RegistryUrl registry, SheafException e) {
        notice.accept(registry + " did not say whether what is installed is recalled: " + e.getMessage());
    }

    private @Nullable YankedBundle of(LockedBundle entry, @Nullable VersionVerdict verdict) {
        if (verdict == null || verdict.verdict().equals("yanked")) {
            return yanked(entry); // keeps the answer for times without the registry
        }
        return verdict.verdict().equals("recalled")
                ? new YankedBundle(
                        entry.bundle(),
                        entry.version(),
                        Objects.requireNonNullElse(verdict.reason(), ""),
                        verdict.replacement(),
                        severity(verdict.severity()),
                        verdict.advisory(),
                        places(entry))
                : null;
    }

    /// Returns the worst severity for a word that a newer registry may have.
    private static RecallSeverity severity(@Nullable String word) {
        for (var severity : RecallSeverity.values()) {
            if (severity.toString().equals(word == null ? null : word.toLowerCase(Locale.ROOT))) {
                return severity;
            }
        }
        return RecallSeverity.CRITICAL;
    }

    private static List<String> places(LockedBundle entry) {
        var places = new TreeSet<String>();
        entry.things().values().forEach(placed -> places.addAll(placed.places()));
        return List.copyOf(places);
    }

    /// Returns null if the version is not yanked, or this is unknown.
    private @Nullable YankedBundle yanked(LockedBundle entry) {
        var registry = entry.registry();
        if (!offline && !silent.contains(registry)) {
            try {
                return supply.yanked(registry, entry.pinned(), false);
            } catch (SheafException.Network | SheafException.Server | SheafException.RateLimited e) {
                silent.add(registry);
            } catch (SheafException e) {
                return e.code().orElse("").equals(RECALLED)
                        ? new YankedBundle(
                                entry.bundle(),
                                entry.version(),
                                "the registry no longer hands it out",
                                null,
                                RecallSeverity.CRITICAL,
                                null,
                                places(entry))
                        : null; // deleted, or not visible, which other commands report
            }
        }
        try {
            return supply.yanked(registry, entry.pinned(), true);
        } catch (SheafException e) {
            return null;
        }
    }
}
