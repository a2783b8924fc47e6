package dev.sheaf.cli.command;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;

/// The bundle that was probably meant by a name that there is not.
public final class NearBundle {
    private static final int MOST = 100;

    private NearBundle() {}

    /// Asks the registry that the command asked for its names: those in the namespace, and public ones of that name
    /// elsewhere. Empty where that fails, which is not what the failure is about.
    public static Optional<String> of(CommandLine command, RepositoryName typed) {
        if (!(command.getMixins().get("connection") instanceof Connection connection)) {
            return Optional.empty();
        }
        try (var client = connection.open()) {
            String slug = typed.bundle().value();
            var here = client.bundles(typed.namespace(), "", MOST).stream()
                    .map(bundle -> String.valueOf(bundle.slug()))
                    .toList();
            var near = Nearest.of(slug, here).map(name -> typed.namespace() + "/" + name);
            return near.isPresent() ? near : elsewhere(client.hub().names(slug, MOST), typed);
        } catch (SheafException | ProblemException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> elsewhere(List<String> names, RepositoryName typed) {
        return Nearest.of(typed.toString(), names)
                .or(() -> names.stream()
                        .filter(name -> name.endsWith("/" + typed.bundle()))
                        .findFirst());
    }
}
