package dev.sheaf.engine.db.pipeline;

import java.util.Iterator;
import java.util.List;
import org.jdbi.v3.core.result.ResultIterable;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.StatementContext;

/// Rows that were read earlier, in the form of rows that are being read.
final class FetchedRows<T> implements ResultIterator<T> {
    private final Iterator<T> rows;

    private FetchedRows(Iterator<T> rows) {
        this.rows = rows;
    }

    static <T> ResultIterable<T> of(List<T> rows) {
        return ResultIterable.of(new FetchedRows<>(rows.iterator()));
    }

    @Override
    public boolean hasNext() {
        return rows.hasNext();
    }

    @Override
    public T next() {
        return rows.next();
    }

    @Override
    public void close() {
        // the result was closed after the rows were read
    }

    @Override
    public StatementContext getContext() {
        throw new UnsupportedOperationException("its statement is closed");
    }
}
