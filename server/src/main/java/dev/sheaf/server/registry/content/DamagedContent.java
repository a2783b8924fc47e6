package dev.sheaf.server.registry.content;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RepositoryRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Handles stored bytes that do not match their digest. Damaged content is distrusted: at once and on every
/// node it counts as missing, so that clients upload it again, which repairs it. Its owners are notified of
/// both. Thread-safe.
public final class DamagedContent {
    public static final String MISSING = "its bytes are missing or have another length";
    public static final String ALTERED = "its bytes have another digest";
    public static final String UNREADABLE = "the disk can no longer read its bytes";

    private static final Logger LOG = LoggerFactory.getLogger(DamagedContent.class);
    private static final int NAMED = 100;

    private final Database database;

    public DamagedContent(Database database) {
        this.database = database;
    }

    public static boolean has(byte[] bytes, Digest digest) {
        return Digest.of(digest.algorithm(), bytes).equals(digest);
    }

    /// Marks a blob as damaged unless its bytes were replaced meanwhile.
    ///
    /// @param why a clause
    /// @return false if that changed nothing
    public boolean report(BlobRecord blob, String why) {
        boolean changed = database.write(tx -> {
            boolean marked = !isWholeAfterAll(tx, blob) && BlobRows.suspect(tx, blob);
            if (marked) {
                tell(
                        tx,
                        blob,
                        repositories -> new Event.BlobDamaged(
                                blob.digest().toString(), first(repositories), repositories.size(), why));
            }
            return marked;
        });
        if (changed) {
            LOG.error(
                    "the blob {} is damaged ({}; {}); upload it again to repair it, or run the task scrub when its bytes are back",
                    blob.digest(),
                    why,
                    blob.object() == null ? "in the database" : blob.object());
        }
        return changed;
    }

    /// Checks content in the database once more, because it may have been repaired meanwhile. An object never
    /// changes under its name.
    private static boolean isWholeAfterAll(Tx tx, BlobRecord blob) {
        return blob.object() == null
                && BlobRows.content(tx, blob.id())
                        .filter(content -> has(content, blob.digest()))
                        .isPresent();
    }

    /// Trusts an undamaged blob again. Returns false if that changed nothing.
    public boolean retract(BlobRecord blob) {
        return database.write(tx -> {
            boolean changed = BlobRows.trust(tx, blob);
            if (changed) {
                healed(tx, blob, "its bytes are correct again");
            }
            return changed;
        });
    }

    /// Announces that a blob has correct bytes again, and has the versions read that could not be read without it.
    static void healed(Tx tx, BlobRecord blob, String how) {
        BlobRows.readAgain(tx, blob.id());
        tell(
                tx,
                blob,
                repositories ->
                        new Event.BlobHealed(blob.digest().toString(), first(repositories), repositories.size(), how));
        LOG.info("the damaged blob {} was repaired: {}", blob.digest(), how);
    }

    /// Announces the change to every node and writes an event for each organization that holds the blob.
    private static void tell(Tx tx, BlobRecord blob, Function<List<Repository>, Event> event) {
        Map<UUID, List<Repository>> owners = new LinkedHashMap<>();
        for (var repository : RepositoryRows.thatHold(tx, blob.id())) {
            Repositories.announce(tx, repository.name());
            owners.computeIfAbsent(repository.organizationId(), id -> new ArrayList<>())
                    .add(repository);
        }
        owners.forEach((organization, repositories) -> OutboxRows.emit(tx, organization, event.apply(repositories)));
    }

    private static List<String> first(List<Repository> repositories) {
        return repositories.stream()
                .limit(NAMED)
                .map(repository -> repository.name().toString())
                .toList();
    }

    /// Marks a manifest as damaged unless it was repaired meanwhile. Returns false if that changed nothing.
    public boolean report(ManifestRecord manifest) {
        boolean changed = database.write(tx -> {
            var content = ManifestRows.content(tx, manifest.id());
            boolean marked =
                    content.filter(bytes -> has(bytes, manifest.digest())).isEmpty()
                            && ManifestRows.suspect(tx, manifest.id());
            if (marked) {
                String why = content.isPresent() ? ALTERED : MISSING;
                tell(
                        tx,
                        manifest.id(),
                        name -> new Event.ManifestDamaged(
                                name, manifest.digest().toString(), why));
            }
            return marked;
        });
        if (changed) {
            LOG.error("the manifest {} is damaged; push it again to repair it", manifest.digest());
        }
        return changed;
    }

    /// Trusts an undamaged manifest again. Returns false if that changed nothing.
    public boolean retract(ManifestRecord manifest) {
        return database.write(tx -> {
            boolean changed = ManifestRows.trust(tx, manifest.id());
            if (changed) {
                healed(tx, manifest.id(), manifest.digest(), "its bytes are correct again");
            }
            return changed;
        });
    }

    /// Replaces the bytes of a damaged manifest.
    static void heal(Tx tx, long manifestId, ManifestDocument document) {
        ManifestRows.setContent(tx, manifestId, document.bytes());
        ManifestRows.trust(tx, manifestId);
        healed(tx, manifestId, document.digest(), "replaced by a new push");
    }

    private static void healed(Tx tx, long manifestId, Digest digest, String how) {
        tell(tx, manifestId, name -> new Event.ManifestHealed(name, digest.toString(), how));
        LOG.info("the damaged manifest {} was repaired: {}", digest, how);
    }

    private static void tell(Tx tx, long manifestId, Function<String, Event> event) {
        RepositoryRows.ofManifest(tx, manifestId).ifPresent(repository -> {
            Repositories.announce(tx, repository.name());
            OutboxRows.emit(
                    tx,
                    repository.organizationId(),
                    event.apply(repository.name().toString()));
        });
    }
}
