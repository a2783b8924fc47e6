package dev.sheaf.server.registry.content;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.StoredFacts;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/// Makes sure that a node works with the store of its installation. In another bucket or folder all content would be
/// missing, and missing content is distrusted on all nodes ([DamagedContent]); and what the other installation has
/// there would
/// be removed, because no row names it.
///
/// The database and the store have the same mark. A store without one is accepted if it has some of the objects that
/// the database names, as after an upgrade or a copy.
public final class StoreOwner {
    private static final String FACT = "store";
    private static final int SOME = 20;
    private static final String CHECK =
            "; check s3-bucket, s3-endpoint and data-dir. Nodes with one database need one bucket";

    private final Database database;
    private final BlobStore store;

    public StoreOwner(Database database, BlobStore store) {
        this.database = database;
        this.store = store;
    }

    /// Marks the database and the store, if they are not.
    ///
    /// @return why this store cannot be used; empty if it can
    public Optional<String> objection() {
        String mark = store.mark().orElse("");
        String known = database.read(tx -> StoredFacts.find(tx, FACT)).orElse("");
        if (mark.isEmpty() || !mark.equals(known)) {
            var why = mark.isEmpty() ? unmarked(known) : marked(mark, known);
            if (why.isPresent()) {
                return why;
            }
            known = agreed(mark.isEmpty() ? UUID.randomUUID().toString() : mark);
        }
        store.mark(known);
        return Optional.empty();
    }

    private Optional<String> marked(String mark, String known) {
        return known.isEmpty() && hasAny(objects())
                ? Optional.empty()
                : Optional.of("the store belongs to another installation: " + store.markPlace() + " says " + mark
                        + ", and the database " + (known.isEmpty() ? "has none of its content" : known) + CHECK);
    }

    private Optional<String> unmarked(String known) {
        var objects = objects();
        if (hasAny(objects) || objects.isEmpty() && known.isEmpty()) {
            return Optional.empty();
        }
        String id = known.isEmpty() ? agreed(UUID.randomUUID().toString()) : known; // the same at the next start
        return Optional.of("this is not the store of the installation: " + store.markPlace() + " is missing"
                + (objects.isEmpty() ? "" : ", and so are objects that the database names") + CHECK
                + ". If it is the right one, write " + id + " into " + store.markPlace());
    }

    private List<BlobRecord> objects() {
        return database.read(tx -> tx.list(
                "SELECT " + BlobRows.COLUMNS_FROM + " WHERE b.object_id IS NOT NULL AND b.state = 'ok' LIMIT :limit",
                BlobRecord.class,
                "limit",
                SOME));
    }

    private boolean hasAny(List<BlobRecord> objects) {
        return objects.stream()
                .anyMatch(blob -> store.open(Objects.requireNonNull(blob.object()), blob.size())
                        .isPresent());
    }

    /// Stores the mark in the database, unless it has one.
    ///
    /// @return that of the database
    private String agreed(String mark) {
        return database.write(tx -> {
            StoredFacts.note(tx, FACT, mark);
            return StoredFacts.find(tx, FACT).orElseThrow();
        });
    }

    /// Marks a store into which a backup was restored. It is that of another installation than the backup's.
    public static void restored(Database database, BlobStore store) {
        if (store.mark().isEmpty()) {
            String mark = UUID.randomUUID().toString();
            database.write(tx -> {
                StoredFacts.forget(tx, FACT);
                return StoredFacts.note(tx, FACT, mark);
            });
            store.mark(mark);
        }
    }
}
