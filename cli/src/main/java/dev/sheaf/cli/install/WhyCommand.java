package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.client.Installation;
import dev.sheaf.client.agents.InstalledBundle;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.SheafException;
import java.util.List;

/// The command `sheaf why`.
public final class WhyCommand extends ProjectCommand {
    private final RequiredValue<String> name = argument("NAME", "Such as pdf-forms or agents/reviewer.");

    public WhyCommand(Connection connection) {
        super(connection, "why", "Shows which bundle a skill comes from, and why it is installed.");
    }

    /// The JSON of an answer.
    record Shown(
            String name,
            String bundle,
            String registry,
            String version,
            String digest,
            String range,
            boolean named,
            List<String> agents,
            List<String> places) {}

    @Override
    ExitCode run(Installation installation) {
        var thing = ThingName.parse(name.get());
        var owner = installation.list().stream()
                .filter(installed -> installed.things().containsKey(thing))
                .findFirst()
                .orElseThrow(() -> new SheafException.NotFound(
                        thing + " is not installed here; sheaf list shows what is installed",
                        SheafException.Answer.NONE));
        var wish = installation.wanted().stream()
                .filter(one -> one.bundle().equals(owner.bundle()))
                .findFirst();
        var shown = shown(
                thing,
                owner,
                wish.map(one -> one.things().contains(thing)).orElse(false),
                wish.map(WantedBundle::agents).map(List::copyOf).orElse(List.of()));
        output.one(
                shown,
                shown.bundle(),
                new Summary()
                        .line("bundle", shown.bundle() + " " + shown.version() + " of " + shown.registry())
                        .line("digest", shown.digest())
                        .line("wanted", shown.range() + (shown.named() ? ", by its name" : ", with the whole bundle"))
                        .line("for", shown.agents())
                        .line("in", shown.places()));
        return ExitCode.OK;
    }

    private static Shown shown(ThingName thing, InstalledBundle owner, boolean named, List<String> agents) {
        return new Shown(
                thing.toString(),
                owner.bundle().toString(),
                owner.registry().toString(),
                owner.version().toString(),
                owner.manifest().toString(),
                owner.range(),
                named,
                agents,
                owner.things().getOrDefault(thing, List.of()));
    }
}
