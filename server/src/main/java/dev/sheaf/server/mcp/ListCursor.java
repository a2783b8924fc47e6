package dev.sheaf.server.mcp;

import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.http.message.PageRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// A cursor marks the place where a list continues. It is opaque to clients, and valid only for its list.
///
/// @param mark identifies the list
record ListCursor(String mark) {
    private static final int MARK = 16;
    private static final int LONGEST = 1_000;

    /// @param list everything that identifies the list
    static ListCursor of(String... list) {
        byte[] bytes = String.join("\n", list).getBytes(StandardCharsets.UTF_8);
        return new ListCursor(Digest.sha256(bytes).hex().substring(0, MARK));
    }

    /// Returns the key after which the page begins; null for the first page.
    ///
    /// @throws RpcError if the cursor does not belong to this list
    @Nullable
    String key(@Nullable String cursor) {
        try {
            if (cursor == null || cursor.length() <= LONGEST) {
                return cursor == null ? null : PageRequest.key(cursor, mark);
            }
        } catch (ProblemException e) {
            // reported below
        }
        throw wrong();
    }

    static RpcError wrong() {
        return RpcError.params("the cursor does not belong to this list; start again without one");
    }

    String after(String key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString((mark + key).getBytes(StandardCharsets.UTF_8));
    }
}
