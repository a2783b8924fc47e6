package dev.sheaf.server.registry.scrub;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.StoredObject;
import dev.sheaf.engine.blob.UnreadableException;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.DamagedContent;
import dev.sheaf.server.registry.content.ManifestRecord;
import dev.sheaf.server.registry.content.ManifestRows;
import dev.sheaf.server.registry.scrub.ScrubRows.BlobItem;
import dev.sheaf.server.registry.scrub.ScrubRows.Item;
import dev.sheaf.server.registry.scrub.ScrubRows.Kind;
import dev.sheaf.server.registry.scrub.ScrubRows.ManifestItem;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads stored content and compares it with its digest: blobs in the store and in the database, and manifests.
/// Damaged content is distrusted ([DamagedContent]); damaged content that turns out to be correct is trusted again.
///
/// [#run] checks everything now. [#step] is for a timer: all nodes together check everything within the period.
/// A row that a node takes counts as checked for as long as the check may take, so no other node takes it, and
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
    private final DamagedContent damage;
    private final Duration period;
    private @Nullable Rate rate;

    /// The speed of the steps.
    private record Rate(long bytesPerSecond, Instant until) {}

    /// Called between pieces of the work.
    private interface Pace {
        void spend(long bytes);
    }

    /// A row and the fault of its bytes.
    ///
    /// @param fault a clause; null if there is none
    private record Checked(Item item, @Nullable String fault) {}

    /// @param period the time in which steps check everything
    public Scrub(Database database, BlobStore store, Duration period) {
        this.database = database;
        this.store = store;
        this.damage = new DamagedContent(database);
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
            for (var page = page(kind, 0);
                    !page.isEmpty();
                    page = page(kind, page.getLast().id())) {
                settle(kind, check(page, bytes -> run.checkpoint()), run);
            }
        }
    }

    private List<? extends Item> page(Kind kind, long last) {
        return database.read(tx -> ScrubRows.after(tx, kind, last, PAGE));
    }

    // --- by the timer ---

    /// Checks some of what is due, for up to a minute, slowly enough not to disturb requests.
    ///
    /// @return the result
    /// @throws java.util.concurrent.CancellationException if the thread is interrupted
    public synchronized TaskRun.Report step() {
        var run = new TaskRun(false);
        var end = System.nanoTime() + STEP.toNanos();
        long bytesPerSecond = rate();
        var throttle = new ByteThrottle(bytesPerSecond);
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

    /// Returns half of the period: in one half everything becomes due, the other half is for checking it.
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

    /// Takes as much as a step can check, at least one row if any is due.
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

    /// Returns since when all stored content was compared with its digests or newly stored; empty if there
    /// is none, or if the content that was stored first was not compared since.
    public Optional<Instant> checkedSince() {
        return database.read(tx -> Stream.of(Kind.values()).anyMatch(kind -> ScrubRows.isFirstUnchecked(tx, kind))
                ? Optional.<Instant>empty()
                : Stream.of(Kind.values())
                        .flatMap(kind -> ScrubRows.oldest(tx, kind).stream())
                        .min(Comparator.naturalOrder()));
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
                LOG.warn("cannot check {} now; will retry later", item.digest(), e);
            }
        }
        return checked;
    }

    private Optional<String> fault(BlobRecord blob, Pace pace) throws IOException {
        var object = blob.object();
        if (object == null) {
            pace.spend(blob.size());
            var content = database.read(tx -> BlobRows.content(tx, blob.id()));
            return fault(content.orElse(null), blob.digest());
        }
        var opened = store.open(object, blob.size());
        if (opened.isEmpty()) {
            return Optional.of(DamagedContent.MISSING);
        }
        var hash = blob.digest().algorithm().newHash();
        try {
            read(opened.get(), new DigestOutputStream(OutputStream.nullOutputStream(), hash), pace);
        } catch (UnreadableException e) {
            return Optional.of(DamagedContent.UNREADABLE);
        } catch (IOException e) {
            if (store.open(object, blob.size()).isEmpty()) {
                return Optional.of(DamagedContent.MISSING);
            }
            throw e;
        }
        var found = Digest.finish(blob.digest().algorithm(), hash.digest());
        return found.equals(blob.digest()) ? Optional.empty() : Optional.of(DamagedContent.ALTERED);
    }

    /// Reads in slices. While it waits between them it does not occupy the bulk lane.
    private static void read(StoredObject object, OutputStream out, Pace pace) throws IOException {
        for (long offset = 0; offset < object.length(); offset += SLICE) {
            long count = Math.min(SLICE, object.length() - offset);
            pace.spend(count);
            object.writeTo(out, offset, count);
        }
    }

    private Optional<String> fault(ManifestRecord manifest) {
        var content = database.read(tx -> ManifestRows.content(tx, manifest.id()));
        return fault(content.orElse(null), manifest.digest());
    }

    private static Optional<String> fault(byte @Nullable [] content, Digest digest) {
        if (content == null) {
            return Optional.of(DamagedContent.MISSING);
        }
        return DamagedContent.has(content, digest) ? Optional.empty() : Optional.of(DamagedContent.ALTERED);
    }

    private void settle(Kind kind, List<Checked> page, TaskRun run) {
        if (isStoreGone(page)) {
            LOG.error(
                    "none of {} objects is in the blob store, so nothing is marked as damaged; check that it is the right store",
                    page.size());
            run.find(
                    "the blob store",
                    "none of " + page.size()
                            + " objects in a row exists, so none is marked as damaged; check that this is the right store");
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

    /// Returns whether the whole store seems to be missing, as with a volume that is not mounted. Then nothing
    /// should be marked for uploading again.
    private static boolean isStoreGone(List<Checked> page) {
        var stored = page.stream()
                .filter(checked ->
                        checked.item() instanceof BlobItem blob && blob.blob().object() != null)
                .toList();
        return stored.size() >= ALL_MISSING
                && stored.stream().allMatch(checked -> DamagedContent.MISSING.equals(checked.fault()));
    }

    private void settle(Kind kind, Checked checked, TaskRun run) {
        var item = checked.item();
        var fault = checked.fault();
        run.count("checked", 1);
        if (fault == null) {
            if (item.isSuspect() && (run.isDryRun() || retract(item))) {
                run.count("wholeAgain", 1);
                run.find(item.digest().toString(), "was damaged and is correct again");
            }
        } else if (item.isSuspect()) {
            run.count("knownDamaged", 1);
            run.find(item.digest().toString(), fault + "; upload it again to repair it");
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
