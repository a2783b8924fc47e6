package dev.sheaf.server.http.message;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.Page;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Which page of a list was asked for (contract 1.3). A cursor is the last key of a page behind a digest of the
/// list's path and filters: it survives inserts, grants nothing, and is refused elsewhere.
public final class Paging {
    private static final int DEFAULT = 20;
    private static final int MAX = 100;
    private static final int MARK = 16;

    private final Call call;
    private final String mark;
    private final int limit;
    private final @Nullable String after;

    private Paging(Call call, String mark, int limit, @Nullable String after) {
        this.call = call;
        this.mark = mark;
        this.limit = limit;
        this.after = after;
    }

    /// Reads `limit` and `cursor`; `filters` are the query parameters that change what the list holds.
    public static Paging of(Call call, String... filters) {
        var list = new StringBuilder(call.rawPath());
        for (String filter : filters) {
            list.append('\n').append(filter).append('=').append(call.queryAll(filter));
        }
        String mark = Digest.sha256(list.toString().getBytes(StandardCharsets.UTF_8))
                .hex()
                .substring(0, MARK);
        int limit = limitOf(call);
        return new Paging(
                call,
                mark,
                limit,
                call.query("cursor").map(text -> key(text, mark)).orElse(null));
    }

    /// How many entries a page may have that was asked for.
    public static int limitOf(Call call) {
        return call.query("limit", Paging::limit).orElse(DEFAULT);
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
            if (text.startsWith(mark) && text.indexOf('\0') < 0) { // which PostgreSQL could not compare with
                return text.substring(MARK);
            }
        } catch (IllegalArgumentException e) {
            // falls through: a cursor that is none
        }
        throw new Problem.InvalidCursor().raise();
    }

    /// How many entries the page has at most.
    public int limit() {
        return limit;
    }

    /// How many rows to fetch: one more than the page holds, to see whether there is another.
    public int fetch() {
        return limit + 1;
    }

    /// The key after which the page begins, or null for the first page.
    public @Nullable String after() {
        return after;
    }

    /// Fetches rows behind a key, or from the first on where that is null.
    public interface Source<R> {
        List<R> after(@Nullable String key, int limit);
    }

    /// The page of what a source has.
    public <R> Answer show(Source<R> source, Function<R, ?> key) {
        return answer(source.after(after, fetch()), row -> key.apply(row).toString(), Function.identity());
    }

    /// The page out of what was fetched.
    public <R, T> Answer answer(List<R> rows, Function<R, String> key, Function<R, T> wire) {
        boolean more = rows.size() > limit;
        List<R> shown = more ? rows.subList(0, limit) : rows;
        return answer(shown.stream().map(wire).toList(), more ? key.apply(shown.getLast()) : null);
    }

    /// The page of what is shown, which may be less than was asked for.
    ///
    /// @param last the key after which the next page begins; null: there is none
    public <T> Answer answer(List<T> shown, @Nullable String last) {
        String next = last == null ? null : cursor(last);
        var answer = Answer.ok(Page.of(shown, next));
        return next == null ? answer : answer.with("Link", link(call, "cursor", next));
    }

    private String cursor(String key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString((mark + key).getBytes(StandardCharsets.UTF_8));
    }

    /// A header line that leads to the page behind a cursor: the same request with that in place of its own.
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
