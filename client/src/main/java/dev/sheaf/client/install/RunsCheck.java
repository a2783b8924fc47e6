package dev.sheaf.client.install;

import dev.sheaf.client.agents.ContentKind;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.Reference;
import dev.sheaf.model.skill.AutomaticCommands;
import dev.sheaf.model.skill.AutomaticFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Requires consent before content that runs programs automatically is written for the first time, an option or the
/// answer of a person, and tells what is new of it. The consent is for the content of a whole thing: if one part of it
/// runs programs, each changed file needs consent, because a part that did not change may run or read it.
record RunsCheck(InstallPlan plan, ThingContents contents, InstallOptions options, Progress progress) {
    private static final String CODE = "runs-programs"; // as in warnings of registries
    private static final String REASON = "this runs programs automatically";
    private static final int NAMED = 20; // parts of a thing
    private static final int SCRIPT = 1 << 20; // bytes that are searched for hosts
    private static final int MOST_SCRIPTS = 100;
    private static final Pattern OF_SKILL = Pattern.compile("^skills/[^/]+/"); // in a plugin

    /// The parts of a thing that run programs.
    ///
    /// @param runs descriptions of the parts by file
    /// @param allowed the tools that the agent may use without a question
    /// @param reached the hosts and variables that the parts and the scripts name
    private record Parts(Map<String, List<String>> runs, Set<String> allowed, Set<String> reached) {
        static final Parts NONE = new Parts(Map.of(), Set.of(), Set.of());
    }

    /// @param here the lock as it was last installed here, only to tell what is new
    /// @throws SheafException.NeedsConsent if neither the options nor the person who is asked allow it
    void check(Collection<LockedBundle> entries, InstallLock here) throws IOException {
        var found = new ArrayList<String>();
        var reached = new ArrayList<String>(); // told by the passport too
        var told = new ArrayList<String>();
        var others = new ArrayList<String>();
        for (LockedBundle entry : entries) {
            var running = new TreeSet<ThingName>();
            for (var placed : entry.things().values()) {
                int before = found.size();
                var fresh = plan.fresh(placed);
                if (fresh.isEmpty()) {
                    continue;
                }
                if (placed.thing().isServer()) {
                    found.add(placed.thing().name() + " of " + entry.pinned() + ": "
                            + contents.stock().words(placed.thing()));
                } else {
                    look(here, entry, placed, fresh, found, reached, told);
                }
                if (found.size() > before) {
                    running.add(placed.thing().name());
                }
            }
            others.addAll(others(here, entry, running));
        }
        if (options.allowExec()) {
            found.forEach(what -> progress.notice("runs programs automatically: " + what));
        } else if (!found.isEmpty()) {
            found.addAll(reached);
            if (!options.consent().isGiven(REASON, found)) {
                throw new SheafException.NeedsConsent(REASON, CODE, found, "--allow-exec", others);
            }
        }
        told.forEach(progress::notice);
    }

    /// Returns the commands that install the other things of a bundle without those that run programs.
    private static List<String> others(InstallLock here, LockedBundle entry, Set<ThingName> running) {
        var others = new TreeSet<>(entry.things().keySet());
        others.removeAll(running);
        if (running.isEmpty() || others.isEmpty()) {
            return List.of();
        }
        var bundle = entry.bundle();
        var installed = here.find(bundle).map(known -> known.things().keySet());
        if (installed.isPresent() && installed.get().containsAll(running)) {
            // a bundle that is wanted as a whole stays whole, whatever is added
            return List.of("to go on without it: sheaf remove " + ShellWord.of(bundle + "#" + joined(running))
                    + ", then the same command again");
        }
        String named = others.size() > NAMED ? "NAME,NAME" : joined(others);
        return List.of("to install only the others: "
                + (installed.isPresent() ? "sheaf remove " + bundle + ", then " : "") + "sheaf add "
                + ShellWord.of(new Reference(bundle, entry.range()) + "#" + named));
    }

    private static String joined(Collection<ThingName> things) {
        return things.stream().map(ThingName::toString).collect(Collectors.joining(","));
    }

    private void look(
            InstallLock here,
            LockedBundle entry,
            LockedBundle.Placed placed,
            Set<String> fresh,
            List<String> found,
            List<String> reached,
            List<String> told)
            throws IOException {
        String name = placed.thing().name() + " of " + entry.pinned();
        var old = here.find(entry.bundle())
                .map(known -> known.things().get(placed.thing().name()))
                .orElse(null);
        var before = old == null ? null : parts(old);
        var now = parts(placed);
        if (!now.runs().isEmpty()) {
            found.addAll(lines(name, now, before, fresh));
            reached.addAll(reached(name, now, before));
        }
        var allowed = without(now.allowed(), before == null ? Set.of() : before.allowed());
        if (!allowed.isEmpty()) {
            told.add(name + " lets the agent use without asking: " + String.join(", ", allowed));
        }
    }

    /// Describes the parts that run programs, and marks those that were not there before.
    ///
    /// @param before the parts of what is installed here; null if nothing is
    /// @param fresh the files that are to be written
    private static List<String> lines(String name, Parts now, @Nullable Parts before, Set<String> fresh) {
        var lines = new ArrayList<String>();
        now.runs()
                .forEach((inside, parts) -> parts.forEach(what -> {
                    String mark = before == null
                            ? ""
                            : !before.runs().getOrDefault(inside, List.of()).contains(what)
                                    ? "new: "
                                    : fresh.contains(inside) ? "in a changed file: " : "as before: ";
                    lines.add(mark + name + (AutomaticCommands.isUsual(inside) ? "" : ", " + inside) + ": " + what);
                }));
        lines.sort((one, other) -> Boolean.compare(!one.startsWith("new: "), !other.startsWith("new: ")));
        int more = lines.size() - NAMED;
        if (more > 0) {
            lines.subList(NAMED, lines.size()).clear();
            lines.add(name + ": and " + more + " more parts");
        }
        var others = without(fresh, now.runs().keySet());
        if (before != null && !others.isEmpty()) {
            lines.add(name + ": with it change "
                    + others.stream().limit(NAMED).collect(Collectors.joining(", "))
                    + (others.size() > NAMED ? " and " + (others.size() - NAMED) + " more" : ""));
        }
        return lines;
    }

    private static List<String> reached(String name, Parts now, @Nullable Parts before) {
        var reached = without(now.reached(), before == null ? Set.of() : before.reached());
        return reached.isEmpty()
                ? List.of()
                : List.of((before == null ? "" : "new: ") + name + ": it names " + String.join(", ", reached));
    }

    private static Set<String> without(Set<String> all, Set<String> others) {
        var rest = new TreeSet<>(all);
        rest.removeAll(others);
        return rest;
    }

    private Parts parts(LockedBundle.Placed placed) throws IOException {
        var runs = new TreeMap<String, List<String>>();
        var allowed = new TreeSet<String>();
        for (var file : placed.thing().files().entrySet()) {
            String inside = file.getKey();
            var parts = new ArrayList<String>();
            if (placed.thing().name().kind() == ContentKind.SKILL
                    || placed.thing().isPlugin()) {
                AutomaticFiles.why(inSkill(placed, inside)).ifPresent(why -> parts.add("it " + why));
                if (parts.isEmpty()
                        && AutomaticFiles.isArchive(
                                inside, contents.beginning(placed, file, AutomaticFiles.BEGINNING))) {
                    parts.add("it is an archive under another name, whose content is not checked");
                }
            }
            if (AutomaticCommands.isRead(inside)) {
                var commands = AutomaticCommands.of(contents.text(placed, file, Integer.MAX_VALUE));
                parts.addAll(commands.runs());
                allowed.addAll(commands.allowed());
            }
            if (!parts.isEmpty()) {
                runs.put(inside, List.copyOf(parts));
            }
        }
        return runs.isEmpty() && allowed.isEmpty()
                ? Parts.NONE
                : new Parts(runs, allowed, reached(placed, runs.keySet()));
    }

    /// Returns the path of a file in its skill, if it is in one.
    private static String inSkill(LockedBundle.Placed placed, String inside) {
        return placed.thing().isPlugin() ? OF_SKILL.matcher(inside).replaceFirst("") : inside;
    }

    /// Returns the hosts and variables that these files and the scripts name.
    private Set<String> reached(LockedBundle.Placed placed, Set<String> running) throws IOException {
        var reached = new TreeSet<String>();
        if (running.isEmpty()) {
            return reached;
        }
        int left = MOST_SCRIPTS;
        for (var file : placed.thing().files().entrySet()) {
            boolean isScript = file.getValue().executable() || file.getKey().startsWith("scripts/");
            if ((running.contains(file.getKey()) || isScript) && left-- > 0) {
                reached.addAll(AutomaticCommands.reached(contents.text(placed, file, SCRIPT)));
            }
        }
        return reached;
    }
}
