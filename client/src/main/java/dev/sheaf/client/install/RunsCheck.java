package dev.sheaf.client.install;

import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.folder.Standing;
import dev.sheaf.client.folder.TargetFolder;
import dev.sheaf.model.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/// Requires consent before content that runs programs automatically is written for the first time.
record RunsCheck(TargetFolder folder, ConfigFiles configs, InstallOptions options, Progress progress, Stock stock) {
    /// @param here the lock as it was last installed here
    /// @param written the content to be written now
    /// @throws SheafException.InvalidRequest if the options do not allow it
    void check(Collection<Locked> entries, InstallLock here, Set<Digest> written) throws IOException {
        var found = new ArrayList<String>();
        for (Locked entry : entries) {
            for (var placed : entry.things().values()) {
                var thing = placed.thing();
                if (thing.isServer()) {
                    look(here, entry, thing, written, found);
                    continue;
                }
                for (var file : thing.files().entrySet()) {
                    if (written.contains(file.getValue().digest())
                            && Runs.isRead(file.getKey())
                            && !isHere(here, entry, thing, file)) {
                        look(entry, thing, file, found);
                    }
                }
            }
        }
        if (!found.isEmpty() && !options.allowExec()) {
            throw new SheafException.InvalidRequest("this runs programs automatically, so nothing was written: "
                    + String.join("; ", found) + ". Review it (sheaf pull, sheaf open); to install it anyway:"
                    + " --allow-exec; to install only other skills of a bundle: add them after a #");
        }
        found.forEach(what -> progress.notice("runs programs automatically: " + what));
    }

    /// Returns whether the file was written here before and still exists in one of its places. The record alone
    /// is not enough: it may come with an untrusted repository.
    private boolean isHere(InstallLock here, Locked entry, Thing thing, Map.Entry<String, Thing.Piece> file)
            throws IOException {
        for (String place : known(here, entry, thing)) {
            var at = folder.place(Thing.file(place, file.getKey()));
            if (folder.obstacle(at) == null && new Standing.File(file.getValue().digest(), null).standsAt(at)) {
                return true;
            }
        }
        return false;
    }

    private static Collection<String> known(InstallLock here, Locked entry, Thing thing) {
        return here.find(entry.bundle())
                .map(Locked::things)
                .map(things -> things.get(thing.name()))
                .filter(known -> known.thing().equals(thing))
                .map(Locked.Placed::places)
                .orElseGet(Collections::emptySortedSet);
    }

    private void look(InstallLock here, Locked entry, Thing server, Set<Digest> written, Collection<String> found)
            throws IOException {
        for (String place : known(here, entry, server)) {
            var ours = new Standing.File(server.entry(Agents.form(place)), null);
            if (folder.obstacle(folder.place(ConfigFiles.file(place))) == null && ours.equals(configs.at(place))) {
                return;
            }
        }
        if (server.files().values().stream().anyMatch(piece -> written.contains(piece.digest()))) {
            found.add(server.name() + " of " + entry.pinned() + ": " + stock.words(server));
        }
    }

    private void look(Locked entry, Thing thing, Map.Entry<String, Thing.Piece> file, Collection<String> found)
            throws IOException {
        var bytes = new ByteArrayOutputStream();
        stock.copy(file.getValue().digest(), bytes);
        String inside = file.getKey();
        String name = thing.name() + " of " + entry.pinned() + (Runs.isUsual(inside) ? "" : ", " + inside);
        Runs.of(bytes.toString(StandardCharsets.UTF_8)).forEach(what -> found.add(name + ": " + what));
    }
}
