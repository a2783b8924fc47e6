package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.ShellQuoting;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The commands that fetch a version, ready for a shell.
///
/// @param main the command that adds it to a project
/// @param others the first one says how a new machine learns of this registry
public record FetchCommands(Command main, List<Command> others) {
    private static final String USUAL = "http://127.0.0.1:8080";

    public FetchCommands {
        others = List.copyOf(others);
    }

    /// @param label the purpose of the command, or its program
    /// @param word the same in a list of commands; empty to leave it out
    public record Command(String label, String word, String text) {}

    /// Returns the commands for a version.
    ///
    /// @param isExact whether they name the version even if it is the latest
    /// @param base the address of this registry
    public static FetchCommands of(VisibleBundle seen, VersionDetail version, boolean isExact, String base) {
        String name = seen.name() + (isExact ? ":" + version.version() : "");
        var main = new Command("the command that adds it to this project", "", "sheaf add " + ShellQuoting.quote(name));
        var others = new ArrayList<Command>();
        if (!seen.isPublic()) {
            others.add(new Command("First, on a new machine", "", "sheaf login --url " + ShellQuoting.quote(base)));
        } else if (!base.equals(USUAL)) {
            others.add(new Command("First, on a new machine", "", "export SHEAF_URL=" + ShellQuoting.quote(base)));
        }
        String digest = version.ociDigest();
        if (digest != null) {
            String pinned = "sheaf pull " + ShellQuoting.quote(seen.name() + "@" + digest);
            others.add(new Command("Exactly these bytes", "pinned", pinned));
        }
        programs(seen, version, isExact, base, others);
        return new FetchCommands(main, others);
    }

    /// Returns the commands that install the latest version as a plugin, each for a program. Programs with marketplaces
    /// get the namespace as one; git shows them what is public.
    ///
    /// @param listed the name in the marketplace; null if it is not listed
    public static List<Command> ofPlugin(VisibleBundle seen, @Nullable String listed, String base) {
        var commands = new ArrayList<Command>();
        String add = "sheaf add " + ShellQuoting.quote(seen.name().toString()) + " --allow-exec";
        commands.add(new Command("In a project", "", add));
        commands.add(new Command("For all your projects", "", add + " --user"));
        if (seen.isPublic() && listed != null) {
            String namespace = seen.namespace();
            String market = ShellQuoting.quote(base + "/" + namespace + ".git");
            String plugin = ShellQuoting.quote(listed + "@" + namespace);
            commands.add(new Command(
                    "Claude Code",
                    "",
                    "claude plugin marketplace add " + market + " && claude plugin install " + plugin));
            commands.add(new Command(
                    "Codex", "", "codex plugin marketplace add " + market + " && codex plugin add " + plugin));
            commands.add(new Command(
                    "Copilot CLI",
                    "",
                    "copilot plugin marketplace add " + market + " && copilot plugin install " + plugin));
        }
        return commands;
    }

    private static void programs(
            VisibleBundle seen, VersionDetail version, boolean isExact, String base, List<Command> commands) {
        var files = version.manifest().assets();
        String place = base + "/" + seen.name();
        if (!isExact && files.stream().anyMatch(file -> file.assetType().equals("skill"))) {
            String skills = seen.isPublic() ? place : place + ".git";
            commands.add(new Command("npx skills", "npx skills", "npx skills add " + ShellQuoting.quote(skills)));
        }
        String branch = isExact ? " -b " + ShellQuoting.quote(version.version()) : "";
        commands.add(new Command("git", "git", "git clone " + ShellQuoting.quote(place + ".git") + branch));
        String reference = version.ociRef();
        if (reference != null) {
            String how = base.startsWith("http://") ? "oras pull --plain-http " : "oras pull ";
            commands.add(new Command("oras", "oras", how + ShellQuoting.quote(reference)));
        }
        if (!files.isEmpty()) {
            commands.add(new Command("curl, one file", "curl", curl(seen, version, file(files), base)));
        }
    }

    /// Returns the words of the other ways.
    public String words() {
        return others.stream()
                .map(Command::word)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(", "));
    }

    /// Returns the file that describes a bundle best.
    private static Layer file(List<Layer> files) {
        return files.stream()
                .filter(file -> file.logicalPath().endsWith("SKILL.md"))
                .findFirst()
                .orElseGet(files::getFirst);
    }

    private static String curl(VisibleBundle seen, VersionDetail version, Layer file, String base) {
        String rest = "/assets/" + ApiPath.encodeFile(file.logicalPath());
        var path = (seen.isPublic() ? seen.hub(rest) : seen.api(rest)).with("version", version.version());
        return "curl -fsSLO -H 'Accept: application/octet-stream' "
                + (seen.isPublic() ? "" : "-H \"Authorization: Bearer $SHEAF_API_KEY\" ")
                + ShellQuoting.quote(base + path);
    }
}
