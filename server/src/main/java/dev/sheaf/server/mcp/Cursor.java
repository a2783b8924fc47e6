package dev.sheaf.server.mcp;

import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.http.message.Paging;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// Where lists go on, as clients hand it back: opaque, good for the list that it came from only.
///
/// @param mark of the list
record Cursor(String mark) {
    private static final int MARK = 16;
    private static final int LONGEST = 1_000;

    /// @param list all that says which list it is
    static Cursor of(String... list) {
        byte[] bytes = String.join("\n", list).getBytes(StandardCharsets.UTF_8);
        return new Cursor(Digest.sha256(bytes).hex().substring(0, MARK));
    }

    /// The key after which the page begins; null for the first.
    ///
    /// @throws RpcError where the cursor is none of this list
    @Nullable
    String key(@Nullable String cursor) {
        try {
            if (cursor == null || cursor.length() <= LONGEST) {
                return cursor == null ? null : Paging.key(cursor, mark);
            }
        } catch (ProblemException e) {
            // falls through to the one message
        }
        throw wrong();
    }

    static RpcError wrong() {
        return RpcError.params("the cursor is none of this list; begin again without one");
    }

    String after(String key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString((mark + key).getBytes(StandardCharsets.UTF_8));
    }
}
