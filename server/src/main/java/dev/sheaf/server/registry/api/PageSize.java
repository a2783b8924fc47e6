package dev.sheaf.server.registry.api;

import dev.sheaf.model.Problem;
import dev.sheaf.server.http.message.Call;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// `n` and `last`, the paging parameters of lists under /v2 (distribution-spec, "Listing Tags").
///
/// @param count the most entries; limited, because anyone can send any number
/// @param last only entries that sort after this text; empty for the first ones
public record PageSize(int count, String last) {
    private static final int MAX = 10_000;

    /// @throws dev.sheaf.model.ProblemException bad-request if either is not valid
    static PageSize of(Call call) {
        String last = call.query("last").orElse("");
        if (last.indexOf('\0') >= 0) { // PostgreSQL cannot compare with it
            throw new Problem.BadRequest("last must not contain NUL").raise();
        }
        return new PageSize(call.query("n").map(PageSize::count).orElse(MAX), last);
    }

    public static int count(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new Problem.BadRequest("n must be a whole number, 0 or more").raise();
        }
        return (int) Math.min(MAX, Long.parseLong(text));
    }

    /// Returns the Link to the page after the one that ends with `shown`.
    String next(Call call, String filters, String shown) {
        return "<" + call.rawPath() + "?" + filters + "n=" + count + "&last=" + encode(shown) + ">; rel=\"next\"";
    }

    /// Encodes a text for a query. A plus means itself here, so a space is not encoded as plus.
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
