package dev.sheaf.server.db;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/// A transaction in progress, handed to `…Rows`. Bound to its thread; of no use after the work has returned.
public final class Tx {
    private final Handle handle;
    private final Dialect dialect;
    private final Instant now;
    private final List<Change> changes = new ArrayList<>();
    private final Map<Class<?>, Gathering> gatherings = new LinkedHashMap<>();

    Tx(Handle handle, Dialect dialect, Instant now) {
        this.handle = handle;
        this.dialect = dialect;
        this.now = now;
    }

    public Handle handle() {
        return handle;
    }

    public Dialect dialect() {
        return dialect;
    }

    /// The database's time, in whole milliseconds, the same throughout the transaction.
    public Instant now() {
        return now;
    }

    /// Says that something cached has changed: once the transaction has committed, every node drops what it holds
    /// of it; this node before the write returns, others within a second.
    public void changed(Change change) {
        changes.add(change);
    }

    /// What is gathered over a transaction and settled at its end: inside it, after the work and before the commit.
    /// What [#settle] throws undoes the transaction.
    public interface Gathering {
        void settle(Tx tx);
    }

    /// This transaction's one gathering of that kind; `first` makes it.
    public <G extends Gathering> G gather(Class<G> kind, Supplier<G> first) {
        return kind.cast(gatherings.computeIfAbsent(kind, missing -> first.get()));
    }

    void settle() {
        gatherings.values().forEach(gathering -> gathering.settle(this));
    }

    List<Change> changes() {
        return changes;
    }
}
