package dev.sheaf.server.db;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.server.db.mapping.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// Statements of a transaction on PostgreSQL whose results nobody needs, sent together in one message. The driver
/// sends statements separated by semicolons one after another and then waits for all answers; each is prepared on
/// its own. If one fails, those after it do not run, and neither does a commit.
final class Postponed {
    private static final int MAX = 16; // keeps the number of different texts small
    private static final int TEXTS = 1_000;
    private static final Pattern NAME = Pattern.compile(":(?!now\\b)(\\w)");

    /// Joined statements by their texts.
    private static final Cache<List<String>, String> KNOWN =
            Caffeine.newBuilder().maximumSize(TEXTS).build();

    private final List<String> texts = new ArrayList<>();
    private final List<@Nullable Object[]> values = new ArrayList<>();

    void add(Handle handle, Instant now, String sql, @Nullable Object[] its) {
        texts.add(sql);
        values.add(its);
        if (texts.size() == MAX) {
            send(handle, now, "");
        }
    }

    /// @param end a statement without values, to be sent after the others; empty for none. It is not sent alone
    void send(Handle handle, Instant now, String end) {
        if (texts.isEmpty()) {
            return;
        }
        var all = new ArrayList<>(texts);
        all.add(end);
        try (var statement = handle.createUpdate(KNOWN.get(all, Postponed::joined))) {
            statement.bind("now", now);
            for (int i = 0; i < values.size(); i++) {
                Values.bind(statement, prefix(i), values.get(i));
            }
            forget();
            statement.execute();
        }
    }

    void forget() {
        texts.clear();
        values.clear();
    }

    /// Joins the statements. Their parameters may have the same names, so each statement's get a number.
    private static String joined(List<String> all) {
        return IntStream.range(0, all.size())
                .mapToObj(i -> NAME.matcher(all.get(i))
                        .replaceAll(":" + prefix(i) + "$1")
                        .strip())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(";\n"));
    }

    private static String prefix(int number) {
        return "s" + number + "_";
    }
}
