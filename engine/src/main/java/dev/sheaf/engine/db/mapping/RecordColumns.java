package dev.sheaf.engine.db.mapping;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jdbi.v3.core.mapper.ColumnMappers;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/// Maps records to rows: a component `publishedAt` is the column `published_at` of a query and the value
/// `:publishedAt` of a statement. A component that is itself a record, and not a column type, stands for its own
/// components. The components of a record class are determined once. JDBI's own mapper does that at each query,
/// which took longer than the statements of a push.
public final class RecordColumns {
    private static final Pattern UPPER = Pattern.compile("([A-Z])");
    private static final ClassValue<RecordColumns> KNOWN = new ClassValue<>() {
        @Override
        protected RecordColumns computeValue(Class<?> type) {
            return new RecordColumns(type);
        }
    };

    private static final Map<Class<?>, Boolean> ROWS = new ConcurrentHashMap<>();
    private static final MethodType ACCESSOR = MethodType.methodType(Object.class, Object.class);
    private static final MethodType CONSTRUCTOR = MethodType.methodType(Object.class, Object[].class);

    private final RecordComponent[] components;
    private final String[] columns;
    private final MethodHandle[] accessors;
    private final MethodHandle constructor;
    private volatile @Nullable RowMapper<@Nullable Object> mapper;

    private RecordColumns(Class<?> type) {
        components = type.getRecordComponents();
        columns = Arrays.stream(components)
                .map(component ->
                        UPPER.matcher(component.getName()).replaceAll("_$1").toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
        try {
            var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            accessors = new MethodHandle[components.length];
            for (int i = 0; i < accessors.length; i++) {
                accessors[i] = lookup.unreflect(components[i].getAccessor()).asType(ACCESSOR);
            }
            constructor = lookup.unreflectConstructor(type.getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new)))
                    .asSpreader(Object[].class, components.length)
                    .asType(CONSTRUCTOR);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " cannot be a row", e);
        }
    }

    /// @param prefix put before the names of its values
    public static void bind(SqlStatement<?> statement, String prefix, Record row) {
        var known = KNOWN.get(row.getClass());
        for (int i = 0; i < known.accessors.length; i++) {
            var accessor = known.accessors[i];
            Object value = call(() -> (Object) accessor.invokeExact((Object) row));
            if (value instanceof Record part && isRow(part.getClass(), statement.getConfig(ColumnMappers.class))) {
                bind(statement, prefix, part);
            } else {
                statement.bind(prefix + known.components[i].getName(), value);
            }
        }
    }

    /// Returns a mapper of rows if the type is a row record.
    static Optional<RowMapper<?>> mapper(java.lang.reflect.Type type, ConfigRegistry config) {
        var columns = config.get(ColumnMappers.class);
        return type instanceof Class<?> record && isRow(record, columns)
                ? Optional.of(KNOWN.get(record).mapper(columns))
                : Optional.empty();
    }

    /// Returns whether the type is a record with several columns, rather than one column like a digest.
    public static boolean isRow(Class<?> type, ColumnMappers columns) {
        return type.isRecord()
                && ROWS.computeIfAbsent(type, asked -> columns.findFor(asked).isEmpty());
    }

    /// Returns the mapper, which is the same for all databases.
    private RowMapper<@Nullable Object> mapper(ColumnMappers registered) {
        var known = mapper;
        if (known == null) {
            known = made(registered, "");
            mapper = known;
        }
        return known;
    }

    private RowMapper<@Nullable Object> made(ColumnMappers registered, String prefix) {
        var leaves = new @Nullable ColumnMapper<?>[components.length];
        var parts = new @Nullable RowMapper<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            var component = components[i];
            if (isRow(component.getType(), registered)) {
                parts[i] = part(component, registered, prefix);
            } else {
                leaves[i] = registered
                        .findFor(component.getGenericType())
                        .orElseThrow(() -> new IllegalArgumentException(component + " has a type that no column has"));
            }
        }
        return new Mapper(prefix, leaves, parts, true);
    }

    private static RowMapper<@Nullable Object> part(
            RecordComponent component, ColumnMappers registered, String prefix) {
        var known = KNOWN.get(component.getType());
        var own = component.getAnnotation(ColumnPrefix.class);
        String all = own == null ? prefix : prefix + own.value();
        return all.isEmpty() ? known.mapper(registered) : known.made(registered, all);
    }

    /// Reads rows. The positions of the columns are determined once per result: JDBI would ask for their names for
    /// each value.
    private final class Mapper implements RowMapper<@Nullable Object> {
        private final String prefix;
        private final @Nullable ColumnMapper<?>[] leaves;
        private final @Nullable RowMapper<?>[] parts;
        private final boolean isShared;
        private int @Nullable [] places;

        /// @param isShared whether it is shared by all results, and so stores nothing of one result
        Mapper(String prefix, @Nullable ColumnMapper<?>[] leaves, @Nullable RowMapper<?>[] parts, boolean isShared) {
            this.prefix = prefix;
            this.leaves = leaves;
            this.parts = parts;
            this.isShared = isShared;
        }

        @Override
        public RowMapper<@Nullable Object> specialize(ResultSet rows, StatementContext context) throws SQLException {
            var own = parts.clone();
            for (int i = 0; i < own.length; i++) {
                var part = own[i];
                own[i] = part == null ? null : part.specialize(rows, context);
            }
            return new Mapper(prefix, leaves, own, false);
        }

        @Override
        public @Nullable Object map(ResultSet row, StatementContext context) throws SQLException {
            var at = places;
            if (at == null) {
                at = find(row);
                places = isShared ? null : at;
            }
            var values = new @Nullable Object[at.length];
            for (int i = 0; i < values.length; i++) {
                var leaf = leaves[i];
                var part = parts[i];
                values[i] = leaf != null
                        ? leaf.map(row, at[i], context)
                        : Objects.requireNonNull(part).map(row, context);
            }
            return call(() -> (Object) constructor.invokeExact(values));
        }

        private int[] find(ResultSet row) throws SQLException {
            var found = new int[leaves.length];
            for (int i = 0; i < found.length; i++) {
                found[i] = leaves[i] == null ? 0 : row.findColumn(prefix + columns[i]);
            }
            return found;
        }
    }

    private interface Call {
        @Nullable
        Object now() throws Throwable;
    }

    private static @Nullable Object call(Call call) {
        try {
            return call.now();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // accessors of records declare no checked exceptions
        }
    }
}
