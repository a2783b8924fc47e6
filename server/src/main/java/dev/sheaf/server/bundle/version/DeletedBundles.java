package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.bundle.DeletedBundle;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.TrashRows;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The deleted bundles of an organization that can still be restored, for those who may restore them.
/// Thread-safe.
public final class DeletedBundles {
    private final Database database;

    public DeletedBundles(Database database) {
        this.database = database;
    }

    /// Lists the deleted bundles of the caller's organization, the last deleted first.
    ///
    /// @param after the [#key] after which the list begins; null for the beginning
    /// @throws ProblemException forbidden for a credential that is restricted to a part of the organization
    public List<DeletedBundle> list(Caller.Known caller, @Nullable String after, int limit) {
        Access.whole(caller);
        var place = after == null ? null : place(after);
        return database
                .read(tx -> TrashRows.list(
                        tx, caller.organizationId(), tx.now().minus(BundleDeletion.RESTORABLE), place, limit))
                .stream()
                .map(DeletedBundles::shown)
                .toList();
    }

    /// Returns the place of an entry in the list.
    public static String key(DeletedBundle bundle) {
        return bundle.deletedAt().toEpochMilli() + " " + bundle.ref();
    }

    private static TrashRows.Place place(String key) {
        int space = key.indexOf(' ');
        try {
            return new TrashRows.Place(
                    Instant.ofEpochMilli(Long.parseLong(key.substring(0, Math.max(0, space)))),
                    RepositoryName.parseAny(key.substring(space + 1)));
        } catch (NumberFormatException | ProblemException e) {
            throw new Problem.InvalidCursor().raise();
        }
    }

    /// Finds a deleted bundle of the caller's organization. Bundles of others are not found, deleted or not.
    public Optional<DeletedBundle> find(Caller.Known caller, RepositoryName name) {
        return Access.owns(caller, caller.organizationId(), name)
                ? database.read(tx -> TrashRows.find(
                                tx, caller.organizationId(), tx.now().minus(BundleDeletion.RESTORABLE), name))
                        .map(DeletedBundles::shown)
                : Optional.empty();
    }

    /// Counts the deleted bundles of the caller's organization.
    public long count(Caller.Known caller) {
        return database.read(
                tx -> TrashRows.count(tx, caller.organizationId(), tx.now().minus(BundleDeletion.RESTORABLE)));
    }

    private static DeletedBundle shown(TrashRows.Row row) {
        return new DeletedBundle(
                row.ref().namespace().value(),
                row.ref().bundle().value(),
                row.ref().toString(),
                row.title(),
                row.deletedAt(),
                row.deletedBy() == null ? "" : row.deletedBy(),
                row.deleteReason(),
                row.deletedAt().plus(BundleDeletion.RESTORABLE),
                row.versions());
    }
}
