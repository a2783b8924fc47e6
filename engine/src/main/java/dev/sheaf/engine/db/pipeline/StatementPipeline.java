package dev.sheaf.engine.db.pipeline;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/// Statements of a transaction on PostgreSQL that are sent together in one message. The driver sends statements
/// separated by semicolons one after another and then waits for all answers; each is prepared on its own. Each sees
/// what those before it wrote, and what others had committed when it began. If one fails, those after it do not run,
/// and neither does a commit.
public final class StatementPipeline {
    private static final int MAX = 24; // keeps the number of different texts small

    private final Handle handle;
    private final Instant now;
    private final List<Waiting> queue = new ArrayList<>();

    public StatementPipeline(Handle handle, Instant now) {
        this.handle = handle;
        this.now = now;
    }

    /// Binds the values of a statement, whose parameters have this prefix.
    public interface Binding {
        void bind(SqlStatement<?> statement, String prefix);
    }

    /// Chooses how to read the rows of a query.
    public interface Reading<T> {
        RowMapper<T> in(StatementContext context);
    }

    /// @param result null if nobody needs it
    private record Waiting(
            String sql, Binding values, @Nullable Result<?> result) {
        boolean isExpected() {
            return result != null && result.isExpected();
        }
    }

    public boolean isEmpty() {
        return queue.isEmpty();
    }

    /// Adds a change whose number of rows nobody needs.
    public void add(String sql, Binding values) {
        add(new Waiting(sql, values, null));
    }

    /// Adds a query.
    public <T> PipelineAnswer<List<T>> ask(String sql, Binding values, Reading<T> reading) {
        return ask(sql, values, (statement, context) -> {
            var rows = Objects.requireNonNull(statement.getResultSet(), "a query has rows");
            var mapper = reading.in(context).specialize(rows, context);
            var found = new ArrayList<T>();
            while (rows.next()) {
                found.add(mapper.map(rows, context));
            }
            return found;
        });
    }

    /// Adds a change.
    public PipelineAnswer<Integer> count(String sql, Binding values) {
        return ask(sql, values, (statement, context) -> statement.getUpdateCount());
    }

    private <T> PipelineAnswer<T> ask(String sql, Binding values, Source<T> source) {
        var result = new Result<>(source);
        add(new Waiting(sql, values, result));
        return result;
    }

    private void add(Waiting one) {
        if (queue.size() == MAX) {
            send("");
        }
        queue.add(one);
    }

    /// Sends what waits, and reads all results.
    ///
    /// @param end a statement without values, to be sent after the others; empty if there is none. It is not
    /// sent alone
    public void send(String end) {
        if (queue.isEmpty()) {
            return;
        }
        var sent = List.copyOf(queue);
        forget();
        var joined = JoinedStatement.of(sent.stream().map(Waiting::sql).toList(), end);
        try (var statement = handle.createQuery(joined.text())) {
            statement.bind("now", now);
            for (int i = 0; i < sent.size(); i++) {
                sent.get(i).values().bind(statement, JoinedStatement.prefix(i));
            }
            statement.execute((executed, context) -> {
                read(sent, joined, executed.get(), context);
                return sent;
            });
        }
        for (var one : sent) {
            var result = one.result();
            if (result != null) {
                result.goOn();
            }
        }
    }

    /// Sends the waiting statements if code waits for a result.
    public void sendExpected() {
        while (queue.stream().anyMatch(Waiting::isExpected)) {
            send("");
        }
    }

    private static void read(
            List<Waiting> sent, JoinedStatement joined, PreparedStatement statement, StatementContext context)
            throws SQLException {
        int at = 0;
        for (int i = 0; i < sent.size(); i++) {
            var result = sent.get(i).result();
            if (result != null) {
                for (; at < joined.place(i); at++) {
                    statement.getMoreResults();
                }
                result.read(statement, context);
            }
        }
    }

    /// Drops the statements that were not sent, because the work that they belong to is undone.
    public void forget() {
        queue.clear();
    }

    private interface Source<T> {
        T read(PreparedStatement statement, StatementContext context) throws SQLException;
    }

    private final class Result<T> implements PipelineAnswer<T> {
        private final Source<T> source;
        private final List<Consumer<? super T>> next = new ArrayList<>();
        private @Nullable T value;

        Result(Source<T> source) {
            this.source = source;
        }

        void read(PreparedStatement statement, StatementContext context) throws SQLException {
            value = source.read(statement, context);
        }

        boolean isExpected() {
            return !next.isEmpty();
        }

        void goOn() {
            next.forEach(one -> one.accept(get()));
        }

        @Override
        public T get() {
            if (value == null) {
                send("");
            }
            return Objects.requireNonNull(value, "the statement was undone before it was sent");
        }

        @Override
        public void then(Consumer<? super T> consumer) {
            if (value == null) {
                next.add(consumer);
            } else {
                consumer.accept(value);
            }
        }
    }
}
