package dev.sheaf.server.bundle.diff;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.cpu.OverBudgetException;
import dev.sheaf.engine.cpu.ResultCache;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Utf8Text;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot.Resolved;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.Repository;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Compares two versions of a bundle (contract 3.6). Time and size are limited whatever the versions contain:
/// assets that are too large are reported as changed, without their lines. Thread-safe.
public final class VersionComparer {
    private static final int PAIRS = 400; // limit of pairs of removed and added assets that are compared for similarity
    private static final int ALIKE = 60; // minimum of common lines in percent
    private static final int ALL = 100;
    private static final Duration LIMIT = Duration.ofSeconds(2);

    /// The kind of a change.
    public enum Kind {
        ADDED,
        REMOVED,
        CHANGED,
        RENAMED
    }

    /// The change of one asset.
    ///
    /// @param similarity the similarity of a renamed asset, in percent
    /// @param text null if there is none or it is omitted; empty if only white space differs, which is ignored
    /// @param omitted the reason: `binary` or `too-large`
    public record Change(
            Kind kind,
            @Nullable StoredAsset before,
            @Nullable StoredAsset after,
            @Nullable Integer similarity,
            @Nullable String text,
            @Nullable String omitted) {
        public String path() {
            StoredAsset shown = after == null ? before : after;
            return shown == null ? "" : shown.path().value();
        }
    }

    /// @param changes the changes by path
    /// @param complete false if the comparison used up its processor time, so that the result may differ next time
    public record Result(List<Change> changes, int unchanged, boolean complete) {
        public Result {
            changes = List.copyOf(changes);
        }

        /// Returns the bytes that it takes, about.
        private int bytes() {
            return 1_000
                    + changes.stream()
                            .mapToInt(change -> 1_000 + (change.text() == null ? 0 : HeapShare.ofText(change.text())))
                            .sum();
        }
    }

    private record Key(UUID from, UUID to, WhiteSpace whiteSpace) {}

    private final AssetBytes content;
    private final ResultCache<Key, Result> results;

    public VersionComparer(AssetBytes content, CpuPool cpu) {
        this.content = content;
        this.results = new ResultCache<>(
                cpu, LIMIT, HeapShare.DIFFS.bytes(), (key, result) -> HeapShare.ENTRY + result.bytes());
    }

    /// Compares two versions of a repository.
    ///
    /// @param before receives the number of bytes to be read if the result is not cached; may refuse by throwing
    /// @throws ProblemException those of [CpuPool#run]
    public Result between(
            Repository repository, Resolved from, Resolved to, WhiteSpace whiteSpace, LongConsumer before) {
        return between(
                repository,
                new Files(from.version().id(), from.assets()),
                new Files(to.version().id(), to.assets()),
                whiteSpace,
                before);
    }

    /// Files that never change.
    ///
    /// @param id the same for the same files
    public record Files(UUID id, List<StoredAsset> assets) {
        public static final Files NONE = new Files(new UUID(0, 0), List.of());

        public Files {
            assets = List.copyOf(assets);
        }
    }

    /// Compares files of a repository as [#between(Repository, Resolved, Resolved, WhiteSpace, LongConsumer)] does.
    public Result between(Repository repository, Files from, Files to, WhiteSpace whiteSpace, LongConsumer before) {
        return results.get(new Key(from.id(), to.id(), whiteSpace), () -> {
            var wanted = DiffInput.of(from.assets(), to.assets());
            before.accept(wanted.bytes());
            var texts = texts(repository, wanted);
            return budget -> new Run(texts, budget, whiteSpace).between(from.assets(), to.assets());
        });
    }

    /// Returns the texts of assets; empty for assets that are not text. They are read before computing, so that
    /// a slow bucket does not block the pool.
    private Map<Digest, Optional<String>> texts(Repository repository, DiffInput wanted) {
        var texts = new HashMap<Digest, Optional<String>>();
        wanted.assets().forEach(asset -> texts.put(asset.digest(), Utf8Text.of(content.bytes(repository, asset))));
        return texts;
    }

    private static final class Run {
        private final Map<Digest, Optional<String>> read;
        private final Map<Digest, Optional<LineDiff.Text>> texts = new HashMap<>();
        private final Budget budget;
        private final LineDiff lines;
        private final List<Change> changes = new ArrayList<>();
        private boolean over;

        Run(Map<Digest, Optional<String>> read, Budget budget, WhiteSpace whiteSpace) {
            this.read = read;
            this.budget = budget;
            this.lines = new LineDiff(budget, whiteSpace);
        }

        Result between(List<StoredAsset> before, List<StoredAsset> after) {
            var removed = byPath(before);
            var added = new ArrayList<StoredAsset>();
            int unchanged = 0;
            for (StoredAsset asset : after) {
                StoredAsset old = removed.remove(asset.path().value());
                if (old == null) {
                    added.add(asset);
                } else if (isSame(old, asset)) {
                    unchanged++;
                } else {
                    changes.add(compared(Kind.CHANGED, old, asset, null));
                }
            }
            var gone = new ArrayList<>(removed.values());
            moved(gone, added);
            alike(gone, added);
            gone.forEach(asset -> changes.add(compared(Kind.REMOVED, asset, null, null)));
            added.forEach(asset -> changes.add(compared(Kind.ADDED, null, asset, null)));
            changes.sort(Comparator.comparing(Change::path));
            return new Result(changes, unchanged, !over);
        }

        private Map<String, StoredAsset> byPath(List<StoredAsset> assets) {
            var byPath = new TreeMap<String, StoredAsset>();
            assets.forEach(asset -> byPath.put(asset.path().value(), asset));
            return byPath;
        }

        private boolean isSame(StoredAsset a, StoredAsset b) {
            return a.digest().equals(b.digest())
                    && a.assetType() == b.assetType()
                    && a.mediaType().equals(b.mediaType())
                    && !isOtherMode(a, b);
        }

        /// Returns whether both modes are known and differ.
        private boolean isOtherMode(StoredAsset a, StoredAsset b) {
            return a.executable() != null
                    && b.executable() != null
                    && !a.executable().equals(b.executable());
        }

        /// Finds assets with the same content under another path.
        private void moved(List<StoredAsset> gone, List<StoredAsset> added) {
            var byDigest = new HashMap<Digest, List<StoredAsset>>();
            gone.forEach(asset -> byDigest.computeIfAbsent(asset.digest(), digest -> new ArrayList<>())
                    .add(asset));
            for (StoredAsset asset : List.copyOf(added)) {
                var old = byDigest.getOrDefault(asset.digest(), new ArrayList<>());
                if (!old.isEmpty()) {
                    rename(gone, added, old.removeFirst(), asset, ALL);
                }
            }
        }

        private void rename(
                List<StoredAsset> gone, List<StoredAsset> added, StoredAsset from, StoredAsset to, int similarity) {
            gone.remove(from);
            added.remove(to);
            changes.add(compared(Kind.RENAMED, from, to, similarity));
        }

        /// Finds similar texts under another path, if there are few pairs to compare.
        private void alike(List<StoredAsset> gone, List<StoredAsset> added) {
            if ((long) gone.size() * added.size() > PAIRS) {
                return;
            }
            for (StoredAsset to : List.copyOf(added)) {
                StoredAsset best = null;
                int most = ALIKE - 1;
                for (StoredAsset from : gone) {
                    int likeness = likeness(from, to);
                    if (likeness > most) {
                        best = from;
                        most = likeness;
                    }
                }
                if (best != null) {
                    rename(gone, added, best, to, most);
                }
            }
        }

        /// Returns the similarity; 0 if one is not a short text or the budget is used up.
        private int likeness(StoredAsset from, StoredAsset to) {
            var a = shortText(from);
            var b = shortText(to);
            try {
                return a.isEmpty() || b.isEmpty() ? 0 : lines.likeness(a.get(), b.get());
            } catch (OverBudgetException e) {
                return tooMuch(e, 0);
            }
        }

        private <T extends @Nullable Object> T tooMuch(OverBudgetException e, T instead) {
            if (budget.isCancelled()) {
                throw e;
            }
            over = true;
            return instead;
        }

        private Optional<LineDiff.Text> shortText(StoredAsset asset) {
            return asset.size() > LineDiff.MAX_ALIKE || !isRead(asset) ? Optional.empty() : text(asset);
        }

        private Optional<LineDiff.Text> text(StoredAsset asset) {
            return texts.computeIfAbsent(
                    asset.digest(),
                    digest -> read.getOrDefault(digest, Optional.empty()).map(LineDiff.Text::new));
        }

        private Change compared(
                Kind kind, @Nullable StoredAsset from, @Nullable StoredAsset to, @Nullable Integer similarity) {
            if (from != null && to != null && from.digest().equals(to.digest())) {
                return new Change(kind, from, to, similarity, null, null);
            }
            if (!isRead(from) || !isRead(to)) {
                return new Change(kind, from, to, similarity, null, "too-large");
            }
            var a = from == null ? Optional.of(LineDiff.Text.NONE) : text(from);
            var b = to == null ? Optional.of(LineDiff.Text.NONE) : text(to);
            if (a.isEmpty() || b.isEmpty()) {
                return new Change(kind, from, to, similarity, null, "binary");
            }
            String diff = unified(name("a/", from), name("b/", to), a.get(), b.get());
            return new Change(kind, from, to, similarity, diff, diff == null ? "too-large" : null);
        }

        /// Returns the diff; null if it is too large or the budget is used up.
        private @Nullable String unified(String from, String to, LineDiff.Text a, LineDiff.Text b) {
            try {
                return lines.unified(from, to, a, b).orElse(null);
            } catch (OverBudgetException e) {
                return tooMuch(e, null);
            }
        }

        /// Returns whether the asset was read and the budget is not used up. A missing asset counts as read.
        private boolean isRead(@Nullable StoredAsset asset) {
            return !over && (asset == null || read.containsKey(asset.digest()));
        }

        private String name(String side, @Nullable StoredAsset asset) {
            return asset == null ? "/dev/null" : side + asset.path();
        }
    }
}
