package dev.sheaf.server.http.message;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.Page;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The requested page of a list (contract 1.3). A cursor is the last key of a page, preceded by a digest of the
/// list's path and filters: it survives inserts, grants nothing, and is refused for other lists.
public final class PageRequest {
    private static final int DEFAULT = 20;
    private static final int MAX = 100;
    private static final int MARK = 16;

    private final Call call; // of the API or of a page
    private final String mark;
    private final int limit;
    private final @Nullable String after;

    private PageRequest(Call call, String mark, int limit, @Nullable String after) {
        this.call = call;
        this.mark = mark;
        this.limit = limit;
        this.after = after;
    }

    /// Reads `limit` and `cursor`; `filters` are the query parameters that change the content of the list.
    public static PageRequest of(Call call, String... filters) {
        var list = new StringBuilder(call.rawPath());
        for (String filter : filters) {
            list.append('\n').append(filter).append('=').append(call.queryAll(filter));
        }
        String mark = mark(list.toString());
        int limit = limitOf(call);
        return new PageRequest(
                call,
                mark,
                limit,
                call.query("cursor").map(text -> key(text, mark)).orElse(null));
    }

    private static String mark(String list) {
        return Digest.sha256(list.getBytes(StandardCharsets.UTF_8)).hex().substring(0, MARK);
    }

    /// Returns the part of a list that a page of the console shows.
    ///
    /// @param list the name of the list, with the filters that change its content
    /// @param cursor null for the first part
    public static PageRequest of(Call page, String list, int limit, @Nullable String cursor) {
        String mark = mark(page.rawPath() + "\n" + list);
        return new PageRequest(page, mark, limit, cursor == null ? null : key(cursor, mark));
    }

    /// Returns the requested limit of entries.
    public static int limitOf(Call call) {
        return call.query("limit", PageRequest::limit).orElse(DEFAULT);
    }

    private static int limit(String text) {
        if (!text.matches("[0-9]{1,18}") || Long.parseLong(text) == 0) {
            throw Problem.invalid("range", "the limit must be a number from 1 to " + MAX);
        }
        return (int) Math.min(Long.parseLong(text), MAX);
    }

    public static String key(String cursor, String mark) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            if (text.startsWith(mark) && text.indexOf('\0') < 0) { // PostgreSQL cannot compare NUL
                return text.substring(MARK);
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw new Problem.InvalidCursor().raise();
    }

    /// Returns the limit of entries in the page.
    public int limit() {
        return limit;
    }

    /// Returns the number of rows to fetch: one more than the limit, to see whether there is another page.
    public int fetch() {
        return limit + 1;
    }

    /// Returns the key after which the page begins; null for the first page.
    public @Nullable String after() {
        return after;
    }

    /// Fetches rows after a key, or from the first row if it is null.
    public interface Source<R> {
        List<R> after(@Nullable String key, int limit);
    }

    /// Returns the page of rows from a source.
    public <R> Answer show(Source<R> source, Function<R, ?> key) {
        return answer(source.after(after, fetch()), row -> key.apply(row).toString(), Function.identity());
    }

    /// Returns the rows from a source as a record.
    public <R> Page<R> list(Source<R> source, Function<R, ?> key) {
        return list(source.after(after, fetch()), row -> key.apply(row).toString(), Function.identity());
    }

    /// Returns the rows that were fetched as a record.
    public <R, T> Page<T> list(List<R> rows, Function<R, String> key, Function<R, T> wire) {
        boolean more = rows.size() > limit;
        List<R> shown = more ? rows.subList(0, limit) : rows;
        return list(shown.stream().map(wire).toList(), more ? key.apply(shown.getLast()) : null);
    }

    /// Returns entries, which may be fewer than the limit, as a record.
    ///
    /// @param last the key after which the next page begins; null if there is none
    public <T> Page<T> list(List<T> shown, @Nullable String last) {
        return Page.of(shown, cursor(last));
    }

    /// Returns the page of rows that were fetched.
    public <R, T> Answer answer(List<R> rows, Function<R, String> key, Function<R, T> wire) {
        return answer(list(rows, key, wire));
    }

    /// Returns the page of entries, which may be fewer than the limit.
    ///
    /// @param last the key after which the next page begins; null if there is none
    public <T> Answer answer(List<T> shown, @Nullable String last) {
        return answer(list(shown, last));
    }

    private Answer answer(Page<?> page) {
        String next = page.meta().nextCursor();
        var answer = Answer.ok(page);
        return next == null ? answer : answer.with("Link", link(call, "cursor", next));
    }

    /// Returns the cursor of the next page.
    ///
    /// @param last the key after which it begins; null if there is none
    public @Nullable String cursor(@Nullable String last) {
        return last == null
                ? null
                : Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString((mark + last).getBytes(StandardCharsets.UTF_8));
    }

    /// Returns a Link header to the next page: the same request with another cursor.
    public static String link(Call call, String parameter, String next) {
        var query = new StringBuilder();
        for (String pair : call.rawQuery().split("&")) {
            if (!pair.isEmpty() && !pair.startsWith(parameter + "=")) {
                query.append(pair).append('&');
            }
        }
        return "<" + call.baseUrl() + call.rawPath() + "?" + query + parameter + "=" + next + ">; rel=\"next\"";
    }
}
