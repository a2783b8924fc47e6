package dev.sheaf.server.git.history;

import dev.sheaf.model.Digest;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.cpu.Budget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.TreeFormatter;

/// Converts the assets of a version to git trees: one per folder, with entries in git's order.
final class Trees {
    private final Budget budget;
    private final Consumer<GitObject> made;

    private Trees(Budget budget, Consumer<GitObject> made) {
        this.budget = budget;
        this.made = made;
    }

    private record Entry(String name, FileMode mode, ObjectId id) implements Comparable<Entry> {
        /// Returns the sort key: a folder sorts as if its name ended with a slash.
        private byte[] key() {
            return (mode == FileMode.TREE ? name + "/" : name).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public int compareTo(Entry other) {
            return Arrays.compareUnsigned(key(), other.key());
        }
    }

    private static final class Folder {
        final List<Entry> files = new ArrayList<>();
        final Map<String, Folder> folders = new HashMap<>();
    }

    /// @param blobs git's id of each content
    /// @param made receives each tree
    /// @return the id of the root tree
    static ObjectId of(
            List<StoredAsset> assets, Function<Digest, ObjectId> blobs, Budget budget, Consumer<GitObject> made) {
        var root = new Folder();
        for (var asset : assets) {
            budget.check();
            var folder = root;
            for (String name : asset.path().folders()) {
                folder = folder.folders.computeIfAbsent(name, missing -> new Folder());
            }
            var mode = Boolean.TRUE.equals(asset.executable()) ? FileMode.EXECUTABLE_FILE : FileMode.REGULAR_FILE;
            folder.files.add(new Entry(asset.path().fileName(), mode, blobs.apply(asset.digest())));
        }
        return new Trees(budget, made).tree(root);
    }

    private ObjectId tree(Folder folder) {
        budget.check();
        var entries = new ArrayList<>(folder.files);
        folder.folders.forEach((name, inner) -> entries.add(new Entry(name, FileMode.TREE, tree(inner))));
        entries.sort(null);
        var tree = new TreeFormatter();
        entries.forEach(entry -> tree.append(entry.name(), entry.mode(), entry.id()));
        var object = GitObject.of(GitObject.Kind.TREE, tree.toByteArray());
        made.accept(object);
        return object.id();
    }
}
