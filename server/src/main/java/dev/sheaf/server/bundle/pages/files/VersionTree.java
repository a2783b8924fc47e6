package dev.sheaf.server.bundle.pages.files;

import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The files of a version as a tree. If there are few files, the page contains the whole tree, and only the
/// folders above the shown file are open. If there are many, it contains one folder, with links to the folders
/// in it.
///
/// @param folder the folder of these entries, without slashes at its ends; empty for the top folder
/// @param up the link to the folder above; null if there is none, or the tree is complete
/// @param next the link to the entries that did not fit; null if all did
public record VersionTree(
        int files,
        long bytes,
        String folder,
        List<Node> nodes,
        @Nullable String up,
        @Nullable String next) {
    private static final int ROOM = 20 << 10; // bytes of a page
    private static final int ENTRY = 230; // bytes of the elements of an entry
    private static final int FOLDER = 360;

    public VersionTree {
        nodes = List.copyOf(nodes);
    }

    /// A file or a folder.
    ///
    /// @param link the link to it; null for a folder whose entries are on this page
    /// @param count the number of files in a folder; 0 for a file
    /// @param open whether it is shown with its entries
    public record Node(
            String name,
            @Nullable String link,
            int count,
            long size,
            boolean open,
            boolean here,
            boolean warns,
            List<Node> nodes) {
        public Node {
            nodes = List.copyOf(nodes);
        }

        public boolean isFolder() {
            return count > 0;
        }
    }

    /// The request.
    ///
    /// @param current the path of the shown file; empty if no file is shown
    /// @param folder the requested folder
    /// @param after the name of the last entry on the previous page
    record Wanted(String current, String folder, String after) {
        /// Returns the folder whose entries are shown if there are many files.
        String shown() {
            int slash = current.lastIndexOf('/');
            return current.isEmpty() ? folder : slash < 0 ? "" : current.substring(0, slash);
        }
    }

    static VersionTree of(OpenedVersion opened, Wanted wanted) {
        var builder = new Builder(opened, wanted);
        long bytes = opened.files().stream().mapToLong(Layer::sizeBytes).sum();
        int files = opened.files().size();
        var all = Builder.sorted(opened.files(), "");
        if (builder.weight() <= ROOM) {
            return new VersionTree(files, bytes, "", builder.whole(all, ""), null, null);
        }
        String folder = wanted.shown();
        var part = builder.part(folder);
        int slash = folder.lastIndexOf('/');
        String up = folder.isEmpty() ? null : builder.folder(slash < 0 ? "" : folder.substring(0, slash), "");
        return new VersionTree(files, bytes, folder, part, up, builder.next);
    }

    private static final class Builder {
        private final OpenedVersion opened;
        private final Wanted wanted;
        private final Set<String> warned = new HashSet<>();

        @Nullable
        private String next;

        Builder(OpenedVersion opened, Wanted wanted) {
            this.opened = opened;
            this.wanted = wanted;
            var warnings = opened.version().warnings();
            if (warnings != null) {
                warnings.stream()
                        .filter(warning -> VersionRisk.isFinding(warning.code()))
                        .forEach(warning -> warned.add(warning.logicalPath()));
            }
        }

        /// Returns the approximate number of bytes that the whole tree takes on a page.
        long weight() {
            var folders = new HashSet<String>();
            long weight = 0;
            for (var file : opened.files()) {
                String path = file.logicalPath();
                weight += ENTRY + weight(path);
                for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
                    if (folders.add(path.substring(0, slash))) {
                        weight += FOLDER + LinePiece.weight(path.substring(0, slash));
                    }
                }
                if (weight > ROOM) {
                    break;
                }
            }
            return weight;
        }

        private static int weight(String path) {
            return ApiPath.encodeFile(path).length() + LinePiece.weight(path);
        }

        /// Groups the files below a folder by its entries, which are folders and files, sorted by name with
        /// folders first.
        static TreeMap<String, List<Layer>> sorted(List<Layer> files, String prefix) {
            var entries = new TreeMap<String, List<Layer>>();
            for (var file : files) {
                if (file.logicalPath().startsWith(prefix)) {
                    String rest = file.logicalPath().substring(prefix.length());
                    int slash = rest.indexOf('/');
                    String key = slash < 0 ? "1" + rest : "0" + rest.substring(0, slash);
                    entries.computeIfAbsent(key, first -> new ArrayList<>()).add(file);
                }
            }
            return entries;
        }

        List<Node> whole(TreeMap<String, List<Layer>> entries, String prefix) {
            var nodes = new ArrayList<Node>();
            entries.forEach((key, files) -> {
                String name = key.substring(1);
                if (key.charAt(0) == '1') {
                    nodes.add(file(files.getFirst(), name));
                } else {
                    String folder = prefix + name + "/";
                    boolean open = wanted.current().startsWith(folder)
                            || opened.files().size() <= 12;
                    nodes.add(new Node(
                            name, null, files.size(), 0, open, false, false, whole(sorted(files, folder), folder)));
                }
            });
            return nodes;
        }

        private Node file(Layer file, String name) {
            String path = file.logicalPath();
            return new Node(
                    name,
                    opened.file(opened.place(), path),
                    0,
                    file.sizeBytes(),
                    false,
                    path.equals(wanted.current()),
                    warned.contains(path),
                    List.of());
        }

        /// Returns the entries of one folder that fit, after the last shown entry or from the shown file on.
        List<Node> part(String folder) {
            String prefix = folder.isEmpty() ? "" : folder + "/";
            var all = sorted(opened.files(), prefix);
            var entries = wanted.current().isEmpty()
                    ? all.tailMap(wanted.after(), false)
                    : all.tailMap("1" + wanted.current().substring(prefix.length()), true);
            var nodes = new ArrayList<Node>();
            int room = ROOM;
            String last = "";
            for (var entry : entries.entrySet()) {
                if (room <= 0) {
                    next = folder(folder, last);
                    break;
                }
                String name = entry.getKey().substring(1);
                var files = entry.getValue();
                boolean isFile = entry.getKey().charAt(0) == '1';
                nodes.add(
                        isFile
                                ? file(files.getFirst(), name)
                                : new Node(
                                        name,
                                        folder(prefix + name, ""),
                                        files.size(),
                                        0,
                                        false,
                                        false,
                                        false,
                                        List.of()));
                room -= ENTRY + weight(prefix + name);
                last = entry.getKey();
            }
            return nodes;
        }

        String folder(String folder, String after) {
            return ApiPath.of(opened.place())
                    .with("folder", folder)
                    .with("after", after)
                    .toString();
        }
    }

    public String count() {
        return PageFormat.count(files, "file", "files");
    }
}
