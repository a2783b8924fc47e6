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
public record Said(String last, LongText all) {
    /// Returns the messages of some entries. Those that come first get the room on the page.
    ///
    /// @param most bytes of HTML for all of them
    public static <T> Map<T, Said> of(List<T> entries, Function<T, @Nullable String> message, int most) {
        var all = new IdentityHashMap<T, Said>();
        int left = most;
        for (var entry : entries) {
            String text = message.apply(entry);
            var shown = LongText.of(Looks.isOneLine(text) ? "" : text, left);
            left -= shown.bytes();
            all.put(entry, new Said(Looks.lastLine(text), shown));
        }
        return all;
    }
}
