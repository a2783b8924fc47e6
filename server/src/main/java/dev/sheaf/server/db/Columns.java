package dev.sheaf.server.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Reads columns in the forms in which the vocabulary is stored, for row mappers that are written by hand: on the
/// path of a push, finding a record's constructor by reflection cost more than the statements did.
public final class Columns {
    private Columns() {}

    /// Milliseconds since 1970.
    public static Instant instant(ResultSet row, String column) throws SQLException {
        return Instant.ofEpochMilli(row.getLong(column));
    }

    public static @Nullable Instant nullableInstant(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }

    /// True or false, stored as 1 or 0.
    public static @Nullable Boolean flag(ResultSet row, String column) throws SQLException {
        int flag = row.getInt(column);
        return row.wasNull() ? null : flag != 0;
    }

    /// The same for a parameter.
    public static @Nullable Integer flag(@Nullable Boolean flag) {
        return flag == null ? null : flag ? 1 : 0;
    }

    public static UUID uuid(ResultSet row, String column) throws SQLException {
        return UUID.fromString(row.getString(column));
    }
}
