package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.bundle.VersionSummary;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "versions", description = "Lists the versions of a bundle, the highest first.")
public final class VersionsCommand extends RegistryCommand {
    @Parameters(paramLabel = "BUNDLE", description = "namespace/bundle.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private RepositoryName bundle;

    public VersionsCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected ExitCode run(SheafClient client) {
        var versions = client.bundle(bundle).versions(Integer.MAX_VALUE);
        var table = new Table("VERSION", "STATE", "PUBLISHED", "DIGEST", "NOTE");
        versions.forEach(version -> table.row(
                version.version(),
                version.state(),
                Text.time(version.createdAt()),
                orDash(version.ociDigest()),
                note(version)));
        output.list(versions, VersionSummary::version, table, "no version of " + bundle + " is published yet");
        return ExitCode.OK;
    }

    private static String note(VersionSummary version) {
        var advice = version.deprecation();
        if (version.yankReason() != null || advice == null) {
            return version.yankReason() == null ? "" : version.yankReason();
        }
        return "deprecated"
                + (advice.message().isEmpty() ? "" : ": " + advice.message())
                + (advice.replacement() == null ? "" : "; instead: " + advice.replacement());
    }

    private static String orDash(@Nullable String text) {
        return text == null ? "-" : text;
    }
}
