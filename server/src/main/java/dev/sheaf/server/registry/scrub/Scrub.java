package dev.sheaf.server.registry.scrub;

import dev.sheaf.model.Digest;
import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.blob.StoredObject;
import dev.sheaf.server.blob.UnreadableException;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.Damage;
import dev.sheaf.server.registry.content.ManifestRecord;
import dev.sheaf.server.registry.content.ManifestRows;
import dev.sheaf.server.registry.scrub.ScrubRows.BlobItem;
import dev.sheaf.server.registry.scrub.ScrubRows.Item;
import dev.sheaf.server.registry.scrub.ScrubRows.Kind;
import dev.sheaf.server.registry.scrub.ScrubRows.ManifestItem;
import dev.sheaf.server.work.Task;
import dev.sheaf.server.work.TaskRun;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads what is stored and compares it with its digest: blobs in the store and in the database, and manifests.
/// What is damaged is not trusted any more ([Damage]); what was and turns out to be whole is trusted again.
///
/// [#run] checks everything now. [#step] is for a timer: everything within the period, by as many nodes as there
/// are. A row that a node takes counts as checked for the time that this will need, so no other node takes it, and
/// it is due again if the node dies.
public final class Scrub implements Task {
    private static final Logger LOG = LoggerFactory.getLogger(Scrub.class);
    private static final int PAGE = 100;
    private static final int CLAIMED = 32;
    private static final int SLICE = 8 << 20;
    private static final long LEAST_BYTES_PER_SECOND = 1 << 20;
    private static final long BYTES_PER_ROW = 4_096;
    private static final int ALL_MISSING = 10;
    private static final Duration STEP = Duration.ofSeconds(50);
    private static final Duration SLACK = Duration.ofHours(1);

    private final Database database;
    private final BlobStore store;
    private final Damage damage;
    private final Duration period;
    private @Nullable Rate rate;

    /// How fast the steps go.
    private record Rate(long bytesPerSecond, Instant until) {}

    /// What is called between pieces of the work.
    private interface Pace {
        void spend(long bytes);
    }

    /// A row and what is wrong with its bytes.
    ///
    /// @param fault a clause; null: nothing
    private record Checked(Item item, @Nullable String fault) {}

    /// @param period within which steps check everything
    public Scrub(Database database, BlobStore store, Duration period) {
        this.database = database;
        this.store = store;
        this.damage = new Damage(database);
        this.period = period;
    }

    @Override
    public void run(TaskRun run) {
        long all = 0;
        for (Kind kind : Kind.values()) {
            all += database.read(tx -> ScrubRows.total(tx, kind)).count();
        }
        run.expect(all, "digests");
        for (Kind kind : Kind.values()) {
            long last = 0;
            List<? extends Item> page = page(kind, last);
            while (!page.isEmpty()) {
                settle(kind, check(page, bytes -> run.checkpoint()), run);
                last = page.getLast().id();
                page = page(kind, last);
            }
        }
    }

    private List<? extends Item> page(Kind kind, long last) {
        return database.read(tx -> ScrubRows.after(tx, kind, last, PAGE));
    }

    // --- by the timer ---

    /// Checks some of what is due, for up to a minute, slowly enough that nobody notices.
    ///
    /// @return what it came to
    /// @throws java.util.concurrent.CancellationException where the thread is interrupted
    public synchronized TaskRun.Report step() {
        var run = new TaskRun(false);
        var end = System.nanoTime() + STEP.toNanos();
        long bytesPerSecond = rate();
        var throttle = new Throttle(bytesPerSecond);
        for (Kind kind : Kind.values()) {
            List<? extends Item> claimed = claim(kind, bytesPerSecond);
            while (!claimed.isEmpty()) {
                settle(kind, check(claimed, throttle::spend), run);
                claimed = System.nanoTime() < end ? claim(kind, bytesPerSecond) : List.of();
            }
        }
        var report = run.report();
        LOG.debug("scrubbed: {}", report.counts());
        return report;
    }

    /// Half of the period for everything to become due, the other half to get through it.
    private Duration half() {
        return period.dividedBy(2);
    }

    private long rate() {
        var now = database.now();
        if (rate == null || now.isAfter(rate.until())) {
            long bytes = 0;
            for (Kind kind : Kind.values()) {
                var total = database.read(tx -> ScrubRows.total(tx, kind));
                bytes += total.bytes() + total.count() * BYTES_PER_ROW;
            }
            long needed = bytes / Math.max(1, half().toSeconds());
            rate = new Rate(Math.max(LEAST_BYTES_PER_SECOND, needed), now.plus(SLACK));
        }
        return rate.bytesPerSecond();
    }

    /// Takes what a step can do, at least one where any is due.
    private List<? extends Item> claim(Kind kind, long bytesPerSecond) {
        return database.write(tx -> {
            var due = tx.now().minus(half());
            var claimed = new ArrayList<Item>();
            long bytes = 0;
            for (Item item : ScrubRows.due(tx, kind, due, CLAIMED)) {
                if (claimed.isEmpty() || bytes + item.size() <= bytesPerSecond * STEP.toSeconds()) {
                    claimed.add(item);
                    bytes += item.size();
                }
            }
            var dueAgain = due.plus(SLACK).plusSeconds(bytes / bytesPerSecond);
            ScrubRows.checked(tx, kind, claimed, dueAgain);
            return claimed;
        });
    }

    // --- one page ---

    private List<Checked> check(List<? extends Item> items, Pace pace) {
        var checked = new ArrayList<Checked>();
        for (Item item : items) {
            pace.spend(BYTES_PER_ROW);
            try {
                var fault = switch (item) {
                    case BlobItem blob -> fault(blob.blob(), pace);
                    case ManifestItem manifest -> fault(manifest.manifest());
                };
                checked.add(new Checked(item, fault.orElse(null)));
            } catch (IOException e) {
                LOG.warn("cannot check {} now; it is tried again later", item.digest(), e);
            }
        }
        return checked;
    }

    private Optional<String> fault(BlobRecord blob, Pace pace) throws IOException {
        var object = blob.object();
        if (object == null) {
            pace.spend(blob.size());
            var content = database.read(tx -> BlobRows.content(tx, blob.id()));
            return fault(content, blob.digest());
        }
        var opened = store.open(object, blob.size());
        if (opened.isEmpty()) {
            return Optional.of(Damage.MISSING);
        }
        var hash = blob.digest().algorithm().newHash();
        try {
            read(opened.get(), new DigestOutputStream(OutputStream.nullOutputStream(), hash), pace);
        } catch (UnreadableException e) {
            return Optional.of(Damage.UNREADABLE);
        } catch (IOException e) {
            if (store.open(object, blob.size()).isEmpty()) {
                return Optional.of(Damage.MISSING);
            }
            throw e;
        }
        var found = Digest.finish(blob.digest().algorithm(), hash.digest());
        return found.equals(blob.digest()) ? Optional.empty() : Optional.of(Damage.ALTERED);
    }

    /// In slices, so that whoever waits between them holds no place in the bulk lane.
    private static void read(StoredObject object, OutputStream out, Pace pace) throws IOException {
        for (long offset = 0; offset < object.length(); offset += SLICE) {
            long count = Math.min(SLICE, object.length() - offset);
            pace.spend(count);
            object.writeTo(out, offset, count);
        }
    }

    private Optional<String> fault(ManifestRecord manifest) {
        var content = database.read(tx -> ManifestRows.content(tx, manifest.id()));
        return fault(content, manifest.digest());
    }

    private static Optional<String> fault(Optional<byte[]> content, Digest digest) {
        if (content.isEmpty()) {
            return Optional.of(Damage.MISSING);
        }
        return Damage.has(content.get(), digest) ? Optional.empty() : Optional.of(Damage.ALTERED);
    }

    private void settle(Kind kind, List<Checked> page, TaskRun run) {
        if (isStoreGone(page)) {
            LOG.error("none of {} objects is in the blob store; is it the right one? nothing is marked", page.size());
            run.find("the blob store", "none of " + page.size() + " objects in a row is there, so none is marked");
        } else {
            page.forEach(checked -> settle(kind, checked, run));
        }
        if (!run.isDryRun()) {
            var items = page.stream().map(Checked::item).toList();
            database.write(tx -> {
                ScrubRows.checked(tx, kind, items, tx.now());
                return items;
            });
        }
        run.advance(page.size());
    }

    /// A volume that is not mounted looks like this, and nobody wants to upload everything again for it.
    private static boolean isStoreGone(List<Checked> page) {
        var stored = page.stream()
                .filter(checked ->
                        checked.item() instanceof BlobItem blob && blob.blob().object() != null)
                .toList();
        return stored.size() >= ALL_MISSING
                && stored.stream().allMatch(checked -> Damage.MISSING.equals(checked.fault()));
    }

    private void settle(Kind kind, Checked checked, TaskRun run) {
        var item = checked.item();
        var fault = checked.fault();
        run.count("checked", 1);
        if (fault == null) {
            if (item.isSuspect() && (run.isDryRun() || retract(item))) {
                run.count("wholeAgain", 1);
                run.find(item.digest().toString(), "was damaged, and is whole again");
            }
        } else if (item.isSuspect()) {
            run.count("knownDamaged", 1);
            run.find(item.digest().toString(), fault + "; it waits for a new upload");
        } else if (run.isDryRun() ? isStillThere(kind, item) : report(item, fault)) {
            run.count("damaged", 1);
            run.find(item.digest().toString(), fault);
        }
    }

    private boolean isStillThere(Kind kind, Item item) {
        return database.read(tx -> ScrubRows.find(tx, kind, item.id()))
                .filter(item::equals)
                .isPresent();
    }

    private boolean report(Item item, String fault) {
        return switch (item) {
            case BlobItem blob -> damage.report(blob.blob(), fault);
            case ManifestItem manifest -> damage.report(manifest.manifest());
        };
    }

    private boolean retract(Item item) {
        return switch (item) {
            case BlobItem blob -> damage.retract(blob.blob());
            case ManifestItem manifest -> damage.retract(manifest.manifest());
        };
    }
}
