package dev.sheaf.server.bundle.pages.edit;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.server.console.PageCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The changes of a publish, file by file, compared with the latest version.
///
/// @param changes the changed files by path
/// @param same the number of files that stay the same
/// @param edited the time at which a file was last written; null if there are no files
public record PublishChanges(
        List<Change> changes, int same, @Nullable Instant edited) {
    private static final int SHOWN = 50;

    public PublishChanges {
        changes = List.copyOf(changes);
    }

    /// @param before the old file; null if the file is new
    /// @param after the new file; null if the file is removed
    public record Change(
            String path, @Nullable Asset before, @Nullable Asset after) {
        /// Returns the word for the change.
        public String kind() {
            return before == null ? "added" : after == null ? "removed" : "changed";
        }

        public String tone() {
            return before == null ? "ok" : after == null ? "bad" : "info";
        }

        /// Returns its new size, or its old one.
        public long size() {
            return after != null ? after.sizeBytes() : before != null ? before.sizeBytes() : 0;
        }
    }

    static PublishChanges of(PageCall page, EditableBundle edited, WorkingFiles files) {
        var bundle = edited.snapshot();
        String latest = edited.bundle().latestVersion();
        return between(latest == null ? List.of() : files.all(page, bundle, latest), files.all(page, bundle, null));
    }

    static PublishChanges between(List<Asset> before, List<Asset> after) {
        var old = new TreeMap<String, Asset>();
        before.forEach(asset -> old.put(asset.logicalPath(), asset));
        var changes = new ArrayList<Change>();
        int same = 0;
        for (var asset : after) {
            var was = old.remove(asset.logicalPath());
            if (was != null && isSame(was, asset)) {
                same++;
            } else {
                changes.add(new Change(asset.logicalPath(), was, asset));
            }
        }
        old.values().forEach(asset -> changes.add(new Change(asset.logicalPath(), asset, null)));
        changes.sort((one, other) -> one.path().compareTo(other.path()));
        return new PublishChanges(
                changes,
                same,
                after.stream()
                        .map(PublishChanges::written)
                        .max(Comparator.naturalOrder())
                        .orElse(null));
    }

    private static Instant written(Asset asset) {
        var changed = asset.updatedAt();
        return changed == null ? asset.createdAt() : changed;
    }

    /// Returns whether another version was published after the files were last edited: publishing would revert
    /// that version's changes.
    boolean isBehind(Instant published) {
        return !changes.isEmpty() && edited != null && edited.isBefore(published);
    }

    /// Returns whether the files are equal; ignores unknown modes.
    private static boolean isSame(Asset before, Asset after) {
        boolean modes = before.executable() == null
                || after.executable() == null
                || before.executable().equals(after.executable());
        return modes
                && before.contentSha256().equals(after.contentSha256())
                && before.assetType().equals(after.assetType())
                && Objects.equals(before.mediaType(), after.mediaType());
    }

    /// Returns the change of a file.
    ///
    /// @throws dev.sheaf.model.ProblemException if it does not change
    Change of(String path) {
        return changes.stream()
                .filter(change -> change.path().equals(path))
                .findFirst()
                .orElseThrow(() -> new Problem.NotFound("the change of " + path).raise());
    }

    /// Returns as many changes as a page shows.
    public List<Change> shown(int from) {
        int first = Math.clamp(from, 0, changes.size());
        return changes.subList(first, Math.min(first + SHOWN, changes.size()));
    }

    /// Returns the index at which the next page begins; 0 if there is no further page.
    public int next(int from) {
        return from >= 0 && from < changes.size() - SHOWN ? from + SHOWN : 0;
    }

    public long count(String kind) {
        return changes.stream().filter(change -> change.kind().equals(kind)).count();
    }
}
