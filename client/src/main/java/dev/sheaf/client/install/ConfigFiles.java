package dev.sheaf.client.install;

import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.folder.FolderRewrite;
import dev.sheaf.client.folder.PathState;
import dev.sheaf.client.folder.TargetFolder;
import dev.sheaf.client.io.JsonText;
import dev.sheaf.client.io.OwnFile;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The configuration files of programs, such as `.mcp.json`, in which only single entries belong to installed
/// bundles. The place of an entry is written as `file#member/name`. Each file is read once, so that the
/// compared content is also the content that is changed.
final class ConfigFiles {
    private static final int LONGEST = 4 << 20;
    private static final JsonText NEW = new JsonText("{}\n");

    private final TargetFolder folder;
    private final Map<String, Optional<JsonText>> read = new HashMap<>();

    ConfigFiles(TargetFolder folder) {
        this.folder = folder;
    }

    private record Entry(String file, String member, String name) {
        static Entry of(String path) {
            int hash = path.indexOf('#');
            int slash = path.lastIndexOf('/');
            return new Entry(path.substring(0, hash), path.substring(hash + 1, slash), path.substring(slash + 1));
        }
    }

    static boolean isEntry(String path) {
        return Agents.isEntry(path);
    }

    /// Returns the file of a place.
    static String file(String path) {
        return isEntry(path) ? Entry.of(path).file() : path;
    }

    /// Returns the current state of an entry.
    ///
    /// @throws SheafException.InvalidRequest if the file is a link
    /// @throws SheafException.Local if it is not JSON that can be changed
    PathState at(String path) throws IOException {
        var entry = Entry.of(path);
        var text = text(entry.file());
        try {
            var value = text.flatMap(one -> one.entry(entry.member(), entry.name()));
            return value.isEmpty() ? PathState.NOTHING : new PathState.File(WireJson.digest(value.get()), null);
        } catch (IllegalArgumentException e) {
            throw broken(entry.file(), e);
        }
    }

    private Optional<JsonText> text(String file) throws IOException {
        var known = read.get(file);
        if (known != null) {
            return known;
        }
        var place = folder.place(file);
        Optional<JsonText> text = Optional.empty();
        if (folder.obstacle(place) == null && TargetFolder.exists(place)) {
            try {
                text = Optional.of(new JsonText(OwnFile.read(folder.root(), place, LONGEST)));
            } catch (IllegalArgumentException | CharacterCodingException e) {
                throw broken(file, e);
            }
        }
        read.put(file, text);
        return text;
    }

    private SheafException broken(String file, Exception why) {
        return new SheafException.Local(
                folder.place(file) + " cannot be changed, so nothing was written: "
                        + (why instanceof IllegalArgumentException ? why.getMessage() : "it is not valid UTF-8")
                        + ". Correct it, and try again",
                why);
    }

    /// Returns the steps, with the steps for entries merged into one step for each file.
    List<FolderRewrite.Step> merged(List<FolderRewrite.Step> steps, InstallContents stock) throws IOException {
        var merged = new ArrayList<FolderRewrite.Step>();
        var texts = new TreeMap<String, JsonText>();
        for (var step : steps) {
            if (!isEntry(step.path())) {
                merged.add(step);
                continue;
            }
            var entry = Entry.of(step.path());
            var text = texts.containsKey(entry.file())
                    ? texts.get(entry.file())
                    : text(entry.file()).orElse(NEW);
            texts.put(
                    entry.file(),
                    step.after() instanceof PathState.File wanted
                            ? text.with(entry.member(), entry.name(), stock.server(wanted.digest()))
                            : withoutEntry(text, entry));
        }
        for (var one : texts.entrySet()) {
            var before = text(one.getKey());
            boolean nothing = one.getValue().equals(NEW);
            merged.add(new FolderRewrite.Step(
                    one.getKey(),
                    before.isEmpty() ? PathState.NOTHING : new PathState.File(digest(before.get()), null),
                    nothing
                            ? PathState.NOTHING
                            : new PathState.File(stock.put(one.getValue().text()), null)));
        }
        return merged;
    }

    /// Removes an entry. If only the member that was added for entries remains, it is removed too.
    private static JsonText withoutEntry(JsonText text, Entry entry) {
        var left = text.without(entry.member(), entry.name());
        var made = NEW.with(entry.member(), entry.name(), WireJson.object()).without(entry.member(), entry.name());
        return left.equals(made) ? NEW : left;
    }

    private static Digest digest(JsonText text) {
        return Digest.sha256(text.text().getBytes(StandardCharsets.UTF_8));
    }
}
