package dev.sheaf.cli.bundle;

import static java.util.Objects.requireNonNull;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.DryRunResult;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RepeatedValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.Publication;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.PublishReport;
import dev.sheaf.model.wire.bundle.PublishRequest;
import dev.sheaf.model.wire.bundle.VersionDetail;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The command `sheaf publish`.
public final class PublishCommand extends ResourceCommand<SheafClient> {
    private final VersionArgument version = VersionArgument.of(this);
    private final RepeatedValue<Tag> tags =
            options(Tag.class, "--tag", "TAG", "Move this tag to the version; may be repeated.");
    private final OptionalValue<String> message = option("--message", "TEXT", "What is new in this version.");
    private final OptionalValue<Version> expected =
            option(Version.class, "--expect", "VERSION", "Publish only if this is the latest version now.");
    private final FlagOption dryRun = flag("--dry-run", "Show what the registry would publish, and change nothing.");

    public PublishCommand(Connection connection) {
        super(
                connection,
                client -> client,
                "publish",
                "Publishes the registry's draft as one version. Prints the pinned reference.");
        footer("", "To publish the files of a directory: sheaf push.");
        publishes();
        check(version::exact);
        exit(this::publish);
    }

    private ExitCode publish(SheafClient client) {
        var bundle = version.bundle(client);
        var request = new PublishRequest(
                version.exact().toString(),
                tags.get().stream().map(Tag::toString).toList(),
                message.get(),
                expected.isGiven() ? String.valueOf(expected.get()) : null,
                dryRun.isGiven());
        return dryRun.isGiven() ? show(bundle.checkPublish(request)) : show(bundle.publish(request));
    }

    private ExitCode show(Publication publication) {
        var held = publication.held();
        return held == null ? show(requireNonNull(publication.version())) : HeldReview.show(held, output);
    }

    private ExitCode show(VersionDetail detail) {
        notes(detail.warnings());
        String pinned = version.repository() + "@" + detail.ociDigest();
        output.show(detail, shell -> shell.out().println(pinned), () -> List.of(connection.withHost(pinned)));
        output.say("published " + version.repository() + ":" + TextFormat.showable(detail.version()) + " at "
                + connection.url() + ", "
                + TextFormat.count(detail.manifest().assets().size(), "file") + ", "
                + TextFormat.size(detail.sizeBytes()));
        return ExitCode.OK;
    }

    private ExitCode show(PublishReport report) {
        notes(report.warnings());
        var summary = new Summary()
                .line("version", version.repository() + ":" + report.version())
                .line("digest", report.ociDigest())
                .line(
                        "content",
                        TextFormat.count(report.assetCount(), "file") + ", " + TextFormat.size(report.sizeBytes()))
                .line("outcome", DryRunResult.sentence(report.outcome()));
        if (report.wouldBeHeld()) {
            summary.line("review", "it would wait for approval");
        }
        report.findings().forEach(finding -> summary.line("finding", finding.sentence()));
        report.problems().forEach(problem -> summary.line("problem", problem.detail()));
        output.one(report, report.outcome(), summary);
        output.say(DryRunResult.NOTHING_DONE);
        return DryRunResult.status(
                report.problems().stream().map(PublishReport.Finding::code).toList());
    }

    private void notes(@Nullable List<VersionDetail.Warning> warnings) {
        if (warnings != null) {
            warnings.forEach(warning ->
                    output.say("note: " + TextFormat.showable(warning.logicalPath() + ": " + warning.detail())));
        }
    }
}
