package dev.sheaf.server.bundle.pages.source;

import dev.sheaf.model.skill.SkillText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The front matter of a skill as a table.
///
/// @param wrong the error in the front matter; null if there is none
/// @param isCut whether there is more than is shown
public record FrontMatterTable(List<Row> rows, @Nullable String wrong, boolean isCut) {
    private static final int ROOM = 6_000; // characters of all values
    private static final int VALUE = 1_500; // characters of one value

    public FrontMatterTable {
        rows = List.copyOf(rows);
    }

    /// A field; for a nested field, all names separated by dots.
    public record Row(String name, String value) {}

    /// Returns null if the file is not a skill.
    public static @Nullable FrontMatterTable of(String path, MarkedText marked) {
        if (!path.equals(SkillText.FILE) && !path.endsWith("/" + SkillText.FILE)) {
            return null;
        }
        try {
            String text = marked.plainly();
            var reader = new Reader();
            reader.members(
                    "", SkillText.parse(text.getBytes(StandardCharsets.UTF_8)).frontMatter());
            return new FrontMatterTable(reader.rows, null, reader.room <= 0 || reader.cut);
        } catch (SkillText.Wrong e) {
            String where = e.line() == 0 ? "" : "line " + e.line() + ": ";
            return new FrontMatterTable(List.of(), where + e.getMessage(), false);
        }
    }

    /// Returns a text without its front matter.
    public static String body(String text) {
        if (!text.startsWith("---\n")) {
            return text;
        }
        int end = text.indexOf("\n---", 3);
        int line = end < 0 ? -1 : text.indexOf('\n', end + 1);
        return end < 0 ? text : line < 0 ? "" : text.substring(line + 1);
    }

    private static final class Reader {
        private final List<Row> rows = new ArrayList<>();
        private int room = ROOM;
        private boolean cut;

        void members(String prefix, Map<?, ?> members) {
            members.forEach((name, value) -> member(prefix + name, value));
        }

        private void member(String name, @Nullable Object value) {
            if (room <= 0) {
                return;
            }
            if (value instanceof Map<?, ?> inner && !inner.isEmpty()) {
                members(name + ".", inner);
                return;
            }
            String text = value instanceof List<?> items
                    ? String.join(
                            ", ",
                            items.stream().limit(VALUE).map(String::valueOf).toList())
                    : String.valueOf(value);
            String shown = text.length() > VALUE ? text.substring(0, VALUE) + "…" : text;
            String called = name.length() > 100 ? name.substring(0, 100) + "…" : name;
            cut |= text.length() > VALUE;
            rows.add(new Row(called, shown));
            room -= shown.length() + called.length() + 50;
        }
    }
}
