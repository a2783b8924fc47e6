package dev.sheaf.cli.terminal;

import java.util.Map;
import java.util.TreeMap;

/// Shows files in a tree of folders, each with its size. For one thread.
public final class FileTree {
    /// Deeper paths are shown as one name: the paths come from a registry, and this recurses into them.
    private static final int DEEPEST = 64;

    private final Map<String, FileTree> below = new TreeMap<>();
    private String mode = "";
    private long bytes;
    private int files;

    /// @param path the path, with slashes between the names
    /// @param mode shown after the size; may be empty
    public void add(String path, long bytes, String mode) {
        var place = this;
        place.count(bytes);
        for (String name : path.split("/", DEEPEST)) {
            place = place.below.computeIfAbsent(name, missing -> new FileTree());
            place.count(bytes);
        }
        place.mode = mode;
    }

    private void count(long more) {
        bytes += more;
        files++;
    }

    /// @param name the name of the root
    public void print(String name, Shell shell) {
        boolean drawn = shell.out().charset().newEncoder().canEncode('├');
        shell.out()
                .println(TextFormat.showable(name) + "  " + TextFormat.count(files, "file") + ", "
                        + TextFormat.size(bytes));
        print(shell, "", drawn);
    }

    private void print(Shell shell, String before, boolean drawn) {
        int left = below.size();
        for (var entry : below.entrySet()) {
            boolean last = --left == 0;
            var tree = entry.getValue();
            String mark = drawn ? (last ? "└── " : "├── ") : (last ? "`-- " : "|-- ");
            String folder = tree.below.isEmpty() ? "" : "/";
            shell.out()
                    .println(before + mark + TextFormat.showable(entry.getKey()) + folder + "  "
                            + TextFormat.size(tree.bytes) + tree.mode);
            tree.print(shell, before + (last ? "    " : drawn ? "│   " : "|   "), drawn);
        }
    }
}
