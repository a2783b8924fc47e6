package dev.sheaf.server.hub;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Pages through the lists of the hub. A search has tiers of matches, best first.
final class HubSearch {
    private static final int FEW = 500;
    private static final int MOST_VALUES = 100; // of a facet, more than are shown

    private HubSearch() {}

    static List<Hub.Hit> page(Tx tx, Hub.Filter filter, Hub.Sort sort, Position from, int limit) {
        var facets = filter.facets();
        var tiers = filter.search() == null ? List.<HubRows.Among>of() : tiers(tx, filter.search(), sort);
        var page = new ArrayList<Hub.Hit>();
        for (int tier = from.tier(); tier < Math.max(tiers.size(), 1) && page.size() < limit; tier++) {
            var within = new ArrayList<>(facets);
            if (!tiers.isEmpty()) {
                within.add(tiers.get(tier));
            }
            var few = few(tx, within);
            if (few != null && few.isEmpty()) {
                continue;
            }
            boolean begun = tier == from.tier();
            var slice = new HubRows.Slice(
                    sort,
                    few,
                    within,
                    tiers.subList(0, Math.min(tier, tiers.size())),
                    begun ? from.key() : Long.MAX_VALUE,
                    begun ? from.repositoryId() : Long.MAX_VALUE,
                    limit - page.size());
            for (var entry : HubRows.list(tx, slice)) {
                page.add(new Hub.Hit(entry, new Position(tier, entry.key(sort), entry.repositoryId()).toString()));
            }
        }
        return page;
    }

    /// Returns all repositories of a small set and removes the set from `within`; null if no set is small.
    private static @Nullable List<Long> few(Tx tx, List<HubRows.Among> within) {
        for (var set : within) {
            var some = HubRows.some(tx, set, FEW + 1);
            if (some.size() <= FEW) {
                within.remove(set);
                return some;
            }
        }
        return null;
    }

    /// Returns the tiers in order. An entry appears in the first tier that contains it.
    private static List<HubRows.Among> tiers(Tx tx, SearchQuery search, Hub.Sort sort) {
        var tiers = new ArrayList<HubRows.Among>();
        tiers.add(HubRows.named(search));
        if (sort == Hub.Sort.RELEVANCE) {
            tiers.add(HubSkillRows.named(search));
        }
        if (!search.terms().isEmpty()) {
            for (var depth : HubTextRows.Depth.values()) {
                if (sort == Hub.Sort.RELEVANCE || depth == HubTextRows.Depth.ALL) {
                    tiers.add(HubTextRows.matching(tx, depth, search.terms()));
                }
            }
        }
        return tiers;
    }

    /// Counts what a filter finds. Each kind of facet is counted as if its own filter were not set, so
    /// that the counts say what another choice would find.
    static Hub.Counts counts(Tx tx, Hub.Filter filter, int most) {
        var search = filter.search();
        var found = search == null ? null : HubRows.any(tiers(tx, search, Hub.Sort.DOWNLOADS));
        boolean isExact = !HubRows.hasMore(tx, most);
        int bound = isExact ? 0 : most;
        var all = counted(tx, filter, found, bound);
        var counts = new EnumMap<HubFacet, Map<String, Long>>(HubFacet.class);
        var rows = HubRows.counts(tx, all);
        for (var kind : HubFacet.values()) {
            if (kind != HubFacet.WORD && kind != HubFacet.FLAG) {
                boolean isFiltered = filter.has(kind);
                var own = isFiltered
                        ? HubRows.counts(
                                tx, part(counted(tx, filter.without(kind), found, bound), kind.prefix(), kind.end()))
                        : rows;
                counts.put(kind, values(own, kind));
            }
        }
        long total = rows.stream()
                .filter(row -> row.facet().startsWith(HubFacet.NAMESPACE.prefix()))
                .mapToLong(HubRows.Count::bundles)
                .sum();
        var flags = new EnumMap<HubFlag, Long>(HubFlag.class);
        for (var flag : HubFlag.values()) {
            boolean isFiltered = filter.flags().contains(flag);
            var among = isFiltered ? counted(tx, filter.without(flag), found, bound) : all;
            if (flag == HubFlag.SIGNED) {
                flags.put(flag, HubRows.countSigned(tx, among));
            } else {
                var own = isFiltered
                        ? HubRows.counts(tx, part(among, HubFacet.FLAG.prefix(), HubFacet.FLAG.end()))
                        : rows;
                flags.put(flag, values(own, HubFacet.FLAG).getOrDefault(flag.toString(), 0L));
            }
        }
        return new Hub.Counts(total, isExact, flags, counts);
    }

    private static HubRows.Counted part(HubRows.Counted all, String from, String to) {
        return new HubRows.Counted(from, to, all.few(), all.within(), all.most());
    }

    private static HubRows.Counted counted(Tx tx, Hub.Filter filter, HubRows.@Nullable Among found, int most) {
        var within = new ArrayList<>(filter.facets());
        if (found != null) {
            within.add(found);
        }
        var few = few(tx, within);
        return new HubRows.Counted("", HubFacet.WORD.prefix(), few, within, most);
    }

    private static Map<String, Long> values(List<HubRows.Count> rows, HubFacet kind) {
        String prefix = kind.prefix();
        return rows.stream()
                .filter(row -> row.facet().startsWith(prefix))
                .sorted(Comparator.comparingLong(HubRows.Count::bundles)
                        .reversed()
                        .thenComparing(HubRows.Count::facet))
                .limit(MOST_VALUES)
                .collect(Collectors.toMap(
                        row -> row.facet().substring(prefix.length()),
                        HubRows.Count::bundles,
                        Long::sum,
                        LinkedHashMap::new));
    }

    /// The position of an entry in a list, as encoded in cursors.
    record Position(int tier, long key, long repositoryId) {
        static final Position FIRST = new Position(0, Long.MAX_VALUE, Long.MAX_VALUE);

        static Position parse(String text) {
            var parts = text.split(":", -1);
            try {
                if (parts.length == 3) {
                    var position = new Position(
                            Integer.parseInt(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
                    if (position.tier >= 0) {
                        return position;
                    }
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw new Problem.InvalidCursor().raise();
        }

        @Override
        public String toString() {
            return tier + ":" + key + ":" + repositoryId;
        }
    }
}
