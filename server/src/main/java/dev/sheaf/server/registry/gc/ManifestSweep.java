package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.registry.ManifestState;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.content.ManifestRows;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Deletes manifests that nothing needs (no version, tag, index or existing subject), that are not leased, and
/// whose retention time is over.
public final class ManifestSweep implements CollectorSweep {
    private final RetentionPolicy keeping;

    public ManifestSweep(RetentionPolicy keeping) {
        this.keeping = keeping;
    }

    @Override
    public Batch collect(Tx tx, From from) {
        var states = CollectorRows.manifests(tx, CollectorRows.lockManifests(tx, from, BATCH));
        var garbage =
                states.stream().filter(state -> isGarbage(state, tx.now())).toList();
        var deleted = CollectorSweep.delete(tx, garbage, state -> {
                    ManifestRows.delete(tx, state.id());
                    return true;
                })
                .keySet();
        var later = new LinkedHashMap<Long, Instant>();
        states.stream()
                .filter(state -> !deleted.contains(state))
                .forEach(state -> later.put(state.id(), from.beyond(nextLook(state, tx.now()))));
        CollectorRows.lookAtManifests(tx, later);
        CollectorSweep.announce(
                tx, deleted.stream().map(ManifestState::repository).toList());
        return batch(states, deleted);
    }

    boolean isGarbage(ManifestState state, Instant now) {
        return goes(state).filter(end -> !end.isAfter(now)).isPresent();
    }

    private Optional<Instant> goes(ManifestState state) {
        return state.need() == null ? keeping.goes(state) : Optional.empty();
    }

    /// Returns when to look again. It is in the future also for a manifest that could not be deleted.
    private Instant nextLook(ManifestState state, Instant now) {
        return goes(state).filter(end -> end.isAfter(now)).orElseGet(() -> keeping.nextLook(now));
    }

    private static Batch batch(List<ManifestState> states, Set<ManifestState> deleted) {
        return new Batch(deleted.stream().map(ManifestSweep::decision).toList(), states.size(), next(states));
    }

    static Decision decision(ManifestState state) {
        return new Decision(
                state.repository() + "@" + state.digest(),
                reason(state),
                List.of(new Count("manifestsRemoved", 1), new Count("bytesFreed", state.size())));
    }

    static @Nullable Cursor next(List<ManifestState> states) {
        // rows deleted since they were locked make a page shorter, so only an empty page is the last
        return states.isEmpty()
                ? null
                : new Cursor(states.getLast().lookAt(), states.getLast().id(), 0);
    }

    /// Returns why nothing needs the manifest.
    static String reason(ManifestState state) {
        String what = switch (state.releasedBy()) {
            case null -> "it was pushed at " + state.createdAt() + " and nothing has needed it since";
            case TAG -> "it lost its last tag at " + state.releasedAt();
            case INDEX -> "the index that listed it was deleted at " + state.releasedAt();
            case SUBJECT -> "the manifest that it refers to was deleted at " + state.releasedAt();
            case VERSION -> "its version was deleted at " + state.releasedAt();
        };
        return what + ", and its lease ended at " + state.leasedUntil();
    }
}
