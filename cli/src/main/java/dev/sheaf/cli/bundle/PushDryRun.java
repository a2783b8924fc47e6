package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.DryRunResult;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.PushPlan;
import dev.sheaf.client.api.Pushed;
import dev.sheaf.client.bundle.BundleSource;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.Tag;
import java.util.List;
import java.util.Locale;

/// Prints the result of `sheaf push --dry-run`.
final class PushDryRun {
    private PushDryRun() {}

    /// The JSON of the plan.
    record Shown(
            String reference,
            String version,
            String digest,
            String outcome,
            String visibility,
            boolean newBundle,
            List<String> tags,
            String route,
            long sizeBytes,
            List<ShownAsset> files,
            List<Left> leftOut,
            List<Problem> problems,
            List<String> warnings) {
        record Problem(String code, String message) {}

        record Left(String path, String by) {}

        static Shown of(PushPlan plan, BundleSource source) {
            return new Shown(
                    plan.repository() + ":" + plan.version(),
                    plan.version().toString(),
                    plan.manifestDigest().toString(),
                    word(plan.outcome()),
                    plan.visibility().toString(),
                    plan.newBundle(),
                    plan.tags().stream().map(Tag::toString).toList(),
                    word(plan.route()),
                    plan.sizeBytes(),
                    plan.files().stream().map(ShownAsset::of).toList(),
                    source.leftOut().stream()
                            .map(file -> new Left(file.path(), file.by()))
                            .toList(),
                    plan.problems().stream()
                            .map(problem -> new Problem(problem.code(), problem.detail()))
                            .toList(),
                    plan.warnings());
        }
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /// @param oci whether the push was asked to go file by file
    static ExitCode show(PushPlan plan, BundleSource source, boolean oci, Connection connection) {
        var output = connection.output();
        output.show(
                Shown.of(plan, source),
                shell -> print(plan, oci, shell),
                () -> List.of(connection.withHost(plan.repository() + "@" + plan.manifestDigest())));
        plan.warnings().forEach(warning -> output.note(warning));
        plan.problems().forEach(problem -> output.fail(problem.detail()));
        output.say(DryRunResult.NOTHING_DONE);
        return DryRunResult.status(
                plan.problems().stream().map(FieldError::code).toList());
    }

    private static void print(PushPlan plan, boolean oci, Shell shell) {
        String why = oci ? "as --oci asks" : "because it is too large for one request";
        new Summary()
                .line("version", plan.repository() + ":" + plan.version())
                .line("digest", plan.manifestDigest())
                .line("bundle", (plan.newBundle() ? "new, " : "") + plan.visibility())
                .line("tags", plan.tags().stream().map(Tag::toString).toList())
                .line(
                        "content",
                        TextFormat.count(plan.files().size(), "file") + ", " + TextFormat.size(plan.sizeBytes()))
                .line("upload", plan.route() == Pushed.Route.JSON ? "in one request" : "file by file, " + why)
                .line("outcome", DryRunResult.sentence(word(plan.outcome())))
                .print(shell);
        shell.out().println();
        new Table<Asset>()
                .column("KIND", Asset::type)
                .number("SIZE", file -> TextFormat.size(file.size()))
                .column("DIGEST", Asset::digest)
                .column("FILE", file -> file.path() + ShownAsset.mode(file.executable()))
                .print(shell, plan.files(), "there are no files");
    }
}
