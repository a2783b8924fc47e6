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
import org.jspecify.annotations.Nullable;

/// The command `sheaf why`.
public final class WhyCommand extends ProjectCommand {
    private final RequiredValue<String> name = argument("NAME", "Such as pdf-forms or agents/reviewer; or a bundle.");

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
            List<String> requiredBy,
            List<String> agents,
            List<String> places) {}

    @Override
    ExitCode run(Installation installation) {
        var installed = installation.list();
        var bundle = installed.stream()
                .filter(one -> one.bundle().toString().equals(name.get()))
                .findFirst();
        var thing = bundle.isPresent() ? null : ThingName.parse(name.get());
        var owner = bundle.or(() -> installed.stream()
                        .filter(one -> one.things().containsKey(thing))
                        .findFirst())
                .orElseThrow(() -> new SheafException.NotFound(
                        name.get() + " is not installed here; sheaf list shows what is installed",
                        SheafException.Answer.NONE));
        var wish = installation.wanted().stream()
                .filter(one -> one.bundle().equals(owner.bundle()))
                .findFirst();
        var shown = shown(
                thing,
                owner,
                wish.map(one -> thing != null && one.things().contains(thing)).orElse(false),
                wish.map(WantedBundle::agents).map(List::copyOf).orElse(List.of()));
        output.one(
                shown,
                shown.bundle(),
                new Summary()
                        .line("bundle", shown.bundle() + " " + shown.version() + " of " + shown.registry())
                        .line("digest", shown.digest())
                        .line("wanted", wish.isEmpty() ? "no" : shown.range() + ", " + how(shown))
                        .line("required by", shown.requiredBy())
                        .line("for", shown.agents())
                        .line("in", shown.places()));
        return ExitCode.OK;
    }

    private String how(Shown shown) {
        return shown.named()
                ? "by its name"
                : shown.name().equals(shown.bundle()) ? "all of it" : "with the whole bundle";
    }

    private static Shown shown(@Nullable ThingName thing, InstalledBundle owner, boolean named, List<String> agents) {
        return new Shown(
                thing == null ? owner.bundle().toString() : thing.toString(),
                owner.bundle().toString(),
                owner.registry().toString(),
                owner.version().toString(),
                owner.manifest().toString(),
                owner.range(),
                named,
                List.copyOf(owner.requiredBy()),
                agents,
                thing == null
                        ? owner.things().values().stream()
                                .flatMap(List::stream)
                                .distinct()
                                .sorted()
                                .toList()
                        : owner.things().getOrDefault(thing, List.of()));
    }
}
