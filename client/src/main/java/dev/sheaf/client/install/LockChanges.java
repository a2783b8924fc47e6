package dev.sheaf.client.install;

import dev.sheaf.client.agents.InstallChange;
import dev.sheaf.client.agents.InstalledBundle;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.YankedBundle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Computes reports from locks.
final class LockChanges {
    private LockChanges() {}

    static InstalledBundle installed(LockedBundle entry, @Nullable YankedBundle yanked) {
        var things = new TreeMap<ThingName, List<String>>();
        entry.things().forEach((name, placed) -> things.put(name, List.copyOf(placed.places())));
        return new InstalledBundle(
                entry.registry(),
                entry.bundle(),
                entry.range().toString(),
                entry.version(),
                entry.manifest(),
                yanked,
                entry.requiredBy(),
                things);
    }

    /// Returns the changes from one lock to another.
    static List<InstallChange> between(InstallLock before, InstallLock after) {
        var names = new TreeSet<>(before.entries().keySet());
        names.addAll(after.entries().keySet());
        var changes = new ArrayList<InstallChange>();
        for (String name : names) {
            var from = before.entries().get(name);
            var to = after.entries().get(name);
            if (from != null && to != null && !from.equals(to)) {
                changes.add(of(from, to));
            } else if (from == null && to != null) {
                changes.add(new InstallChange(to.bundle(), null, to.version(), keys(to), List.of(), List.of()));
            } else if (from != null && to == null) {
                changes.add(new InstallChange(from.bundle(), from.version(), null, List.of(), List.of(), keys(from)));
            }
        }
        return changes;
    }

    private static InstallChange of(LockedBundle from, LockedBundle to) {
        return new InstallChange(
                to.bundle(),
                from.version(),
                to.version(),
                without(keys(to), from.things().keySet()),
                keys(to).stream()
                        .filter(name -> from.things().containsKey(name)
                                && !from.things().get(name).equals(to.things().get(name)))
                        .toList(),
                without(keys(from), to.things().keySet()));
    }

    private static List<ThingName> keys(LockedBundle entry) {
        return List.copyOf(entry.things().keySet());
    }

    private static List<ThingName> without(List<ThingName> names, Collection<ThingName> others) {
        return names.stream().filter(name -> !others.contains(name)).toList();
    }
}
