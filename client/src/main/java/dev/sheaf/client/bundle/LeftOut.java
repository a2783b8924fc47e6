package dev.sheaf.client.bundle;

import dev.sheaf.client.api.Progress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// What is in a folder and no part of its bundle.
///
/// @param path relative to the folder; that of a folder ends in a slash and means all that is below
/// @param by what leaves it out: [#USUAL], `.gitignore`, the name of the file with the patterns, or [#UNNAMED]
public record LeftOut(String path, String by) {
    /// Nobody publishes such files on purpose.
    public static final String USUAL = "by default";

    /// `sheaf.yaml` lists its assets, and this is none of them.
    public static final String UNNAMED = "since no pattern of assets matches";

    private static final int NAMED = 5;

    /// Says so to whoever publishes the folder: a line for each reason, with the first few paths.
    static void tell(List<LeftOut> all, Progress progress) {
        var byReason = all.stream()
                .collect(Collectors.groupingBy(
                        LeftOut::by, LinkedHashMap::new, Collectors.mapping(LeftOut::path, Collectors.toList())));
        byReason.forEach((by, paths) -> progress.notice("left out " + (isFile(by) ? "by " + by : by) + ": "
                + paths.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (paths.size() > NAMED ? " and " + (paths.size() - NAMED) + " more" : "")));
    }

    private static boolean isFile(String by) {
        return !by.equals(USUAL) && !by.equals(UNNAMED);
    }
}
