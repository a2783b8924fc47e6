package dev.sheaf.server.v2;

import dev.sheaf.model.Problem;
import dev.sheaf.server.http.message.Call;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// `n` and `last`, by which lists under /v2 are cut (distribution-spec, "Listing Tags").
///
/// @param count at most so many entries; clamped, since it is anybody's number
/// @param last only entries that sort after this text; empty: from the first
public record PageSize(int count, String last) {
    private static final int MAX = 10_000;

    /// @throws dev.sheaf.model.ProblemException bad-request where either cannot be read
    static PageSize of(Call call) {
        String last = call.query("last").orElse("");
        if (last.indexOf('\0') >= 0) { // which PostgreSQL could not compare with
            throw new Problem.BadRequest("last must not hold NUL").raise();
        }
        return new PageSize(call.query("n").map(PageSize::count).orElse(MAX), last);
    }

    public static int count(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new Problem.BadRequest("n must be a whole number that is not negative").raise();
        }
        return (int) Math.min(MAX, Long.parseLong(text));
    }

    /// The Link to the page behind the one that ends with `shown`.
    String next(Call call, String filters, String shown) {
        return "<" + call.rawPath() + "?" + filters + "n=" + count + "&last=" + encode(shown) + ">; rel=\"next\"";
    }

    /// A plus is a plus in a query here, so a space is none.
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
