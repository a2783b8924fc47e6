package dev.sheaf.client.install;

import dev.sheaf.client.agents.Change;
import dev.sheaf.client.agents.Installed;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.Yanked;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Computes reports from locks.
final class Changes {
    private Changes() {}

    static Installed installed(Locked entry, @Nullable Yanked yanked) {
        var things = new TreeMap<ThingName, List<String>>();
        entry.things().forEach((name, placed) -> things.put(name, List.copyOf(placed.places())));
        return new Installed(
                entry.registry(),
                entry.bundle(),
                entry.range().toString(),
                entry.version(),
                entry.manifest(),
                yanked,
                things);
    }

    /// Returns the changes from one lock to another.
    static List<Change> between(InstallLock before, InstallLock after) {
        var names = new TreeSet<>(before.entries().keySet());
        names.addAll(after.entries().keySet());
        var changes = new ArrayList<Change>();
        for (String name : names) {
            var from = before.entries().get(name);
            var to = after.entries().get(name);
            if (from != null && to != null && !from.equals(to)) {
                changes.add(of(from, to));
            } else if (from == null && to != null) {
                changes.add(new Change(to.bundle(), null, to.version(), keys(to), List.of(), List.of()));
            } else if (from != null && to == null) {
                changes.add(new Change(from.bundle(), from.version(), null, List.of(), List.of(), keys(from)));
            }
        }
        return changes;
    }

    private static Change of(Locked from, Locked to) {
        return new Change(
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

    private static List<ThingName> keys(Locked entry) {
        return List.copyOf(entry.things().keySet());
    }

    private static List<ThingName> without(List<ThingName> names, Collection<ThingName> others) {
        return names.stream().filter(name -> !others.contains(name)).toList();
    }
}
