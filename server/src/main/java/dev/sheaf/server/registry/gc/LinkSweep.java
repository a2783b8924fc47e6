package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.DeletionRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Deletes links to blobs if no manifest of the repository refers to them and they are not leased. The last
/// link takes the blob with it. Its bytes are removed later, when no download can be reading them.
public final class LinkSweep implements CollectorSweep {
    private final RetentionPolicy keeping;

    public LinkSweep(RetentionPolicy keeping) {
        this.keeping = keeping;
    }

    @Override
    public Batch collect(Tx tx, From from) {
        var states = CollectorRows.lockLinks(tx, from, BATCH);
        var referenced =
                CollectorRows.referenced(tx, states.stream().map(LinkState::key).toList());
        var garbage = states.stream()
                .filter(state -> !referenced.contains(state.key()) && isOver(state, tx.now()))
                .toList();
        var deleted = CollectorSweep.delete(tx, garbage, state -> {
            BlobRows.unlink(tx, state.key().repositoryId(), state.key().blobId());
            return deleteBlob(tx, state);
        });
        var later = new LinkedHashMap<LinkState.Key, Instant>();
        for (var state : states) {
            if (!deleted.containsKey(state)) {
                boolean isLeased = !referenced.contains(state.key()) && !isOver(state, tx.now());
                later.put(state.key(), from.beyond(isLeased ? state.leasedUntil() : keeping.nextLook(tx.now())));
            }
        }
        CollectorRows.lookAtLinks(tx, later);
        CollectorSweep.announce(
                tx, deleted.keySet().stream().map(LinkState::repository).toList());
        var decisions = new ArrayList<Decision>();
        deleted.forEach((state, isBlobGone) -> decisions.add(decision(state, isBlobGone, keeping.bytesUntil(tx))));
        return new Batch(decisions, states.size(), next(states));
    }

    private boolean deleteBlob(Tx tx, LinkState state) {
        boolean deleted = BlobRows.deleteUnlinked(tx, state.key().blobId());
        if (deleted) {
            DeletionRows.seen(
                    tx,
                    state.blob(),
                    keeping.bytesUntil(tx),
                    state.key().repositoryId(),
                    "collected: " + reason(state));
        }
        return deleted;
    }

    static boolean isOver(LinkState state, Instant now) {
        return !state.leasedUntil().isAfter(now);
    }

    static @Nullable Cursor next(List<LinkState> states) {
        if (states.isEmpty()) {
            return null;
        }
        var last = states.getLast();
        return new Cursor(last.lookAt(), last.key().repositoryId(), last.key().blobId());
    }

    static Decision decision(LinkState state, boolean isBlobGone, Instant bytesGo) {
        var counts = new ArrayList<Count>();
        counts.add(new Count("linksRemoved", 1));
        String reason = reason(state);
        if (isBlobGone) {
            boolean isObject = state.blob().object() != null;
            counts.add(new Count("blobsRemoved", 1));
            counts.add(new Count(
                    isObject ? "bytesQueued" : "bytesFreed", state.blob().size()));
            reason +=
                    "; no other repository holds it" + (isObject ? ", and its bytes are removed after " + bytesGo : "");
        }
        return new Decision(state.repository() + "@" + state.blob().digest(), reason, counts);
    }

    private static String reason(LinkState state) {
        return "no manifest of the repository refers to it, and its lease ended at " + state.leasedUntil();
    }
}
