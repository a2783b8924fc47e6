package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.DryRun;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.PublishReport;
import dev.sheaf.model.wire.bundle.PublishRequest;
import dev.sheaf.model.wire.bundle.VersionDetail;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "publish",
        description = "Publishes the registry's draft as one version. Prints the pinned reference.",
        footer = {"", "To publish the files of a directory: sheaf push."})
public final class PublishCommand extends VersionCommands.OfVersion {
    @Option(names = "--tag", paramLabel = "TAG", description = "Move this tag to the version; may be repeated.")
    private List<Tag> tags = new ArrayList<>();

    @Option(names = "--message", paramLabel = "TEXT", description = "What is new in this version.")
    private @Nullable String message;

    @Option(names = "--expect", paramLabel = "VERSION", description = "Publish only if this is the latest version now.")
    private @Nullable Version expected;

    @Option(names = "--dry-run", description = "Show what the registry would publish, and change nothing.")
    private boolean dryRun;

    public PublishCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected boolean ready() {
        version();
        return true;
    }

    @Override
    protected boolean publishes() {
        return true;
    }

    @Override
    protected ExitCode run(SheafClient client) {
        var request = new PublishRequest(
                version().toString(),
                tags.stream().map(Tag::toString).toList(),
                message,
                expected == null ? null : expected.toString(),
                dryRun);
        return dryRun
                ? show(bundle(client).checkPublish(request))
                : show(bundle(client).publish(request));
    }

    private ExitCode show(VersionDetail detail) {
        notes(detail.warnings());
        String pinned = reference.repository() + "@" + detail.ociDigest();
        output.show(detail, shell -> shell.out().println(pinned), () -> List.of(connection.withHost(pinned)));
        output.say("published " + reference.repository() + ":" + Text.showable(detail.version()) + " at "
                + connection.url() + ", "
                + Text.count(detail.manifest().assets().size(), "file") + ", "
                + Text.size(detail.sizeBytes()));
        return ExitCode.OK;
    }

    private ExitCode show(PublishReport report) {
        notes(report.warnings());
        var summary = new Summary()
                .line("version", reference.repository() + ":" + report.version())
                .line("digest", report.ociDigest())
                .line("content", Text.count(report.assetCount(), "file") + ", " + Text.size(report.sizeBytes()))
                .line("outcome", DryRun.sentence(report.outcome()));
        report.problems().forEach(problem -> summary.line("problem", problem.detail()));
        output.one(report, report.outcome(), summary);
        output.say(DryRun.NOTHING_DONE);
        return DryRun.status(
                report.problems().stream().map(PublishReport.Finding::code).toList());
    }

    private void notes(@Nullable List<VersionDetail.Warning> warnings) {
        if (warnings != null) {
            warnings.forEach(
                    warning -> output.say("note: " + Text.showable(warning.logicalPath() + ": " + warning.detail())));
        }
    }
}
