package dev.sheaf.cli;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.BundleRecord;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "info", description = "Tells what a bundle is.")
final class InfoCommand implements Callable<Integer> {
    @Mixin
    private final Connection connection;

    @Mixin
    private final Output output;

    @Parameters(paramLabel = "BUNDLE", description = "namespace/bundle.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private RepositoryName bundle;

    InfoCommand(Connection connection) {
        this.connection = connection;
        this.output = connection.output();
    }

    @Override
    public Integer call() {
        try (var client = connection.open()) {
            var info = client.bundle(bundle).info();
            output.show(info, shell -> print(info, shell), () -> List.of(info.ref()));
        }
        return ExitCode.OK.status();
    }

    private static void print(BundleRecord info, Shell shell) {
        line(shell, "bundle", info.ref());
        line(shell, "name", info.name());
        line(shell, "about", info.description());
        line(shell, "latest", info.latestVersion());
        line(shell, "versions", info.versionCount());
        line(shell, "visibility", info.visibility());
        line(shell, "license", info.license());
        var keywords = info.keywords();
        line(shell, "keywords", keywords == null || keywords.isEmpty() ? null : String.join(", ", keywords));
        line(shell, "repository", info.repositoryUrl());
        line(shell, "homepage", info.homepageUrl());
        line(shell, "created", info.createdAt());
        var deprecation = info.deprecation();
        if (deprecation != null) {
            String instead = deprecation.replacement() == null ? "" : "; use " + deprecation.replacement();
            line(shell, "deprecated", deprecation.message() + instead);
        }
    }

    private static void line(Shell shell, String label, @Nullable Object value) {
        if (value != null) {
            shell.out().printf("%-10s  %s%n", label, Text.showable(value.toString()));
        }
    }
}
