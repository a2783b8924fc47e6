package dev.sheaf.engine.blob;

import dev.sheaf.engine.blob.StoredItem.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Lists a store of files in the order of names, folder by folder. Files that are not named as this store names
/// its files are skipped: somebody may have put them there on purpose.
final class FileListing {
    private final Path root;

    FileListing(Path root) {
        this.root = root;
    }

    /// Returns at most `limit` items whose names sort after `after`; an empty list only at the end.
    List<StoredItem> after(String after, int limit) throws IOException {
        var found = new ArrayList<StoredItem>();
        for (String folder : folders()) {
            if (found.size() == limit) {
                break;
            }
            if (folder.compareTo(after) > 0 || after.startsWith(folder)) {
                add(found, folder, after, limit);
            }
        }
        return found;
    }

    /// Returns all folders of the store, sorted, each with a trailing slash.
    private TreeSet<String> folders() throws IOException {
        var folders = new TreeSet<String>();
        folders.add(FileTree.DRAFTS + "/");
        folders.add(FileTree.ASIDE + "/");
        try (var entries = Files.newDirectoryStream(root.resolve(FileTree.OBJECTS), Files::isDirectory)) {
            entries.forEach(entry -> folders.add(FileTree.OBJECTS + "/" + entry.getFileName() + "/"));
        }
        return folders;
    }

    private void add(List<StoredItem> found, String folder, String after, int limit) throws IOException {
        var names = new TreeMap<String, Path>();
        try (var entries = Files.newDirectoryStream(root.resolve(folder))) {
            for (Path entry : entries) {
                String name = folder + entry.getFileName();
                if (name.compareTo(after) > 0) {
                    names.put(name, entry);
                }
            }
        } catch (NoSuchFileException e) {
            return;
        }
        for (var entry : names.entrySet()) {
            if (found.size() == limit) {
                return;
            }
            item(entry.getKey(), entry.getValue()).ifPresent(found::add);
        }
    }

    private static Optional<StoredItem> item(String name, Path file) throws IOException {
        var part = part(String.valueOf(file.getFileName()));
        if (part.isEmpty()) {
            return Optional.empty();
        }
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.isRegularFile()
                    ? Optional.of(new StoredItem(name, kind(name), part.get(), attributes.size()))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static Kind kind(String name) {
        return switch (name.substring(0, name.indexOf('/'))) {
            case FileTree.DRAFTS -> Kind.DRAFT;
            case FileTree.ASIDE -> Kind.ASIDE;
            default -> Kind.OBJECT;
        };
    }

    private static Optional<String> part(String file) {
        try {
            return Optional.of(
                    file.indexOf('-') < 0
                            ? new DraftId(file, "").part()
                            : ObjectId.parse(file).part());
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }
}
