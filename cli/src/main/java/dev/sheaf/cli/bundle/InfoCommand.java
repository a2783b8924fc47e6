package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.TagStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "info", description = "Describes a bundle.")
public final class InfoCommand extends RegistryCommand {
    @Parameters(paramLabel = "BUNDLE", description = "namespace/bundle.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private RepositoryName bundle;

    public InfoCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected ExitCode run(SheafClient client) {
        var info = client.bundle(bundle).info();
        var latest = client.bundle(bundle).tags().list().stream()
                .filter(tag -> tag.name().equals(Tag.LATEST.value()))
                .findFirst()
                .map(TagStatus::version)
                .orElse(null);
        output.one(
                info,
                info.ref(),
                new Summary()
                        .line("bundle", info.ref())
                        .line("name", info.name())
                        .line("about", info.description())
                        .line("latest", latest)
                        .line("highest", info.latestVersion())
                        .line("versions", info.versionCount())
                        .line("visibility", info.visibility())
                        .line("license", info.license())
                        .line("keywords", info.keywords())
                        .line("repository", info.repositoryUrl())
                        .line("homepage", info.homepageUrl())
                        .line("created", info.createdAt())
                        .line("deprecated", sentence(info.deprecation())));
        return ExitCode.OK;
    }

    private static @Nullable String sentence(Resolution.@Nullable Deprecation deprecation) {
        if (deprecation == null) {
            return null;
        }
        String message = deprecation.message().isBlank() ? "yes" : deprecation.message();
        return Text.withReplacement(message, deprecation.replacement());
    }
}
