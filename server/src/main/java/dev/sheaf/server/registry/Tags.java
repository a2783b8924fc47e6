package dev.sheaf.server.registry;

import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tags of repositories, sorted by the bytes of their names. Thread-safe. Which tags may move is decided where
/// things are published, not here.
public final class Tags {
    /// Why a tag is where it is.
    public enum Kind {
        /// Names a version; made by publishing it, and never moves.
        VERSION,
        /// Kept by the service, such as `latest`.
        MANAGED,
        /// Set by hand.
        USER
    }

    private final Database database;

    public Tags(Database database) {
        this.database = database;
    }

    /// Points a tag at a manifest of the repository, whatever it pointed to before.
    public void set(Tx tx, Repository repository, String name, long manifestId, Kind kind, String actor) {
        TagRows.set(tx, repository.id(), name, manifestId, kind, actor);
        Repositories.announce(tx, repository.name());
    }

    /// Removes a tag; false where there was none.
    public boolean remove(Tx tx, Repository repository, String name) {
        boolean removed = TagRows.remove(tx, repository.id(), name);
        if (removed) {
            Repositories.announce(tx, repository.name());
        }
        return removed;
    }

    public Optional<TagRecord> find(Repository repository, String name) {
        return database.read(tx -> find(tx, repository, name));
    }

    public Optional<TagRecord> find(Tx tx, Repository repository, String name) {
        return TagRows.find(tx, repository.id(), name);
    }

    /// At most `limit` tags whose names sort after `after`; null: from the first.
    public List<TagRecord> list(Repository repository, @Nullable String after, int limit) {
        return database.read(tx -> list(tx, repository, after, limit));
    }

    public List<TagRecord> list(Tx tx, Repository repository, @Nullable String after, int limit) {
        return TagRows.after(tx, repository.id(), after == null ? "" : after, limit);
    }

    public List<TagRecord> pointingAt(Repository repository, long manifestId) {
        return database.read(tx -> pointingAt(tx, repository, manifestId));
    }

    public List<TagRecord> pointingAt(Tx tx, Repository repository, long manifestId) {
        return TagRows.pointingAt(tx, repository.id(), manifestId);
    }
}
