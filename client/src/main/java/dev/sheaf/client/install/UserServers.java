package dev.sheaf.client.install;

import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.folder.FolderRewrite;
import dev.sheaf.client.folder.PathState;
import dev.sheaf.client.io.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The servers in a user's own configuration that a program combines with those of equal names in a project. The
/// headers and variables of a user must not go to the address or program that somebody else has put into a project.
final class UserServers {
    private static final int LONGEST = 4 << 20;
    private static final List<String> TARGET = List.of("type", "url", "command");

    private final Path home;

    /// @param home the home of the user
    UserServers(Path home) {
        this.home = home;
    }

    /// Checks the servers that are to be written into a project.
    ///
    /// @throws SheafException.Conflict if a program would combine one of them with another server of the user
    void check(List<FolderRewrite.Step> steps, InstallContents contents) {
        for (var step : steps) {
            if (ConfigFiles.isEntry(step.path()) && step.after() instanceof PathState.File file) {
                check(step.path(), contents.server(file.digest()));
            }
        }
    }

    private void check(String place, JsonNode entry) {
        String name = place.substring(place.lastIndexOf('/') + 1);
        String member = place.substring(place.indexOf('#') + 1, place.lastIndexOf('/'));
        for (var agent : Agents.combining(place)) {
            for (String file : agent.combined()) {
                Path own = home.resolve(file);
                var known = read(own, member, name);
                if (known.isPresent() && !isSameTarget(known.get(), entry)) {
                    throw new SheafException.Conflict(
                            "nothing was written: " + own + " has a server " + name + " too. " + agent.name()
                                    + " would combine it with " + place + ", and send its headers or variables to"
                                    + " what this one connects to or starts. Rename or remove it there, or install for"
                                    + " other programs",
                            SheafException.Answer.NONE);
                }
            }
        }
    }

    private static boolean isSameTarget(JsonNode own, JsonNode entry) {
        return TARGET.stream().allMatch(member -> own.path(member).equals(entry.path(member)));
    }

    /// Returns nothing for a file that the program cannot read either.
    private static Optional<JsonNode> read(Path file, String member, String name) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > LONGEST) {
                return Optional.empty();
            }
            return new JsonText(Files.readString(file)).entry(member, name);
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
