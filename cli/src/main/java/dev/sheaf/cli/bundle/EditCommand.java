package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "edit",
        description = "Changes the description of a bundle. An empty string removes the value.",
        footer = {"", "Example: sheaf edit acme/kit --description 'Skills for Java.' --keyword java --license ''"})
public final class EditCommand extends BundleCommands.OfBundle {
    @Option(names = "--name", paramLabel = "NAME", description = "Display name.")
    private @Nullable String name;

    @Option(names = "--description", paramLabel = "TEXT", description = "One sentence about the bundle.")
    private @Nullable String description;

    @Option(names = "--license", paramLabel = "LICENSE", description = "An SPDX expression, such as Apache-2.0.")
    private @Nullable String license;

    @Option(
            names = "--keyword",
            paramLabel = "WORD",
            description = "A keyword; may be repeated. Replaces the current keywords.")
    private List<String> keywords = new ArrayList<>();

    @Option(names = "--repository", paramLabel = "URL", description = "Address of its source code.")
    private @Nullable String repository;

    @Option(names = "--homepage", paramLabel = "URL", description = "Address of its home page.")
    private @Nullable String homepage;

    @Option(names = "--readme", paramLabel = "FILE", description = "A file in Markdown that becomes its README.")
    private @Nullable Path readme;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    public EditCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected boolean ready() {
        if (changes().isEmpty()) {
            throw new ParameterException(spec.commandLine(), "say what to change: --description TEXT, for example");
        }
        return true;
    }

    @Override
    protected ExitCode run(SheafClient client) {
        var changes = changes();
        var changed = client.bundle(bundle).edit(changes);
        output.done(changed, changed.ref(), "changed in " + changed.ref() + ": " + String.join(", ", changes.keySet()));
        return ExitCode.OK;
    }

    /// Returns the new values by member name of the API. Null removes a value.
    private Map<String, @Nullable Object> changes() {
        var changes = new LinkedHashMap<String, @Nullable Object>();
        put(changes, "name", name);
        put(changes, "description", description);
        put(changes, "license", license);
        put(changes, "repositoryUrl", repository);
        put(changes, "homepageUrl", homepage);
        if (!keywords.isEmpty()) {
            changes.put(
                    "keywords",
                    keywords.stream().filter(word -> !word.isBlank()).toList());
        }
        if (readme != null) {
            changes.put("readmeContent", text(readme));
            changes.put("readmeFormat", "markdown");
        }
        return changes;
    }

    private static void put(Map<String, @Nullable Object> changes, String member, @Nullable String value) {
        if (value != null) {
            changes.put(member, value.isEmpty() ? null : value);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new SheafException.InvalidRequest(file + " is not UTF-8 text");
        } catch (IOException e) {
            throw new SheafException.Local("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
