package dev.sheaf.client.install;

import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.ErrorResponses;
import dev.sheaf.client.pull.PartFetch;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What the wanted bundles need besides: other bundles, which are installed too. A registry is asked about
/// versions that were newly resolved; for others the lock says it.
final class RequiredBundles {
    /// A bundle that others need.
    ///
    /// @param wish everything in it, for the programs of those that need it
    /// @param requiredBy the bundles that require it
    record Needed(WantedBundle wish, PartFetch.Pinned pinned, Set<String> requiredBy) {
        private Needed with(Needed other) {
            var agents = new TreeSet<>(wish.agents());
            agents.addAll(other.wish.agents());
            var by = new TreeSet<>(requiredBy);
            by.addAll(other.requiredBy);
            return new Needed(wish.withAgents(agents), pinned, by);
        }
    }

    private final BundleAccess supply;
    private final InstallOptions options;
    private final Progress progress;
    private final SortedMap<String, Needed> needed = new TreeMap<>();

    RequiredBundles(BundleAccess supply, InstallOptions options, Progress progress) {
        this.supply = supply;
        this.options = options;
        this.progress = progress;
    }

    /// Adds what a version needs that was newly resolved.
    ///
    /// @param before the lock, which counts if no registry may be asked
    void ask(WantedBundle wish, LockedBundle entry, InstallLock before) {
        if (options.offline()) {
            keep(wish, before);
            return;
        }
        for (var one : supply.closure(wish.registry(), entry.pinned(), options.pull(), options.acceptedOwners())) {
            try {
                var bundle = RepositoryName.parse(one.ref());
                add(new Needed(
                        of(wish, bundle, one.range()),
                        new PartFetch.Pinned(bundle, Version.parse(one.version()), Digest.parse(one.digest())),
                        new TreeSet<>(one.requiredBy())));
            } catch (ProblemException e) {
                throw new SheafException.Server("the registry says that " + wish.bundle() + " needs "
                        + ErrorResponses.showable(one.ref() + " " + one.version()) + ", which is not valid");
            }
        }
    }

    /// Adds what the lock says that a bundle needs.
    void keep(WantedBundle wish, InstallLock lock) {
        var reached = new HashSet<String>(Set.of(wish.bundle().toString()));
        boolean more = true;
        while (more) {
            more = false;
            for (var entry : lock.entries().values()) {
                var by = new TreeSet<>(entry.requiredBy());
                by.retainAll(reached);
                if (!by.isEmpty()) {
                    more |= reached.add(entry.bundle().toString());
                }
            }
        }
        for (var entry : lock.entries().values()) {
            var by = new TreeSet<>(entry.requiredBy());
            by.retainAll(reached);
            if (!by.isEmpty()) {
                add(new Needed(of(wish, entry.bundle(), entry.range().toString()), entry.pinned(), by));
            }
        }
    }

    private static WantedBundle of(WantedBundle wish, RepositoryName bundle, String range) {
        return WantedBundle.of(wish.registry(), bundle)
                .withRange(range)
                .withAgents(wish.agents())
                .linked(wish.link());
    }

    private void add(Needed one) {
        var other = needed.get(one.wish().bundle().toString());
        if (other != null && !other.pinned().equals(one.pinned())) {
            throw new SheafException.Conflict(
                    "nothing was written: " + String.join(", ", other.requiredBy()) + " needs " + other.pinned()
                            + ", and " + String.join(", ", one.requiredBy()) + " needs " + one.pinned()
                            + "; add " + one.wish().bundle() + " itself in a version that fits both",
                    SheafException.Answer.none("versions-differ"));
        }
        needed.merge(one.wish().bundle().toString(), one, Needed::with);
    }

    /// Returns who requires a bundle; empty if nobody does.
    Set<String> requiredBy(RepositoryName bundle) {
        return Optional.ofNullable(needed.get(bundle.toString()))
                .map(Needed::requiredBy)
                .orElse(Set.of());
    }

    /// Returns what is needed and not wanted itself.
    List<Needed> besides(Collection<WantedBundle> wishes) {
        var wanted = new TreeMap<String, WantedBundle>();
        wishes.forEach(wish -> wanted.put(wish.bundle().toString(), wish));
        var rest = new ArrayList<Needed>();
        for (Map.Entry<String, Needed> one : needed.entrySet()) {
            if (!wanted.containsKey(one.getKey())) {
                rest.add(one.getValue());
            }
        }
        return rest;
    }

    /// Tells of a bundle that is installed for others.
    void tell(Needed one, @Nullable LockedBundle old) {
        if (old == null || !old.manifest().equals(one.pinned().manifest())) {
            String range = one.wish().range() instanceof VersionSelector.Default
                    ? ""
                    : " (" + one.wish().range() + ")";
            progress.notice(one.pinned() + " is installed too: "
                    + ErrorResponses.showable(String.join(", ", one.requiredBy())) + " requires it" + range);
        }
    }
}
