package dev.sheaf.server.bundle.diff;

import dev.sheaf.model.Digest;
import dev.sheaf.server.bundle.StoredAsset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The assets to read for a comparison of two versions: the assets that are in only one of them, within a size
/// limit. Assets whose content changed under the same path come first.
record DiffInput(List<StoredAsset> assets, long bytes) {
    private static final long MAX_BYTES = 8 << 20;

    static DiffInput of(List<StoredAsset> before, List<StoredAsset> after) {
        var old = before.stream().collect(Collectors.toMap(StoredAsset::path, Function.identity()));
        var fresh = after.stream().collect(Collectors.toMap(StoredAsset::path, Function.identity()));
        var all = new ArrayList<StoredAsset>();
        for (StoredAsset asset : after) {
            StoredAsset was = old.get(asset.path());
            if (was != null && !was.digest().equals(asset.digest())) {
                all.add(was);
                all.add(asset);
            }
        }
        var gone = before.stream()
                .filter(asset -> !fresh.containsKey(asset.path()))
                .toList();
        var added =
                after.stream().filter(asset -> !old.containsKey(asset.path())).toList();
        var less = counts(gone);
        var more = counts(added);
        Stream.concat(gone.stream(), added.stream())
                // equal counts: only moved
                .filter(asset -> !Objects.equals(less.get(asset.digest()), more.get(asset.digest())))
                .forEach(all::add);
        return within(all);
    }

    private static Map<Digest, Long> counts(List<StoredAsset> assets) {
        return assets.stream().collect(Collectors.groupingBy(StoredAsset::digest, Collectors.counting()));
    }

    private static DiffInput within(List<StoredAsset> assets) {
        var digests = new HashSet<Digest>();
        var wanted = new ArrayList<StoredAsset>();
        long bytes = 0;
        for (StoredAsset asset : assets) {
            boolean fits = asset.size() <= LineDiff.MAX_TEXT && bytes + asset.size() <= MAX_BYTES;
            if (fits && digests.add(asset.digest())) {
                wanted.add(asset);
                bytes += asset.size();
            }
        }
        return new DiffInput(wanted, bytes);
    }
}
