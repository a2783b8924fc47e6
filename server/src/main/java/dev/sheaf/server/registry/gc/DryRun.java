package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.server.registry.ManifestState;
import dev.sheaf.server.registry.RetentionPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds what the collector would delete now. It changes nothing, so it remembers what would already be gone:
/// the references of manifests and the links of blobs.
final class DryRun {
    /// Above this number it no longer tracks references of manifests, to save memory.
    private static final int IN_MIND = 200_000;

    private final Database database;
    private final RetentionPolicy keeping;
    private final ManifestSweep manifests;
    private final Map<LinkState.Key, Integer> references = new HashMap<>();
    private final Map<Long, Integer> links = new HashMap<>();

    DryRun(Database database, RetentionPolicy keeping) {
        this.database = database;
        this.keeping = keeping;
        this.manifests = new ManifestSweep(keeping);
    }

    /// A link that would be deleted.
    ///
    /// @param holders how many repositories hold the blob now
    private record Loose(LinkState state, int holders) {}

    private record Page<T>(List<T> found, CollectorSweep.@Nullable Cursor next) {}

    void run(TaskRun run) {
        var until = database.now();
        var start = new CollectorSweep.From(CollectorSweep.Cursor.START, until);
        for (var from = start; from != null; from = manifests(run, from)) {}
        for (var from = start; from != null; from = links(run, from)) {}
        var keys = new ArrayList<>(references.keySet());
        for (int i = 0; i < keys.size(); i += CollectorSweep.BATCH) {
            run.checkpoint();
            var batch = keys.subList(i, Math.min(i + CollectorSweep.BATCH, keys.size()));
            tell(run, database.read(tx -> loosened(tx, batch)));
        }
    }

    private CollectorSweep.@Nullable From manifests(TaskRun run, CollectorSweep.From from) {
        run.checkpoint();
        var page = database.read(tx -> {
            var states = CollectorRows.manifests(tx, CollectorRows.dueManifests(tx, from, CollectorSweep.BATCH));
            var garbage = states.stream()
                    .filter(state -> manifests.isGarbage(state, tx.now()))
                    .toList();
            return new Page<>(garbage, ManifestSweep.next(states));
        });
        page.found().forEach(state -> ManifestSweep.decision(state).tell(run));
        var ids = page.found().stream().map(ManifestState::id).toList();
        if (!ids.isEmpty() && references.size() < IN_MIND) {
            database.read(tx -> CollectorRows.references(tx, ids))
                    .forEach(key -> references.merge(key, 1, Integer::sum));
            if (references.size() >= IN_MIND) {
                run.find(
                        "the dry run",
                        "does not track the references of further manifests, because there are too many");
            }
        }
        return from.next(page.next());
    }

    private CollectorSweep.@Nullable From links(TaskRun run, CollectorSweep.From from) {
        run.checkpoint();
        var page = database.read(tx -> {
            var states = CollectorRows.dueLinks(tx, from, CollectorSweep.BATCH);
            var referenced = CollectorRows.referenced(
                    tx, states.stream().map(LinkState::key).toList());
            var loose = states.stream()
                    .filter(state -> !referenced.contains(state.key()) && LinkSweep.isOver(state, tx.now()))
                    .map(state -> loose(tx, state))
                    .toList();
            return new Page<>(loose, LinkSweep.next(states));
        });
        tell(run, page.found());
        return from.next(page.next());
    }

    /// Returns the links that would lose their last reference.
    private List<Loose> loosened(Tx tx, List<LinkState.Key> keys) {
        var loose = new ArrayList<Loose>();
        for (var key : keys) {
            int gone = references.getOrDefault(key, 0);
            if (CollectorRows.references(tx, key, gone + 1) == gone) {
                CollectorRows.link(tx, key)
                        .filter(state -> LinkSweep.isOver(state, tx.now()))
                        .ifPresent(state -> loose.add(loose(tx, state)));
            }
        }
        return loose;
    }

    private Loose loose(Tx tx, LinkState state) {
        long blob = state.key().blobId();
        return new Loose(
                state, CollectorRows.holders(tx, blob, links.getOrDefault(blob, 0) + CollectorSweep.BATCH + 1));
    }

    private void tell(TaskRun run, List<Loose> loose) {
        var bytesGo = database.now().plus(keeping.bytes());
        for (var link : loose) {
            int gone = links.merge(link.state().key().blobId(), 1, Integer::sum);
            LinkSweep.decision(link.state(), gone == link.holders(), bytesGo).tell(run);
        }
    }
}
