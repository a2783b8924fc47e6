package dev.sheaf.server.console;

import java.util.Set;

/// Distinguishes the paths of pages from other paths on the same host.
public final class ConsolePaths {
    /// First segments of paths for programs.
    private static final Set<String> OTHERS =
            Set.of("v1", "v2", "health", "metrics", "problems", ".well-known", "api", "mcp");

    private ConsolePaths() {}

    /// @param path the path as it was sent
    public static boolean isOfPage(String path) {
        int end = path.indexOf('/', 1);
        String first = path.substring(Math.min(1, path.length()), end < 0 ? path.length() : end);
        if (OTHERS.contains(first)) {
            return false;
        }
        return isOfFiles(path) || isForPeople(path);
    }

    /// Returns whether the path is a file of a version. Such paths are always pages, whatever the file's name.
    public static boolean isOfFiles(String path) {
        var segments = path.split("/", 5);
        return segments.length == 5 && segments[3].equals("versions") && !segments[2].endsWith(".git");
    }

    private static boolean isForPeople(String path) {
        return !path.contains("/.well-known/")
                && !path.contains(".git/")
                && !path.endsWith(".git")
                && !path.endsWith("/marketplace.json")
                && !path.endsWith("/plugin.zip");
    }
}
