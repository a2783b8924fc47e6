package dev.sheaf.cli;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.VersionSummary;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "versions", description = "Lists the versions of a bundle, the highest first.")
final class VersionsCommand implements Callable<Integer> {
    @Mixin
    private final Connection connection;

    @Mixin
    private final Output output;

    @Parameters(paramLabel = "BUNDLE", description = "namespace/bundle.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private RepositoryName bundle;

    VersionsCommand(Connection connection) {
        this.connection = connection;
        this.output = connection.output();
    }

    @Override
    public Integer call() {
        try (var client = connection.open()) {
            var versions = client.bundle(bundle).versions(Integer.MAX_VALUE);
            output.show(
                    versions,
                    shell -> print(versions, shell),
                    () -> versions.stream().map(VersionSummary::version).toList());
        }
        return ExitCode.OK.status();
    }

    private static void print(List<VersionSummary> versions, Shell shell) {
        var table = new Table("VERSION", "STATE", "PUBLISHED", "DIGEST", "NOTE");
        versions.forEach(version -> table.row(
                version.version(),
                version.state(),
                version.createdAt().truncatedTo(ChronoUnit.SECONDS),
                version.ociDigest() == null ? "-" : version.ociDigest(),
                version.yankReason() == null ? "" : version.yankReason()));
        table.print(shell, "no version is published yet");
    }
}
