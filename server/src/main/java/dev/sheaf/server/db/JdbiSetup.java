package dev.sheaf.server.db;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Digest;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Handle;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Role;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import java.lang.reflect.Type;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.argument.ArgumentFactory;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jdbi.v3.core.mapper.ColumnMapperFactory;

/// How the vocabulary travels to and from columns: values as their text, times as milliseconds.
final class JdbiSetup {
    private JdbiSetup() {}

    static Jdbi over(ConnectionFactory connections) {
        var jdbi = Jdbi.create(connections);
        jdbi.registerRowMapper(RecordColumns::mapper);
        argument(
                jdbi, Instant.class, Types.BIGINT, (value, position, to) -> to.setLong(position, value.toEpochMilli()));
        jdbi.registerColumnMapper(Instant.class, (row, column, context) -> {
            long millis = row.getLong(column);
            return row.wasNull() ? null : Instant.ofEpochMilli(millis);
        });
        jdbi.registerColumnMapper(new EnumWords());
        jdbi.registerArgument((ArgumentFactory) (type, value, config) -> value instanceof Enum<?>
                ? Optional.of((position, statement, context) -> statement.setString(position, value.toString()))
                : Optional.empty());
        text(jdbi, UUID.class, UUID::fromString);
        text(jdbi, Digest.class, Digest::parse);
        text(jdbi, Version.class, Version::parse);
        text(jdbi, Namespace.class, Namespace::parse);
        text(jdbi, BundleName.class, BundleName::parse);
        text(jdbi, Handle.class, Handle::parse);
        text(jdbi, EmailAddress.class, EmailAddress::parse);
        text(jdbi, Role.class, Role::parse);
        text(jdbi, LogicalPath.class, LogicalPath::new);
        text(jdbi, Visibility.class, Visibility::parse);
        text(jdbi, AssetType.class, AssetType::ofInput);
        return jdbi;
    }

    /// Other vocabulary that is an enum, by the words that its values have as texts.
    private static final class EnumWords implements ColumnMapperFactory {
        @Override
        public Optional<ColumnMapper<?>> build(Type type, ConfigRegistry config) {
            return type instanceof Class<?> known && known.isEnum()
                    ? Optional.of((row, column, context) -> {
                        String text = row.getString(column);
                        return text == null ? null : value(known, text);
                    })
                    : Optional.empty();
        }

        private static Object value(Class<?> type, String text) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(value -> value.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(text + " is no " + type.getSimpleName()));
        }
    }

    private static <T> void text(Jdbi jdbi, Class<T> type, Function<String, T> parse) {
        jdbi.registerColumnMapper(type, (row, column, context) -> {
            String text = row.getString(column);
            return text == null ? null : parse.apply(text);
        });
        argument(
                jdbi,
                type,
                Types.VARCHAR,
                (value, position, statement) -> statement.setString(position, value.toString()));
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
