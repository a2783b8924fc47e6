package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.ShellQuoting;
import java.util.ArrayList;
import java.util.List;

/// The commands that fetch a version, ready for a shell.
public final class FetchCommands {
    private FetchCommands() {}

    /// @param label the purpose of the command, or its program
    public record Command(String label, String text) {}

    /// Returns the commands of Sheaf's own client.
    static List<Command> own(VisibleBundle seen, VersionDetail version) {
        var commands = new ArrayList<Command>();
        commands.add(new Command(
                "Into this project",
                "sheaf add " + ShellQuoting.quote(seen.name().toString())));
        String digest = version.ociDigest();
        if (digest != null) {
            commands.add(
                    new Command("Exactly these bytes", "sheaf pull " + ShellQuoting.quote(seen.name() + "@" + digest)));
        }
        return commands;
    }

    /// Returns the commands of other programs.
    ///
    /// @param base the address of this registry
    static List<Command> others(VisibleBundle seen, VersionDetail version, String base) {
        var files = version.manifest().assets();
        String place = base + "/" + seen.name();
        var commands = new ArrayList<Command>();
        if (files.stream().anyMatch(file -> file.assetType().equals("skill"))) {
            commands.add(new Command(
                    "npx skills", "npx skills add " + ShellQuoting.quote(seen.isPublic() ? place : place + ".git")));
        }
        commands.add(new Command("git", "git clone " + ShellQuoting.quote(place + ".git")));
        String reference = version.ociRef();
        if (reference != null) {
            String how = base.startsWith("http://") ? "oras pull --plain-http " : "oras pull ";
            commands.add(new Command("oras", how + ShellQuoting.quote(reference)));
        }
        if (!files.isEmpty()) {
            commands.add(new Command("curl, one file", curl(seen, version, file(files), base)));
        }
        return commands;
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
