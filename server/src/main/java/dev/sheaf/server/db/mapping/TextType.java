package dev.sheaf.server.db.mapping;

import dev.sheaf.model.RepositoryName;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.sql.Types;
import java.util.Optional;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jspecify.annotations.Nullable;

/// Types that are stored as text: our types whose static method `parse` reads what `toString` writes. A repository
/// name is not one of them; it is two columns.
final class TextType {
    private static final MethodType PARSE = MethodType.methodType(Object.class, String.class);
    private static final ClassValue<Optional<MethodHandle>> PARSERS = new ClassValue<>() {
        @Override
        protected Optional<MethodHandle> computeValue(Class<?> type) {
            return find(type);
        }
    };

    private TextType() {}

    private static Optional<MethodHandle> find(Class<?> type) {
        try {
            boolean isOurs = type.getPackageName().startsWith("dev.sheaf.");
            return isOurs && !type.isEnum() && type != RepositoryName.class
                    ? Optional.of(MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                            .findStatic(type, "parse", MethodType.methodType(type, String.class))
                            .asType(PARSE))
                    : Optional.empty();
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(type + " cannot be read", e);
        }
    }

    static boolean is(Type type) {
        return type instanceof Class<?> ours && PARSERS.get(ours).isPresent();
    }

    static Optional<ColumnMapper<?>> mapper(Type type, ConfigRegistry config) {
        return type instanceof Class<?> ours ? PARSERS.get(ours).map(TextType::reader) : Optional.empty();
    }

    private static ColumnMapper<@Nullable Object> reader(MethodHandle parser) {
        return (row, column, context) -> {
            String text = row.getString(column);
            try {
                return text == null ? null : parser.invokeExact(text);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e); // parsers declare no checked exceptions
            }
        };
    }

    static Argument argument(@Nullable Object value) {
        return (position, statement, context) -> {
            if (value == null) {
                statement.setNull(position, Types.VARCHAR);
            } else {
                statement.setString(position, value.toString());
            }
        };
    }
}
