package dev.sheaf.engine.db.pipeline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.db.mapping.StatementValues;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Inserts of one row, `INSERT … VALUES (…) …`, written for many rows at once. The database takes the rows in their
/// order.
public final class ManyRows {
    /// Large numbers of rows are sent in parts of these sizes, which keeps the number of different texts small.
    private static final List<Integer> PARTS = List.of(64, 16);

    private static final int TEXTS = 1_000;
    private static final String VALUES = "VALUES (";
    private static final Pattern NAME = Pattern.compile("(?<!:):(?!now\\b)(\\w)");

    private record Key(String sql, int rows) {}

    private static final Cache<Key, String> KNOWN =
            Caffeine.newBuilder().maximumSize(TEXTS).build();

    private ManyRows() {}

    /// Passes on the statements that insert the items.
    ///
    /// @param values the values that are the same for all items
    public static void of(
            String sql,
            List<?> items,
            @Nullable Object[] values,
            BiConsumer<String, StatementPipeline.Binding> statements) {
        for (var part : parts(items)) {
            String text = KNOWN.get(new Key(sql, part.size()), ManyRows::text);
            statements.accept(text, (statement, prefix) -> {
                StatementValues.bind(statement, prefix, values);
                for (int i = 0; i < part.size(); i++) {
                    StatementValues.bind(statement, prefix + row(i), values);
                    StatementValues.bindItem(statement, prefix + row(i), part.get(i));
                }
            });
        }
    }

    private static List<List<?>> parts(List<?> items) {
        var parts = new ArrayList<List<?>>();
        int from = 0;
        for (int size : PARTS) {
            for (; items.size() - from >= size; from += size) {
                parts.add(items.subList(from, from + size));
            }
        }
        if (from < items.size()) {
            parts.add(items.subList(from, items.size()));
        }
        return parts;
    }

    private static String text(Key key) {
        String sql = key.sql();
        int from = sql.indexOf(VALUES) + VALUES.length() - 1;
        int to = closing(sql, from) + 1;
        String one = sql.substring(from, to);
        return IntStream.range(0, key.rows())
                .mapToObj(i -> NAME.matcher(one).replaceAll(":" + row(i) + "$1"))
                .collect(Collectors.joining(", ", sql.substring(0, from), sql.substring(to)));
    }

    private static int closing(String sql, int opening) {
        int depth = 0;
        for (int i = opening; i < sql.length(); i++) {
            char c = sql.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException("a statement for many rows has VALUES (…): " + sql);
    }

    private static String row(int number) {
        return "r" + number + "_";
    }
}
