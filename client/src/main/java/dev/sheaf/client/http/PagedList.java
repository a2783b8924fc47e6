package dev.sheaf.client.http;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.wire.Page;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads lists page by page (contract 1.3).
public final class PagedList {
    private static final int LARGEST = 100;

    private PagedList() {}

    /// Returns the first `most` entries of the list, in the registry's order.
    ///
    /// @param path the path of the list, with or without a query
    public static <T> List<T> read(RegistryTransport transport, String path, Class<T> type, int most) {
        var all = new ArrayList<T>();
        String query = path + (path.indexOf('?') < 0 ? "?" : "&") + "limit=" + Math.min(most, LARGEST);
        @Nullable String cursor = null;
        do {
            String next = cursor == null ? "" : "&cursor=" + HttpCall.encode(cursor);
            Page<T> page = transport.page(HttpCall.get(transport.at(query + next)), type);
            all.addAll(page.data());
            @Nullable String following = page.meta().nextCursor();
            if (following != null && (following.equals(cursor) || page.data().isEmpty())) {
                throw new SheafException.Server("the registry's list at " + path + " does not end");
            }
            cursor = following;
        } while (cursor != null && all.size() < most);
        return List.copyOf(all.subList(0, Math.min(most, all.size())));
    }
}
