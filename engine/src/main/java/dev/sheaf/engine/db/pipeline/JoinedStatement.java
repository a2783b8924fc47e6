package dev.sheaf.engine.db.pipeline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The text that sends several statements at once. Parameters of different statements may have the same name,
/// so the parameters of each statement get a number.
///
/// Plain inserts into different tables that follow each other become one statement with common table expressions:
/// they read nothing, and foreign keys are checked at the end of a statement, so their order does not matter.
///
/// @param places the position of each statement's result among the results of the text
record JoinedStatement(String text, List<Integer> places) {
    private static final int TEXTS = 2_000;
    private static final Pattern NAME = Pattern.compile("(?<!:):(?!now\\b)(\\w)");
    private static final Pattern LIST = Pattern.compile("<(\\w+)>");
    private static final Pattern INSERT =
            Pattern.compile("\\s*INSERT\\s+INTO\\s+(\\w+)\\s*\\([^()]*\\)\\s*VALUES\\b.*", Pattern.DOTALL);
    private static final Pattern MORE = Pattern.compile("\\b(ON\\s+CONFLICT|RETURNING|SELECT)\\b");

    private static final Cache<List<String>, JoinedStatement> KNOWN =
            Caffeine.newBuilder().maximumSize(TEXTS).build();

    JoinedStatement {
        places = List.copyOf(places);
    }

    int place(int statement) {
        return places.get(statement);
    }

    static String prefix(int statement) {
        return "s" + statement + "_";
    }

    /// @param end a statement to add without changes; empty if there is none
    static JoinedStatement of(List<String> statements, String end) {
        var all = new ArrayList<>(statements);
        all.add(end);
        return KNOWN.get(all, JoinedStatement::made);
    }

    private static JoinedStatement made(List<String> all) {
        var groups = new ArrayList<List<String>>();
        var places = new ArrayList<Integer>();
        var tables = new HashSet<String>();
        for (int i = 0; i < all.size() - 1; i++) {
            String table = table(all.get(i));
            if (table.isEmpty() || tables.isEmpty() || !tables.add(table)) {
                groups.add(new ArrayList<>());
                tables.clear();
                if (!table.isEmpty()) {
                    tables.add(table);
                }
            }
            groups.getLast().add(numbered(all.get(i), i));
            places.add(groups.size() - 1);
        }
        var texts = groups.stream().map(JoinedStatement::together).collect(Collectors.toCollection(ArrayList::new));
        if (!all.getLast().isEmpty()) {
            texts.add(all.getLast());
        }
        return new JoinedStatement(String.join(";\n", texts), places);
    }

    /// Returns the table of a plain insert; empty for any other statement.
    private static String table(String sql) {
        var insert = INSERT.matcher(sql);
        return insert.matches() && !MORE.matcher(sql).find() ? insert.group(1) : "";
    }

    private static String numbered(String sql, int number) {
        String names = NAME.matcher(sql).replaceAll(":" + prefix(number) + "$1");
        return LIST.matcher(names).replaceAll("<" + prefix(number) + "$1>").strip();
    }

    private static String together(List<String> group) {
        int last = group.size() - 1;
        return last == 0
                ? group.getFirst()
                : IntStream.range(0, last)
                                .mapToObj(i -> "w" + i + " AS (" + group.get(i) + ")")
                                .collect(Collectors.joining(",\n", "WITH ", "\n"))
                        + group.getLast();
    }
}
