package dev.sheaf.cli.install;

import dev.sheaf.cli.command.BundleSelection;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.SimilarNames;
import dev.sheaf.client.Installation;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.InstalledBundle;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import java.util.List;
import java.util.Optional;

/// The command `sheaf remove`.
public final class RemoveCommand extends ProjectCommand {
    private final OptionalValue<BundleSelection> picked =
            optionalArgument(BundleSelection.class, "BUNDLE", "namespace/bundle[#skill,...], as shown by sheaf list.");
    private final FlagOption recalled = flag(
            "--recalled",
            "Remove all bundles whose installed version is recalled, and those that require them, instead of a BUNDLE.");
    private final FlagOption purgeData =
            flag("--purge-data", "Also remove the data that a plugin keeps, which otherwise stays. Only with --user.");
    private final InstallFlags flags = InstallFlags.of(this);

    public RemoveCommand(Connection connection) {
        super(connection, "remove", "Removes an installed bundle, or some of its skills. Files that you changed stay.");
        setAliases("rm");
    }

    @Override
    ExitCode run(Installation installation) {
        var selection = picked.get();
        refuse((selection == null) != recalled.isGiven(), "name a BUNDLE to remove, or give --recalled");
        if (selection == null) {
            return removeRecalled(installation);
        }
        var bundle = selection.reference().repository();
        var names = installation.wanted().stream()
                .map(wish -> wish.bundle().toString())
                .toList();
        if (!names.contains(bundle.toString()) && !isRequired(installation, bundle)) {
            throw new SheafException.NotFound(
                    bundle + " is not installed here"
                            + near(bundle, names)
                                    .map(name -> "; did you mean " + name + "?")
                                    .orElse("")
                            + (names.isEmpty() ? "; nothing is" : "; to see what is installed: sheaf list"),
                    SheafException.Answer.NONE);
        }
        if (purgeData.isGiven() && project.level() == InstallLevel.PROJECT) {
            throw Problem.invalid("format", "--purge-data needs --user: plugins in a project keep no data");
        }
        return show(installation.remove(bundle, selection.things(), options()));
    }

    private static boolean isRequired(Installation installation, RepositoryName bundle) {
        return installation.list().stream().anyMatch(one -> one.bundle().equals(bundle));
    }

    private InstallOptions options() {
        return flags.options(connection.shell()).purgeData(purgeData.isGiven());
    }

    private ExitCode removeRecalled(Installation installation) {
        var bad = installation.list().stream()
                .filter(one -> one.yanked() != null && one.yanked().isRecalled())
                .map(InstalledBundle::bundle)
                .toList();
        if (bad.isEmpty()) {
            output.human("nothing that is installed here is recalled");
        }
        return show(installation.remove(bad, options()));
    }

    private static Optional<String> near(RepositoryName bundle, List<String> names) {
        return SimilarNames.of(bundle.toString(), names)
                .or(() -> names.stream()
                        .filter(name -> name.endsWith("/" + bundle.bundle()))
                        .findFirst());
    }
}
