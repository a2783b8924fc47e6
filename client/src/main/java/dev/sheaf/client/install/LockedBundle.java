package dev.sheaf.client.install;

import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.folder.PathState;
import dev.sheaf.client.pull.PartFetch;
import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// An installed bundle: an entry of the lock. Immutable.
///
/// @param range the range that was wanted when the bundle was locked
/// @param requiredBy the bundles that require it, as `namespace/bundle`; empty if it is only wanted itself
record LockedBundle(
        RegistryUrl registry,
        RepositoryName bundle,
        VersionSelector range,
        Version version,
        Digest manifest,
        SortedMap<ThingName, Placed> things,
        SortedSet<String> requiredBy) {
    /// A thing and its places. If it is linked, the first place contains the files and the others are links to
    /// it.
    record Placed(BundlePart thing, SortedSet<String> places, boolean link) {
        Placed {
            places = Collections.unmodifiableSortedSet(new TreeSet<>(places));
        }

        /// Returns the places for a thing.
        static SortedSet<String> places(WantedBundle wish, InstallLevel level, BundlePart thing) {
            var places = Agents.places(wish.agents(), level, thing.name());
            places.removeIf(place -> !thing.fits(place));
            return places;
        }

        /// Returns whether to write one copy of the thing and links to it. The entry of a server cannot be a
        /// link.
        static boolean isLinked(WantedBundle wish, BundlePart thing, Collection<String> places) {
            return wish.link() && places.size() > 1 && !thing.isServer();
        }

        /// Returns the wanted state of each path.
        Map<String, PathState> standings() {
            var standings = new TreeMap<String, PathState>();
            for (String place : places) {
                if (thing.isServer()) {
                    standings.put(place, new PathState.File(thing.entry(Agents.form(place)), null));
                } else if (isLink(place)) {
                    standings.put(place, new PathState.Link(relative(place, places.first())));
                } else {
                    thing.files()
                            .forEach((inside, piece) -> standings.put(
                                    BundlePart.file(place, inside),
                                    new PathState.File(piece.digest(), piece.executable())));
                }
            }
            return standings;
        }

        /// Returns whether there is a link at this place.
        boolean isLink(String place) {
            return link && !place.equals(places.first());
        }

        /// Returns the relative path from the folder of one place to another place.
        private static String relative(String from, String to) {
            return "../".repeat((int) from.chars().filter(c -> c == '/').count()) + to;
        }
    }

    LockedBundle {
        things = Collections.unmodifiableSortedMap(new TreeMap<>(things));
        requiredBy = Collections.unmodifiableSortedSet(new TreeSet<>(requiredBy));
    }

    /// Creates an entry for these things of a version.
    ///
    /// @param things the things with their places; each has at least one place
    static LockedBundle of(WantedBundle wish, Version version, Digest manifest, Collection<Placed> things) {
        var sorted = new TreeMap<ThingName, Placed>();
        things.forEach(placed -> sorted.put(placed.thing().name(), placed));
        return new LockedBundle(
                wish.registry(), wish.bundle(), wish.range(), version, manifest, sorted, new TreeSet<>());
    }

    /// Returns the entry with some of its things.
    LockedBundle only(Predicate<ThingName> which) {
        var some = new TreeMap<>(things);
        some.keySet().removeIf(which.negate());
        return new LockedBundle(registry, bundle, range, version, manifest, some, requiredBy);
    }

    /// Returns the entry with these bundles that require it.
    LockedBundle requiredBy(Collection<String> others) {
        return new LockedBundle(registry, bundle, range, version, manifest, things, new TreeSet<>(others));
    }

    PartFetch.Pinned pinned() {
        return new PartFetch.Pinned(bundle, version, manifest);
    }

    /// Returns its folder as a plugin; empty if it is not installed as one.
    Optional<Placed> plugin() {
        return things.values().stream()
                .filter(placed -> placed.thing().isPlugin())
                .findFirst();
    }

    /// Returns the wanted state of each path.
    SortedMap<String, PathState> standings() {
        var standings = new TreeMap<String, PathState>();
        things.values().forEach(placed -> standings.putAll(placed.standings()));
        return standings;
    }

    /// Returns whether the version was locked for this wish.
    boolean isOf(WantedBundle wish) {
        return registry.equals(wish.registry()) && range.equals(wish.range());
    }

    /// Returns whether this satisfies the wish, as far as this is known without the registry.
    boolean satisfies(WantedBundle wish, InstallLevel level) {
        return isOf(wish)
                && (wish.things().isEmpty() || things.keySet().equals(wish.things()))
                && things.values().stream()
                        .allMatch(placed -> placed.link() == Placed.isLinked(wish, placed.thing(), placed.places())
                                && placed.places().equals(Placed.places(wish, level, placed.thing())));
    }
}
