package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.Bundle;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Tag;
import dev.sheaf.model.YankReason;
import dev.sheaf.model.wire.bundle.TagStatus;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Commands that change the state of a published version, or of a whole bundle.
public final class VersionCommands {
    private VersionCommands() {}

    public static CliCommand yank(Connection connection) {
        var command =
                ResourceCommand.of(connection, "yank", "Withdraws a version: only pinned references still get it.");
        var version = VersionArgument.of(command);
        var reason = command.option("--reason", "TEXT", "Why, in a sentence.");
        var code =
                command.option(YankReason.class, "--code", "CODE", "broken, security, license, accidental or other.");
        var replacement = command.option("--replacement", "TEXT", "What to use instead.");
        return command.confirm(() -> "yank " + version.repository() + ":" + version.exact() + command.at())
                .run(client -> {
                    var bundle = version.bundle(client);
                    var output = command.output;
                    var there = bundle.tags().list().stream()
                            .filter(tag -> version.exact().toString().equals(tag.version()))
                            .map(TagStatus::name)
                            .toList();
                    String undo = "sheaf unyank " + version + connection.typed();
                    output.done(
                            bundle.yank(version.exact(), reason.get(), code.get(), replacement.get()),
                            version,
                            "yanked " + version + "; to undo this: " + undo);
                    String other = replacement.get();
                    if (other != null && isMissing(client, other)) {
                        output.note("the replacement " + other + " does not exist" + command.at()
                                + ", or not for you; to name another: " + undo + ", then yank it again");
                    }
                    if (!there.isEmpty()) {
                        var now = bundle.tags().list().stream()
                                .collect(Collectors.toMap(TagStatus::name, Function.identity()));
                        there.forEach(name -> output.say("note: the tag " + name + moved(now.get(name))));
                        if (there.stream().anyMatch(name -> !name.equals(Tag.LATEST.toString()))) {
                            output.say("note: an unyank does not move tags back, except latest");
                        }
                    }
                });
    }

    /// Returns whether a replacement reads as a reference, and the registry does not know it.
    private static boolean isMissing(SheafClient client, String replacement) {
        try {
            client.resolve(Reference.parse(replacement));
            return false;
        } catch (SheafException.NotFound e) {
            return true;
        } catch (ProblemException | SheafException e) {
            return false; // a text, or unknown; the yank is done
        }
    }

    private static String moved(@Nullable TagStatus tag) {
        return tag == null || tag.version() == null
                ? " is removed: there is no lower version that it can move to"
                : " points to " + tag.version() + " now";
    }

    public static CliCommand unyank(Connection connection) {
        var command = ResourceCommand.of(
                connection, "unyank", "Undoes a yank. Tags that left the version stay where they are.");
        var version = VersionArgument.of(command);
        return changed(
                command, version, bundle -> bundle.unyank(version.exact()), () -> version + " is not yanked now");
    }

    public static CliCommand deprecate(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                "deprecate",
                "Advises against a version or a bundle, which still works. A REF without a version means the whole "
                        + "bundle.");
        var version = VersionArgument.of(command);
        var message = command.option("--message", "TEXT", "Why, in a sentence.");
        var replacement = command.option("--replacement", "TEXT", "What to use instead.");
        return changed(
                command,
                version,
                bundle -> version.isWholeBundle()
                        ? bundle.deprecate(message.get(), replacement.get())
                        : bundle.deprecate(version.exact(), message.get(), replacement.get()),
                () -> version + " is deprecated; to undo this: sheaf undeprecate " + version + connection.typed());
    }

    public static CliCommand undeprecate(Connection connection) {
        var command =
                ResourceCommand.of(connection, "undeprecate", "Removes the advice against a version or a bundle.");
        var version = VersionArgument.of(command);
        return changed(
                command,
                version,
                bundle -> version.isWholeBundle() ? bundle.undeprecate() : bundle.undeprecate(version.exact()),
                () -> version + " is no longer deprecated");
    }

    private static CliCommand changed(
            ResourceCommand<SheafClient> command,
            VersionArgument version,
            Function<Bundle, Object> change,
            Supplier<String> sentence) {
        return command.change(client -> change.apply(version.bundle(client)), _ -> version, _ -> sentence.get());
    }

    public static CliCommand delete(Connection connection) {
        var command = ResourceCommand.of(
                        connection,
                        "delete",
                        "Deletes a version for good, or a whole bundle. A bundle (a REF without a version) can be "
                                + "restored for 30 days.")
                .footer(
                        "",
                        "The number of a deleted version is never used again. To withdraw a version but keep it for users "
                                + "who pinned it: sheaf yank.");
        var version = VersionArgument.of(command);
        var reason = command.option(
                "--reason",
                "TEXT",
                "The reason. Required if others downloaded it, or a version is older than 72 hours.");
        var purge = command.flag(
                "--purge", "Remove a version's bytes immediately, for content that should never have been published.");
        var force = command.flag(
                "--force",
                "Delete it even if published versions of your organization need it. Without this, it is"
                        + " refused once a version is older than 72 hours.");
        return command.check(() -> command.refuse(
                        purge.isGiven() && (version.isWholeBundle() || !reason.isGiven()),
                        "--purge is for one version, with a --reason: sheaf delete " + version.repository()
                                + ":1.2.3 --purge --reason TEXT"))
                .confirm(() -> (version.isWholeBundle()
                                ? "delete the bundle " + version.repository() + " with all its versions"
                                : "delete " + version.repository() + ":" + version.exact() + " for good")
                        + command.at())
                .run(client -> {
                    var bundle = version.bundle(client);
                    if (version.isWholeBundle()) {
                        warn(bundle.delete(reason.get(), force.isGiven()), command);
                        command.removed(
                                version.toString(),
                                "deleted " + version + "; an admin can restore it within 30 days: sheaf restore "
                                        + version + connection.typed());
                    } else if (purge.isGiven()) {
                        purge(bundle, version, reason.or(""), command);
                    } else {
                        warn(bundle.delete(version.exact(), reason.get(), force.isGiven()), command);
                        command.removed(version.toString(), "deleted " + version);
                    }
                });
    }

    private static void warn(List<String> warnings, ResourceCommand<SheafClient> command) {
        warnings.forEach(warning -> command.output.note(TextFormat.showable(warning)));
    }

    private static void purge(
            Bundle bundle, VersionArgument version, String reason, ResourceCommand<SheafClient> command) {
        var report = bundle.purge(version.exact(), reason);
        report.kept()
                .forEach(kept -> command.output.say(TextFormat.showable("note: " + kept.digest()
                        + " stays, since it is needed by " + String.join(", ", kept.holders()))));
        command.output.done(
                report,
                version,
                "purged " + version + ": " + TextFormat.count(report.removed().size(), "blob") + " removed");
    }
}
