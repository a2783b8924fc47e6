package dev.sheaf.engine.db.mapping;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.argument.ArgumentFactory;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jdbi.v3.core.mapper.ColumnMapperFactory;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.statement.StatementExceptions.MessageRendering;

/// Maps our types to columns: values as their text ([TextType]), enums as lower-case text, times as milliseconds,
/// true as 1.
public final class JdbiSetup {
    /// Keeps parsed statements, for all databases of the process.
    private static final SqlParser PARSER = new ColonPrefixSqlParser();

    private JdbiSetup() {}

    /// @param logger receives the durations of statements
    public static Jdbi over(ConnectionFactory connections, SqlLogger logger) {
        var jdbi = Jdbi.create(connections);
        // a record may have more components than a statement uses
        jdbi.getConfig(SqlStatements.class).setUnusedBindingAllowed(true);
        jdbi.getConfig(SqlStatements.class).setSqlLogger(logger);
        jdbi.getConfig(SqlStatements.class).setSqlParser(PARSER);
        // messages would contain values otherwise
        jdbi.getConfig(StatementExceptions.class).setMessageRendering(MessageRendering.NONE);
        jdbi.registerRowMapper(RecordColumns::mapper);
        jdbi.registerColumnMapper(TextType::mapper);
        ArgumentFactory.Preparable texts =
                (type, config) -> TextType.is(type) ? Optional.of(TextType::argument) : Optional.empty();
        jdbi.registerArgument(texts);
        words(jdbi);
        text(jdbi, UUID.class, UUID::fromString);
        argument(
                jdbi, Instant.class, Types.BIGINT, (value, position, to) -> to.setLong(position, value.toEpochMilli()));
        jdbi.registerColumnMapper(Instant.class, (row, column, context) -> {
            long millis = row.getLong(column);
            return row.wasNull() ? null : Instant.ofEpochMilli(millis);
        });
        argument(jdbi, Boolean.class, Types.INTEGER, (value, position, to) -> to.setInt(position, value ? 1 : 0));
        return jdbi;
    }

    private static void words(Jdbi jdbi) {
        jdbi.registerColumnMapper((ColumnMapperFactory) (type, config) ->
                type instanceof Class<?> kind && kind.isEnum() ? Optional.of(words(kind)) : Optional.empty());
        ArgumentFactory.Preparable factory = (declared, config) -> declared instanceof Class<?> kind && kind.isEnum()
                ? Optional.of(value -> (position, statement, context) -> statement.setString(
                        position, value == null ? null : value.toString().toLowerCase(Locale.ROOT)))
                : Optional.empty();
        jdbi.registerArgument(factory);
    }

    private static ColumnMapper<?> words(Class<?> kind) {
        var constants = Arrays.stream(kind.getEnumConstants())
                .collect(Collectors.toMap(
                        constant -> constant.toString().toLowerCase(Locale.ROOT), constant -> constant));
        return (row, column, context) -> {
            String text = row.getString(column);
            if (text == null) {
                return null;
            }
            var found = constants.get(text.toLowerCase(Locale.ROOT)); // uploads store theirs in capitals
            if (found == null) {
                throw new IllegalStateException(text + " is not a value of " + kind);
            }
            return found;
        };
    }

    private static <T> void text(Jdbi jdbi, Class<T> type, Function<String, T> parse) {
        jdbi.registerColumnMapper(type, (row, column, context) -> {
            String text = row.getString(column);
            return text == null ? null : parse.apply(text);
        });
        argument(jdbi, type, Types.VARCHAR, (value, position, to) -> to.setString(position, value.toString()));
    }

    private interface Setter<T> {
        void set(T value, int position, PreparedStatement statement) throws SQLException;
    }

    private static <T> void argument(Jdbi jdbi, Class<T> type, int sqlType, Setter<T> setter) {
        ArgumentFactory.Preparable factory = (declared, config) -> declared.equals(type)
                ? Optional.of(value -> (position, statement, context) -> {
                    if (value == null) {
                        statement.setNull(position, sqlType);
                    } else {
                        setter.set(type.cast(value), position, statement);
                    }
                })
                : Optional.empty();
        jdbi.registerArgument(factory);
    }
}
