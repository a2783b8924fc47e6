package dev.sheaf.client.bundle;

import dev.sheaf.client.api.Progress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// A file or folder in a bundle's folder that is not part of the bundle.
///
/// @param path the path relative to the bundle's folder; ends in a slash for a folder with everything below it
/// @param by the reason: [#USUAL], `.gitignore`, the name of the file with the patterns, [#UNNAMED] or [#DERIVED]
public record LeftOut(String path, String by) {
    /// The reason for files that nobody publishes on purpose.
    public static final String USUAL = "by default";

    /// The reason for files that `sheaf.yaml` does not list.
    public static final String UNNAMED = "because no asset pattern matches";

    /// The reason for files that came with a version that was fetched as a plugin.
    public static final String DERIVED = "because the registry derives it";

    private static final int NAMED = 5;

    /// Reports left-out files: one line for each reason, with the first few paths.
    static void tell(List<LeftOut> all, Progress progress) {
        var byReason = all.stream()
                .collect(Collectors.groupingBy(
                        LeftOut::by, LinkedHashMap::new, Collectors.mapping(LeftOut::path, Collectors.toList())));
        byReason.forEach((by, paths) -> progress.notice("left out " + (isFile(by) ? "by " + by : by) + ": "
                + paths.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (paths.size() > NAMED ? " and " + (paths.size() - NAMED) + " more" : "")));
    }

    private static boolean isFile(String by) {
        return !by.equals(USUAL) && !by.equals(UNNAMED) && !by.equals(DERIVED);
    }
}
