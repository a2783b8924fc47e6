package dev.sheaf.server.testing;

import dev.sheaf.engine.db.Database;
import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/// The statements that requests make at PostgreSQL while they are watched, each with its values. Those of
/// timers, whose threads are not virtual, are not among them, nor those that number and deliver events afterwards
/// or keep the installation tidy. On SQLite nothing is seen: its connections are opened once, at the start.
public final class Statements {
    private static final Pattern OF_NO_REQUEST = Pattern.compile(
            "event-numbering|feed-waking|webhook-scribe|job-clock|work-(housekeeping|gc|sweep|retention|archives|dependents).*");

    private static final int MOST_REPEATS = 10;

    private final Database database;

    public Statements(Database database) {
        this.database = database;
    }

    /// One statement as the database gets it.
    public record Statement(String sql, List<String> values) {
        @Override
        public String toString() {
            return sql.strip().replaceAll("\\s+", " ") + " " + values;
        }
    }

    /// What some work asks of the database, in order.
    public List<Statement> of(Runnable work) {
        var seen = Collections.synchronizedList(new ArrayList<Statement>());
        var settings = jdbi().getConfig(SqlStatements.class);
        settings.setSqlLogger(new SqlLogger() {
            @Override
            public void logBeforeExecution(StatementContext context) {
                String sql = Objects.requireNonNull(context.getParsedSql()).getSql();
                var thread = Thread.currentThread();
                boolean isOfRequest = thread.isVirtual()
                        && !OF_NO_REQUEST.matcher(thread.getName()).matches();
                if (isOfRequest && !sql.startsWith("SET TRANSACTION")) {
                    seen.add(new Statement(sql, values(context)));
                }
            }
        });
        try {
            work.run();
        } finally {
            settings.setSqlLogger(SqlLogger.NOP_SQL_LOGGER);
        }
        return List.copyOf(seen);
    }

    /// The same of work that was done before and asks nothing while the node knows that nothing changed. On a busy
    /// machine a node looks for changes late, and asks in the meantime. So the work is done until it asks nothing,
    /// but no more than ten times.
    public List<Statement> ofRepeated(Runnable work) {
        var statements = of(work);
        for (int i = 1; i < MOST_REPEATS && !statements.isEmpty(); i++) {
            statements = of(work);
        }
        return statements;
    }

    /// The statements that were made more than once with the same values, and how often.
    public static Map<Statement, Integer> repeated(List<Statement> statements) {
        var times = new LinkedHashMap<Statement, Integer>();
        statements.forEach(statement -> times.merge(statement, 1, Integer::sum));
        times.values().removeIf(count -> count == 1);
        return times;
    }

    /// The library's own object: nothing but a test wants it.
    private Jdbi jdbi() {
        try {
            var field = database.getClass().getDeclaredField("jdbi");
            field.setAccessible(true);
            return (Jdbi) field.get(database);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The values of a statement's parameters, as its arguments hand them to the driver.
    @SuppressWarnings("removal") // there is no other way to ask
    private static List<String> values(StatementContext context) {
        var parameters = Objects.requireNonNull(context.getParsedSql()).getParameters();
        var values = new ArrayList<String>();
        for (int i = 0; i < parameters.getParameterCount(); i++) {
            var argument = parameters.isPositional()
                    ? context.getBinding().findForPosition(i)
                    : context.getBinding()
                            .findForName(parameters.getParameterNames().get(i), context);
            try {
                argument.orElseThrow().apply(i + 1, recording(values), context);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
        return List.copyOf(values);
    }

    /// A statement that only notes what it is given: every setter has a position and then the value.
    private static PreparedStatement recording(List<String> values) {
        return (PreparedStatement) Proxy.newProxyInstance(
                Statements.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                (proxy, method, arguments) -> {
                    if (method.getName().startsWith("set") && arguments.length > 1) {
                        values.add(method.getName().equals("setNull") ? "null" : text(arguments[1]));
                    }
                    return null;
                });
    }

    private static String text(@Nullable Object value) {
        return value instanceof byte[] bytes ? bytes.length + " bytes #" + Arrays.hashCode(bytes) : "" + value;
    }
}
