package dev.sheaf.engine.db;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A table as the database describes it.
///
/// @param key the columns of its primary key, in order
/// @param identity the auto-increment column; null if there is none
/// @param references the other tables that its foreign keys refer to
public record TableInfo(
        String name,
        List<String> columns,
        List<String> key,
        @Nullable String identity,
        Set<String> references) {
    public TableInfo {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        references = Set.copyOf(references);
    }
}
