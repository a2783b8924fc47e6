package dev.sheaf.engine.db.pipeline;

import dev.sheaf.engine.db.mapping.StatementValues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterable;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/// Sends the statements of a transaction: at once, or together with others ([StatementPipeline]). A statement that is
/// sent at once takes the waiting ones along, so the order is kept. On SQLite no statement waits.
public final class StatementSender {
    private final Handle handle;
    private final Instant now;
    private final boolean waits;
    private final StatementPipeline pipeline;

    /// @param waits whether statements may wait for others
    public StatementSender(Handle handle, Instant now, boolean waits) {
        this.handle = handle;
        this.now = now;
        this.waits = waits;
        this.pipeline = new StatementPipeline(handle, now);
    }

    public StatementPipeline pipeline() {
        return pipeline;
    }

    /// Returns the handle after everything that waited was sent.
    public Handle handle() {
        pipeline.send("");
        return handle;
    }

    /// Binds a statement's values.
    public <S extends SqlStatement<S>> S bound(S statement, @Nullable Object[] values) {
        statement.bind("now", now);
        StatementValues.bind(statement, values);
        return statement;
    }

    private static StatementPipeline.Binding binding(@Nullable Object[] values) {
        return (statement, prefix) -> StatementValues.bind(statement, prefix, values);
    }

    /// Returns how to read rows, or values of a single column, of this type.
    public static <T> StatementPipeline.Reading<T> as(Class<T> type) {
        return context -> context.findMapperFor(type).orElseThrow();
    }

    /// Sends a query.
    public <T> ResultIterable<T> rows(String sql, StatementPipeline.Reading<T> reading, @Nullable Object[] values) {
        if (!pipeline.isEmpty()) {
            return FetchedRows.of(pipeline.ask(sql, binding(values), reading).get());
        }
        var query = bound(handle.createQuery(sql), values);
        return query.map(reading.in(query.getContext()));
    }

    /// Sends a query, or lets it wait.
    public <T> PipelineAnswer<List<T>> soon(
            String sql, StatementPipeline.Reading<T> reading, @Nullable Object[] values) {
        if (waits && !StatementValues.areOfNone(values)) {
            return pipeline.ask(sql, binding(values), reading);
        }
        List<T> known = StatementValues.areOfNone(values)
                ? List.of()
                : rows(sql, reading, values).list();
        return PipelineAnswer.of(known);
    }

    /// Sends a change. Returns the number of rows.
    public int change(String sql, @Nullable Object[] values) {
        return pipeline.isEmpty()
                ? bound(handle.createUpdate(sql), values).execute()
                : pipeline.count(sql, binding(values)).get();
    }

    /// Sends a change, or lets it wait.
    public void later(String sql, @Nullable Object[] values) {
        if (waits) {
            pipeline.add(sql, binding(values));
        } else {
            change(sql, values);
        }
    }

    /// Sends a change for each item as one batch. Returns the numbers of rows.
    public int[] each(String sql, Iterable<?> items, @Nullable Object[] values) {
        var batch = handle().prepareBatch(sql);
        for (Object item : items) {
            bound(batch, values);
            StatementValues.bindItem(batch, "", item);
            batch.add();
        }
        return batch.size() == 0 ? new int[0] : batch.execute();
    }

    /// Sends an insert of a row for each item, or lets it wait.
    public void laterEach(String sql, Collection<?> items, @Nullable Object[] values) {
        if (waits) {
            ManyRows.of(sql, List.copyOf(items), values, pipeline::add);
        } else {
            each(sql, items, values);
        }
    }

    /// Sends an insert of a row for each item, or lets it wait. Answers with what it returns of all rows.
    public <T> PipelineAnswer<List<T>> soonEach(
            String sql, StatementPipeline.Reading<T> reading, Collection<?> items, @Nullable Object[] values) {
        var answers = new ArrayList<PipelineAnswer<List<T>>>();
        if (waits) {
            ManyRows.of(
                    sql,
                    List.copyOf(items),
                    values,
                    (text, binding) -> answers.add(pipeline.ask(text, binding, reading)));
        } else {
            for (Object item : items) {
                var query = bound(handle.createQuery(sql), values);
                StatementValues.bindItem(query, "", item);
                var found = query.map(reading.in(query.getContext())).list();
                answers.add(PipelineAnswer.of(found));
            }
        }
        return PipelineAnswer.ofAll(answers);
    }
}
