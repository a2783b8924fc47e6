package dev.sheaf.engine.db.mapping;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.mapper.ColumnMappers;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/// The values of a statement: name, value, name, value…, where a record or a map stands for all its entries.
public final class StatementValues {
    private StatementValues() {}

    /// Returns whether one of the values is an empty collection, so that no row can match.
    public static boolean areOfNone(@Nullable Object[] values) {
        for (var value : values) {
            if (value instanceof Collection<?> entries && entries.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    public static void bind(SqlStatement<?> statement, @Nullable Object[] values) {
        bind(statement, "", values);
    }

    /// @param prefix put before the names in the statement
    public static void bind(SqlStatement<?> statement, String prefix, @Nullable Object[] values) {
        for (int i = 0; i < values.length; i++) {
            switch (Objects.requireNonNull(values[i])) {
                case Record row -> RecordColumns.bind(statement, prefix, row);
                case Map<?, ?> row -> bind(statement, prefix, row);
                case Object name -> bind(statement, prefix + name, values[++i]);
            }
        }
    }

    /// Binds one item of a batch: a map entry is `:key` and `:value`; anything other than a record or map is
    /// `:each`.
    ///
    /// @param prefix put before the names in the statement
    public static void bindItem(SqlStatement<?> statement, String prefix, Object item) {
        switch (item) {
            case Record row
            when RecordColumns.isRow(row.getClass(), statement.getConfig(ColumnMappers.class)) ->
                RecordColumns.bind(statement, prefix, row);
            case Map<?, ?> row -> bind(statement, prefix, row);
            case Map.Entry<?, ?> entry ->
                statement.bind(prefix + "key", entry.getKey()).bind(prefix + "value", entry.getValue());
            default -> statement.bind(prefix + "each", item);
        }
    }

    private static void bind(SqlStatement<?> statement, String prefix, Map<?, ?> row) {
        row.forEach((name, value) -> bind(statement, prefix + name, value));
    }

    private static void bind(SqlStatement<?> statement, String name, @Nullable Object value) {
        if (value instanceof Collection<?> entries) {
            statement.bindList(name, List.copyOf(entries));
        } else {
            statement.bind(name, value);
        }
    }
}
