package dev.sheaf.client.install;

import dev.sheaf.client.agents.Agent;
import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.ServerForm;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.client.pull.PartFetch;
import dev.sheaf.model.text.Quoted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Says what of a plugin is not installed, and why.
record PluginNotice(
        WantedBundle wish, InstallLevel level, PartFetch.Pinned pinned, BundleParts things, Progress progress) {
    private static final int NAMED = 5;

    /// Says that the plugin is left out, because nobody allowed it.
    void leftOut() {
        var servers = things.plugin().servers();
        var named = servers.things().values().stream()
                .limit(NAMED)
                .map(server -> server.name() + " ("
                        + Quoted.line(servers.words().getOrDefault(server, ""), McpServers.LINE) + ")")
                .collect(Collectors.toCollection(ArrayList::new));
        if (servers.things().size() > NAMED) {
            named.add("and " + (servers.things().size() - NAMED) + " more");
        }
        progress.notice(pinned + " is a plugin. Its folder"
                + (named.isEmpty() ? " is" : " and its servers are") + " left out, because programs run what is there"
                + " by themselves" + (named.isEmpty() ? "" : ": " + String.join(", ", named)) + ". To install "
                + (named.isEmpty() ? "it" : "them") + " too: " + command(List.of()) + " --allow-exec");
    }

    /// Says which programs do not get its servers.
    void tell() {
        var without = new TreeSet<String>();
        var servers = new TreeSet<ThingName>();
        for (var thing : things.things().values()) {
            if (!thing.isServer() || !wish.wants(thing.name())) {
                continue;
            }
            var replacing = new TreeMap<String, String>();
            for (var agent : wish.agents().stream().map(Agents::named).toList()) {
                var place = agent.place(level, thing.name());
                if (place.isPresent() && !thing.fits(place.get())) {
                    replacing.put(agent.name(), replaced(thing, agent.form()));
                } else if (place.isEmpty() && things.plugin().has(thing.name()) && isProgram(agent)) {
                    without.add(agent.name());
                    servers.add(thing.name());
                }
            }
            if (!replacing.isEmpty()) {
                progress.notice(thing.name() + " of " + pinned + " is left out for "
                        + String.join(", ", replacing.keySet()) + ": a part of its entry would be replaced there, "
                        + Quoted.of(replacing.firstEntry().getValue()));
            }
        }
        if (!without.isEmpty()) {
            progress.notice(joined(servers) + " of " + pinned + (servers.size() == 1 ? " is" : " are")
                    + " left out for " + String.join(", ", without)
                    + ": sheaf does not write into their settings for servers"
                    + (level == InstallLevel.USER ? " of a user" : " of a project"));
        }
    }

    /// Returns whether it is a program that starts servers, and not a folder that many read.
    private static boolean isProgram(Agent agent) {
        return !agent.id().equals("agents");
    }

    private String replaced(BundlePart server, ServerForm form) {
        return things.replaced().getOrDefault(server.name(), Map.of()).getOrDefault(form, "");
    }

    /// Refuses servers without the folder that they need.
    ///
    /// @throws SheafException.InvalidRequest if the folder is not selected with them
    void check(Collection<LockedBundle.Placed> placed) {
        var folder = things.plugin().folder();
        var selected = placed.stream().map(one -> one.thing().name()).collect(Collectors.toCollection(TreeSet::new));
        var alone = new TreeSet<>(things.plugin().local());
        alone.retainAll(selected);
        if (folder != null && !alone.isEmpty() && selected.add(folder.name())) {
            throw new SheafException.InvalidRequest(joined(alone) + " of " + pinned + " cannot run without "
                    + folder.name() + ", the folder of the plugin. Nothing was written; select both or neither: "
                    + command(selected));
        }
    }

    private String command(Collection<ThingName> selected) {
        return "sheaf add "
                + ShellWord.of(wish.reference()
                        + (selected.isEmpty() ? "" : "#" + joined(selected).replace(", ", ",")))
                + (level == InstallLevel.USER ? " --user" : "");
    }

    private static String joined(Collection<ThingName> names) {
        return names.stream().map(ThingName::toString).collect(Collectors.joining(", "));
    }
}
