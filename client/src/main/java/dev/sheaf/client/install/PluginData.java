package dev.sheaf.client.install;

import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.folder.TargetFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;

/// The data that plugins keep. It is in the home, apart from their files, so that updates and removals leave it as it
/// is.
record PluginData(TargetFolder folder, InstallLevel level, Progress progress) {
    /// Creates the folders for the data of these bundles.
    void make(Collection<LockedBundle> entries) throws IOException {
        for (var entry : entries) {
            var place = place(entry);
            if (place.isPresent()) {
                folder.make(place.get());
            }
        }
    }

    /// Says of bundles that were removed where their data is, or removes it too.
    void forget(InstallLock before, InstallLock after, boolean purge) throws IOException {
        for (var entry : before.entries().values()) {
            var place = place(entry);
            if (place.isEmpty()
                    || after.find(entry.bundle()).flatMap(this::place).isPresent()) {
                continue;
            }
            if (purge) {
                folder.removeTree(place.get());
            } else if (folder.obstacle(place.get()) == null && hasFiles(place.get())) {
                progress.notice("the data of " + entry.bundle() + " is kept in " + place.get()
                        + "; remove that folder if you no longer need it");
            }
        }
    }

    private static boolean hasFiles(Path place) throws IOException {
        if (!TargetFolder.isFolder(place)) {
            return false;
        }
        try (var files = Files.newDirectoryStream(place)) {
            return files.iterator().hasNext();
        }
    }

    /// Returns the folder for the data of a bundle; empty if it is not installed as a plugin for all projects.
    private Optional<Path> place(LockedBundle entry) {
        return level == InstallLevel.USER
                ? entry.plugin()
                        .map(plugin -> folder.place(
                                new PluginFolder(level, folder.root(), entry.bundle(), entry.registry()).dataPlace()))
                : Optional.empty();
    }
}
