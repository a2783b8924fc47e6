package dev.sheaf.cli.command;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.queue.Queue;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/// Finds names that the user probably meant. Asks the registry of the command for its names; if that fails too,
/// there are no suggestions.
public final class NameSuggestions {
    private static final int MOST = 100;

    private final CommandLine command;

    public NameSuggestions(CommandLine command) {
        this.command = command;
    }

    /// Returns a similar bundle of the same namespace, or a similar public bundle elsewhere.
    public Optional<String> bundle(RepositoryName typed) {
        return ask(client -> {
            String slug = typed.bundle().value();
            var here = client.bundles(typed.namespace(), "", MOST).stream()
                    .map(bundle -> String.valueOf(bundle.slug()))
                    .toList();
            var near = SimilarNames.of(slug, here).map(name -> typed.namespace() + "/" + name);
            return (near.isPresent() ? near : elsewhere(client.hub().names(slug, MOST), typed))
                    .filter(name -> !name.equals(typed.toString())); // it exists, but not for this command
        });
    }

    private static Optional<String> elsewhere(List<String> names, RepositoryName typed) {
        return SimilarNames.of(typed.toString(), names)
                .or(() -> names.stream()
                        .filter(name -> name.endsWith("/" + typed.bundle()))
                        .findFirst());
    }

    /// Returns a similar queue, or the typed one if it exists.
    public Optional<String> queue(String typed) {
        return ask(client -> {
            var slugs = client.queues(organization()).list(null, null).stream()
                    .map(Queue::slug)
                    .toList();
            return SimilarNames.of(typed, slugs);
        });
    }

    private @Nullable String organization() {
        return command.getMixins().get("organization") instanceof OrganizationOption option ? option.value() : null;
    }

    private Optional<String> ask(Function<SheafClient, Optional<String>> question) {
        if (!(command.getMixins().get("connection") instanceof Connection connection)) {
            return Optional.empty();
        }
        try (var client = connection.open()) {
            return question.apply(client);
        } catch (SheafException | ProblemException e) {
            return Optional.empty();
        }
    }
}
