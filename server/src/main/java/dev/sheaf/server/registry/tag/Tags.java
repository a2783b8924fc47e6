package dev.sheaf.server.registry.tag;

import dev.sheaf.model.Digest;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.Release;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.ManifestRows;
import dev.sheaf.server.registry.content.StoredManifest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
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
    public void set(Tx tx, Repository repository, String name, StoredManifest to, Kind kind, String actor) {
        boolean moves = kind != Kind.VERSION; // whose tag is set once
        set(tx, repository, name, moves ? find(tx, repository, name).orElse(null) : null, to, kind, actor);
    }

    /// The same where the transaction knows the tag already.
    ///
    /// @param before null: there is no such tag
    public void set(
            Tx tx,
            Repository repository,
            String name,
            @Nullable TagRecord before,
            StoredManifest to,
            Kind kind,
            String actor) {
        TagRows.set(tx, repository.id(), name, to.id(), kind, actor);
        boolean moved = before == null || before.manifestId() != to.id();
        if (moved && before != null) {
            ManifestRows.release(tx, before.manifestId(), Release.TAG);
        }
        if (moved && kind != Kind.VERSION) {
            remember(tx, repository, name, before == null ? null : before.digest(), to.digest(), actor);
        }
        Repositories.announce(tx, repository.name());
    }

    /// Removes a tag; false where there was none.
    public boolean remove(Tx tx, Repository repository, String name, String actor) {
        var before = TagRows.find(tx, repository.id(), name);
        if (before.isEmpty() || !TagRows.remove(tx, repository.id(), name)) {
            return false;
        }
        ManifestRows.release(tx, before.get().manifestId(), Release.TAG);
        if (before.get().kind() != Kind.VERSION) {
            remember(tx, repository, name, before.get().digest(), null, actor);
        }
        Repositories.announce(tx, repository.name());
        return true;
    }

    /// The history is written here and nowhere else, whoever moves a tag.
    private static void remember(
            Tx tx, Repository repository, String name, @Nullable Digest before, @Nullable Digest after, String actor) {
        TagHistoryRows.insert(tx, repository.id(), name, before, after, actor);
    }

    /// Protects a tag against being moved or removed by hand, or lifts that. Only who sets tags asks for it.
    public void protect(Tx tx, Repository repository, String name, boolean protect) {
        TagRows.protect(tx, repository.id(), name, protect);
    }

    /// The moves of a tag, newest first, those before the one numbered `before`.
    public List<TagMove> history(Tx tx, Repository repository, String name, long before, int limit) {
        return TagHistoryRows.before(tx, repository.id(), name, before, limit);
    }

    public Optional<TagMove> move(Tx tx, Repository repository, String name, UUID id) {
        return TagHistoryRows.find(tx, repository.id(), name, id);
    }

    /// The tags that are no version's number: at most `limit` whose names sort after `after`; null: from the first.
    public List<TagRecord> named(Tx tx, Repository repository, @Nullable String after, int limit) {
        return TagRows.named(tx, repository.id(), after == null ? "" : after, limit);
    }

    public Optional<TagRecord> find(Repository repository, String name) {
        return database.read(tx -> find(tx, repository, name));
    }

    public Optional<TagRecord> find(Tx tx, Repository repository, String name) {
        return TagRows.find(tx, repository.id(), name);
    }

    /// Those of the tags that are there, by name.
    public Map<String, TagRecord> find(Tx tx, Repository repository, Collection<String> names) {
        return TagRows.find(tx, repository.id(), names).stream()
                .collect(Collectors.toMap(TagRecord::name, Function.identity()));
    }

    /// The names of at most `limit` tags, those that sort after `after`; null: from the first.
    public List<String> names(Repository repository, @Nullable String after, int limit) {
        return database.read(tx -> TagRows.names(tx, repository.id(), after == null ? "" : after, limit));
    }

    /// The tags that point to a manifest, by name. A manifest belongs to one repository, and so do they.
    public List<TagRecord> pointingAt(Tx tx, long manifestId) {
        return TagRows.pointingAt(tx, manifestId);
    }
}
