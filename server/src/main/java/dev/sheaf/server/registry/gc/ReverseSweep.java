package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.DraftId;
import dev.sheaf.engine.blob.StoredItem;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.server.registry.content.BlobRows;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds items in the blob store that no row refers to: left by a node that was killed, or unknown to a
/// database that was restored from an older backup. Slow, because it lists the whole store.
///
/// It touches nothing that a push may be creating. Only what was unknown in two runs, [Times#age] apart, is set
/// aside, and it is removed only after [Times#aside] more. If a row refers to it meanwhile, it is brought back.
public final class ReverseSweep implements Task {
    private static final Logger LOG = LoggerFactory.getLogger(ReverseSweep.class);
    private static final int PAGE = 500;
    private static final long FEW = 100;

    /// How long unknown items are kept.
    ///
    /// @param age the time from the first run that saw it until it is set aside; much longer than any push
    /// takes
    /// @param aside the time from then until it is removed
    public record Times(Duration age, Duration aside) {}

    private final Database database;
    private final BlobStore store;
    private final Times times;

    public ReverseSweep(Database database, BlobStore store, Times times) {
        this.database = database;
        this.store = store;
        this.times = times;
    }

    @Override
    public void run(TaskRun run) {
        var started = database.now();
        long seen = 0;
        long unknown = 0;
        for (var page = store.list("", PAGE);
                !page.isEmpty();
                page = store.list(page.getLast().name(), PAGE)) {
            run.checkpoint();
            unknown += look(run, page);
            seen += page.size();
            run.advance(page.size());
        }
        run.count("itemsSeen", seen);
        run.count("itemsUnknown", unknown);
        if (!run.isDryRun()) {
            database.write(tx -> StrayRows.forgetUnseen(tx, started));
        }
        if (unknown > FEW && unknown > seen / 2) {
            LOG.error(
                    "{} of {} items in the blob store are unknown to the database; nothing is touched", unknown, seen);
            run.find(
                    "the blob store",
                    "most of its items are unknown to the database, so nothing is touched; check that this is the right"
                            + " database, restored from the right backup");
            return;
        }
        act(run, started);
    }

    /// Records the items of a page that no row refers to.
    ///
    /// @return how many there are
    private long look(TaskRun run, List<StoredItem> page) {
        var parts = new HashSet<String>();
        page.forEach(item -> parts.add(item.part()));
        var strange = new HashSet<StoredItem>();
        if (run.isDryRun()) {
            strange.addAll(database.read(tx -> strange(tx, page, parts)));
        } else {
            strange.addAll(database.write(tx -> {
                var found = strange(tx, page, parts);
                StrayRows.see(tx, found);
                return found;
            }));
        }
        for (var item : page) {
            if (item.kind() == StoredItem.Kind.ASIDE && !strange.contains(item)) {
                run.find(item.name(), "brought back, because a row refers to it");
                run.count("itemsBroughtBack", 1);
                if (!run.isDryRun()) {
                    store.bringBack(item);
                }
            }
        }
        return strange.size();
    }

    private List<StoredItem> strange(Tx tx, List<StoredItem> page, Set<String> parts) {
        var known = new HashSet<String>(BlobRows.named(tx, parts));
        known.addAll(StrayRows.queued(tx, parts));
        for (String draft : StrayRows.drafts(tx)) {
            known.addAll(store.parts(DraftId.parse(draft).brief()));
        }
        return page.stream().filter(item -> !known.contains(item.part())).toList();
    }

    private void act(TaskRun run, Instant started) {
        for (var page = strays("");
                !page.isEmpty();
                page = strays(page.getLast().item().name())) {
            for (var stray : page) {
                run.checkpoint();
                act(run, stray, started);
            }
        }
    }

    private List<StrayRows.Stray> strays(String after) {
        return database.read(tx -> StrayRows.after(tx, after, PAGE));
    }

    private void act(TaskRun run, StrayRows.Stray stray, Instant started) {
        var item = stray.item();
        String since = "no row has referred to it since " + stray.firstSeen();
        var asideAt = stray.asideAt();
        if (asideAt == null) {
            var end = stray.firstSeen().plus(times.age());
            if (!stray.firstSeen().isBefore(started) || end.isAfter(started)) {
                run.find(item.name(), since + "; a run after this time sets it aside: " + end);
                return;
            }
            run.find(item.name(), "set aside: " + since);
            run.count("itemsPutAside", 1);
            if (!run.isDryRun()) {
                var aside = store.quarantine(item);
                database.write(tx -> {
                    StrayRows.putAside(tx, stray, aside);
                    return aside;
                });
            }
            return;
        }
        var end = asideAt.plus(times.aside());
        if (!asideAt.isBefore(started) || end.isAfter(started)) {
            run.find(item.name(), since + "; it was set aside at " + asideAt + " and will be removed after " + end);
            return;
        }
        remove(run, stray, since);
    }

    private void remove(TaskRun run, StrayRows.Stray stray, String since) {
        var item = stray.item();
        run.find(item.name(), "removed: " + since);
        run.count("itemsRemoved", 1);
        run.count("bytesFreed", item.size());
        if (!run.isDryRun()) {
            store.remove(item);
            database.write(tx -> {
                StrayRows.forget(tx, List.of(item.name()));
                return item;
            });
        }
    }
}
