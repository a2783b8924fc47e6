package dev.sheaf.server.console.work;

import dev.sheaf.server.console.LongText;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A message of a worker in a list.
///
/// @param last its last line
/// @param all empty if there is no more of it
public record WorkerMessage(String last, LongText all) {
    /// Returns the messages of some entries. Those that come first get the room on the page.
    ///
    /// @param most bytes of HTML for all of them
    public static <T> Map<T, WorkerMessage> of(List<T> entries, Function<T, @Nullable String> message, int most) {
        var all = new IdentityHashMap<T, WorkerMessage>();
        int left = most;
        for (var entry : entries) {
            String text = message.apply(entry);
            var shown = LongText.of(JobFormat.isOneLine(text) ? "" : text, left);
            left -= shown.bytes();
            all.put(entry, new WorkerMessage(JobFormat.lastLine(text), shown));
        }
        return all;
    }
}
