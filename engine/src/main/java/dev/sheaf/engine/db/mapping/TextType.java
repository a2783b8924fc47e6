package dev.sheaf.engine.db.mapping;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.sql.Types;
import java.util.Arrays;
import java.util.Optional;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jspecify.annotations.Nullable;

/// Types that are stored as text: our types whose static method `ofStored`, or else `parse`, reads what `toString`
/// writes. A record of several such types is not one of them: it is as many columns.
final class TextType {
    private static final String STORED = "ofStored";
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
            if (!isOurs || type.isEnum() || isSeveral(type)) {
                return Optional.empty();
            }
            boolean isStored = Arrays.stream(type.getDeclaredMethods())
                    .anyMatch(method -> method.getName().equals(STORED));
            return Optional.of(MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                    .findStatic(type, isStored ? STORED : "parse", MethodType.methodType(type, String.class))
                    .asType(PARSE));
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(type + " cannot be read", e);
        }
    }

    private static boolean isSeveral(Class<?> type) {
        return type.isRecord()
                && type.getRecordComponents().length > 1
                && Arrays.stream(type.getRecordComponents()).allMatch(component -> is(component.getType()));
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
