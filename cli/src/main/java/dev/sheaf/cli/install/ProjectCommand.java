package dev.sheaf.cli.install;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.Installation;
import dev.sheaf.client.agents.ContentKind;
import dev.sheaf.client.agents.InstallChange;
import dev.sheaf.client.agents.InstallReport;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.YankedBundle;
import dev.sheaf.client.api.Progress.Step;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A command about what is installed in a project. The project's files name the registries.
abstract class ProjectCommand extends CliCommand {
    private static final int MOST_NAMED = 20;

    final Connection connection;
    final Output output;
    final Project project = new Project(this);

    ProjectCommand(Connection connection, String name, String description) {
        super(name, description);
        this.connection = use(connection);
        this.output = use(connection.output());
        setWork(() -> {
            try (var open = new Project.Open(project, connection, output);
                    var _ = output.whenStopped(ProjectCommand::stateAfter)) {
                return run(open.installation());
            }
        });
    }

    /// Does the work.
    abstract ExitCode run(Installation installation);

    /// Describes the state that a stopped command leaves.
    private static String stateAfter(Step step) {
        return switch (step) {
            case PREPARING -> "nothing was changed; run the same command again to continue";
            case CHANGING -> "files here may be old or new; the next sheaf install completes the change";
            case CHANGED -> "everything is in place";
        };
    }

    /// The JSON of a report.
    record Shown(List<ShownChange> changes, int filesWritten, List<String> kept, List<ShownVersion> yanked) {
        record ShownVersion(
                String bundle,
                String version,
                String reason,
                @Nullable String replacement,
                @Nullable String severity) {}

        record ShownChange(
                String bundle,
                @Nullable String from,
                @Nullable String to,
                List<String> added,
                List<String> changed,
                List<String> removed) {}

        static Shown of(InstallReport report) {
            return new Shown(
                    report.changes().stream()
                            .map(change -> new ShownChange(
                                    change.bundle().toString(),
                                    change.from() == null ? null : change.from().toString(),
                                    change.to() == null ? null : change.to().toString(),
                                    names(change.added()),
                                    names(change.changed()),
                                    names(change.removed())))
                            .toList(),
                    report.written(),
                    report.kept(),
                    report.yanked().stream()
                            .map(one -> new ShownVersion(
                                    one.bundle().toString(),
                                    one.version().toString(),
                                    one.reason(),
                                    one.replacement(),
                                    one.severity() == null
                                            ? null
                                            : one.severity().toString()))
                            .toList());
        }

        private static List<String> names(List<ThingName> things) {
            return things.stream().map(ThingName::toString).toList();
        }
    }

    /// Reports the changes: one line for each changed bundle.
    final ExitCode show(InstallReport report) {
        output.show(
                Shown.of(report),
                shell -> report.changes().forEach(change -> shell.say(sentence(change))),
                () -> report.changes().stream().map(InstallChange::bundle).toList());
        output.human(
                report.changes().isEmpty() && report.written() == 0
                        ? "nothing to do"
                        : written(report.written() - report.removed(), report.removed(), report.places()));
        boolean isRecalled = report.yanked().stream().anyMatch(YankedBundle::isRecalled);
        return isRecalled ? ExitCode.RECALLED : ExitCode.OK;
    }

    private static String written(int written, int removed, List<String> places) {
        String wrote = "wrote " + TextFormat.count(written, "file")
                + (places.isEmpty() ? "" : " in " + String.join(", ", places));
        return removed == 0
                ? wrote
                : written == 0 ? "removed " + TextFormat.count(removed, "file") : wrote + ", removed " + removed;
    }

    private static String sentence(InstallChange change) {
        if (change.from() == null) {
            return "added " + change.bundle() + " " + change.to() + ": " + list(change.added());
        }
        if (change.to() == null) {
            return "removed " + change.bundle() + " " + change.from() + ": " + list(change.removed());
        }
        boolean same = change.from().equals(change.to());
        var parts = new java.util.ArrayList<String>();
        if (!change.added().isEmpty()) {
            parts.add("new " + list(change.added()));
        }
        if (!change.changed().isEmpty()) {
            parts.add("changed " + list(change.changed()));
        }
        if (!change.removed().isEmpty()) {
            parts.add("removed " + list(change.removed()));
        }
        return "updated " + change.bundle() + " " + (same ? "" : change.from() + " -> ") + change.to()
                + (parts.isEmpty() ? "" : ": " + String.join("; ", parts));
    }

    private static String list(List<ThingName> things) {
        String named =
                things.stream().limit(MOST_NAMED).map(ThingName::toString).collect(Collectors.joining(", "));
        if (things.size() == 1) {
            return named;
        }
        long skills = things.stream()
                .filter(thing -> thing.kind() == ContentKind.SKILL)
                .count();
        String count = skills == 0
                ? TextFormat.count(things.size(), "thing")
                : TextFormat.count(skills, "skill")
                        + (skills == things.size() ? "" : " and " + TextFormat.count(things.size() - skills, "other"));
        return count + " (" + named
                + (things.size() > MOST_NAMED ? " and " + (things.size() - MOST_NAMED) + " more" : "") + ")";
    }
}
