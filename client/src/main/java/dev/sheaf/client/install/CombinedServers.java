package dev.sheaf.client.install;

import dev.sheaf.client.agents.Agent;
import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.folder.FolderRewrite;
import dev.sheaf.client.folder.PathState;
import dev.sheaf.client.io.JsonText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Servers of equal names in several files, which a program makes one of. The headers and variables in a file of the
/// user must not go to the address or program that a bundle names, nor those of a bundle to a program of the user.
final class CombinedServers {
    private static final int LONGEST = 4 << 20;
    private static final String HOME = "~/";

    private final Path root;
    private final InstallLevel level;
    private final Path home;

    /// @param root the folder of the project, or the user's home
    /// @param home the user's home
    CombinedServers(Path root, InstallLevel level, Path home) {
        this.root = root;
        this.level = level;
        this.home = home;
    }

    /// Checks the servers that are to be written.
    ///
    /// @throws SheafException.Conflict if another file has a different server of that name, or cannot be read
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
            for (Path file : files(agent, ConfigFiles.file(place))) {
                var other = read(file, member, name);
                if (other.isPresent() && !isHarmless(other.get(), entry)) {
                    throw new SheafException.Conflict(
                            "nothing was written: " + file + " has a server " + name + " too. " + agent.name()
                                    + " would combine it with " + place + ": headers and variables of one would go to"
                                    + " the address or program of the other. Rename or remove " + name + " in " + file
                                    + ", or install for other programs",
                            SheafException.Answer.NONE);
                }
            }
        }
    }

    /// Returns the files that a program reads beside the one that is written: those in the user's home and, for a
    /// project, those in its folder and the ones above it, to the root of its git work tree.
    private Set<Path> files(Agent agent, String written) {
        var files = new LinkedHashSet<Path>();
        for (String file : agent.combined()) {
            if (file.startsWith(HOME)) {
                files.add(home.resolve(file.substring(HOME.length())));
            }
        }
        var folder = level == InstallLevel.PROJECT ? root.toAbsolutePath().normalize() : null;
        while (folder != null) {
            for (String file : agent.combined()) {
                if (!file.startsWith(HOME)) {
                    files.add(folder.resolve(file));
                }
            }
            folder = Files.exists(folder.resolve(".git")) ? null : folder.getParent();
        }
        files.remove((level == InstallLevel.PROJECT ? root.toAbsolutePath().normalize() : home).resolve(written));
        return files;
    }

    /// Returns whether both are the same, or the other only says whether it is switched on.
    private static boolean isHarmless(JsonNode other, JsonNode entry) {
        var rest = withoutSwitch(other);
        return rest.isObject() && rest.isEmpty() || rest.equals(withoutSwitch(entry));
    }

    private static JsonNode withoutSwitch(JsonNode entry) {
        return entry instanceof ObjectNode object ? object.deepCopy().without("enabled") : entry;
    }

    private static Optional<JsonNode> read(Path file, String member, String name) {
        try {
            if (!Files.exists(file)) {
                return Optional.empty();
            }
            if (Files.size(file) > LONGEST) {
                throw unreadable(file, name, "it is larger than 4 MiB");
            }
            return new JsonText(Files.readString(file)).entry(member, name);
        } catch (CharacterCodingException e) {
            throw unreadable(file, name, "it is not UTF-8");
        } catch (IOException | IllegalArgumentException e) {
            throw unreadable(file, name, String.valueOf(e.getMessage()));
        }
    }

    private static SheafException unreadable(Path file, String name, String why) {
        return new SheafException.Conflict(
                "nothing was written: whether " + file + " has a server " + name + " too cannot be told, because " + why
                        + ". Correct the file, or install for other programs",
                SheafException.Answer.NONE);
    }
}
