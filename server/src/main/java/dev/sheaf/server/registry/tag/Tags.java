package dev.sheaf.server.registry.tag;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import dev.sheaf.model.Digest;
import dev.sheaf.server.registry.ReleaseReason;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.ManifestRows;
import dev.sheaf.server.registry.content.StoredManifest;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The tags of repositories, sorted by the bytes of their names. Thread-safe. Publishing decides which tags may
/// move, not this class.
public final class Tags {
    /// The origin of a tag.
    public enum Kind {
        /// Names a version; created by publishing it, and never moves.
        VERSION,
        /// Kept by the service, such as `latest`.
        MANAGED,
        /// Set by hand.
        USER,
        /// Pushed by an OCI client under a name that has a meaning of its own in the API: a range, `latest`, or the
        /// number of a version with other build metadata. Only `/v2` shows it.
        REGISTRY;

        private boolean isRemembered() {
            return this == MANAGED || this == USER;
        }
    }

    private final Database database;

    public Tags(Database database) {
        this.database = database;
    }

    /// Points a tag at a manifest of the repository, wherever it pointed before.
    public void set(Tx tx, Repository repository, String name, StoredManifest to, Kind kind, String actor) {
        boolean moves = kind != Kind.VERSION; // a version's tag is set only once
        set(tx, repository, name, moves ? find(tx, repository, name).orElse(null) : null, to, kind, actor);
    }

    /// Sets a tag that the transaction has already read.
    ///
    /// @param before null if the tag does not exist
    public void set(
            Tx tx,
            Repository repository,
            String name,
            @Nullable TagRecord before,
            StoredManifest to,
            Kind kind,
            String actor) {
        set(tx, repository, List.of(new Move(name, before, to, kind, false)), actor);
    }

    /// A tag to set.
    ///
    /// @param before null if the tag does not exist
    /// @param keeps whether a version needs the manifest that it pointed to
    public record Move(String name, @Nullable TagRecord before, StoredManifest to, Kind kind, boolean keeps) {
        private boolean isMoved() {
            return before == null || before.manifestId() != to.id();
        }
    }

    /// Sets tags that the transaction has already read.
    public void set(Tx tx, Repository repository, List<Move> moves, String actor) {
        for (var move : moves) {
            var before = move.before();
            if (move.kind().isRemembered() && !move.to().digest().equals(digest(before))) {
                remember(tx, repository, move.name(), digest(before), move.to().digest(), actor);
            } else if (move.kind() == Kind.REGISTRY && digest(before) instanceof Digest gone) {
                remember(tx, repository, move.name(), gone, null, actor);
            }
            if (move.isMoved() && before != null && !move.keeps()) {
                ManifestRows.release(tx, before.manifestId(), ReleaseReason.TAG);
            }
        }
        TagRows.set(tx, repository.id(), moves, actor);
        Repositories.announce(tx, repository.name());
    }

    /// Removes a tag. Returns false if it did not exist.
    public boolean remove(Tx tx, Repository repository, String name, String actor) {
        var before = TagRows.find(tx, repository.id(), name);
        if (before.isEmpty() || !TagRows.remove(tx, repository.id(), name)) {
            return false;
        }
        ManifestRows.release(tx, before.get().manifestId(), ReleaseReason.TAG);
        if (before.get().kind().isRemembered()) {
            remember(tx, repository, name, before.get().digest(), null, actor);
        }
        Repositories.announce(tx, repository.name());
        return true;
    }

    private static @Nullable Digest digest(@Nullable TagRecord before) {
        return before != null && before.kind().isRemembered() ? before.digest() : null;
    }

    /// Writes the history. All moves of tags go through here.
    public static void remember(
            Tx tx, Repository repository, String name, @Nullable Digest before, @Nullable Digest after, String actor) {
        TagHistoryRows.insert(tx, repository.id(), name, before, after, actor);
    }

    /// Protects a tag against being moved or removed by hand, or removes the protection. Only code that sets
    /// tags by hand checks it.
    public void protect(Tx tx, Repository repository, String name, boolean protect) {
        TagRows.protect(tx, repository.id(), name, protect);
    }

    /// Returns the moves of a tag before the one numbered `before`, newest first.
    public List<TagMove> history(Tx tx, Repository repository, String name, long before, int limit) {
        return TagHistoryRows.before(tx, repository.id(), name, before, limit);
    }

    public Optional<TagMove> move(Tx tx, Repository repository, String name, UUID id) {
        return TagHistoryRows.find(tx, repository.id(), name, id);
    }

    /// Returns tags that are not version numbers: at most `limit` whose names sort after `after`, or the first
    /// ones if `after` is null.
    public List<TagRecord> named(Tx tx, Repository repository, @Nullable String after, int limit) {
        return TagRows.named(tx, repository.id(), after == null ? "" : after, limit);
    }

    public Optional<TagRecord> find(Tx tx, Repository repository, String name) {
        return TagRows.find(tx, repository.id(), name);
    }

    /// Returns the tags that exist, by name.
    public PipelineAnswer<Map<String, TagRecord>> find(Tx tx, Repository repository, Collection<String> names) {
        return TagRows.find(tx, repository.id(), names)
                .map(rows -> rows.stream().collect(Collectors.toMap(TagRecord::name, Function.identity())));
    }

    /// Returns the names of at most `limit` tags that sort after `after`, or of the first ones if `after` is
    /// null.
    public List<String> names(Repository repository, @Nullable String after, int limit) {
        return database.read(tx -> TagRows.names(tx, repository.id(), after == null ? "" : after, limit));
    }

    /// Returns the tags that point to a manifest, by name. A manifest and its tags belong to the same
    /// repository.
    public List<TagRecord> pointingAt(Tx tx, long manifestId) {
        return TagRows.pointingAt(tx, manifestId);
    }

    /// Deletes moves from before a moment.
    ///
    /// @return how many; fewer than `limit` if no more are due
    public static int removeMoves(Tx tx, Instant before, int limit) {
        return TagHistoryRows.remove(tx, before, limit);
    }
}
