package dev.sheaf.model.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One page of a list (contract 1.3). Both members of `meta` are always present.
public record Page<T>(List<T> data, Meta meta) {
    public Page {
        data = List.copyOf(data);
    }

    /// `nextCursor` is opaque; null on the last page.
    public record Meta(@Nullable String nextCursor, boolean hasMore) {}

    /// Returns a page; without a cursor it is the last one.
    public static <T> Page<T> of(List<T> data, @Nullable String nextCursor) {
        return new Page<>(data, new Meta(nextCursor, nextCursor != null));
    }
}
