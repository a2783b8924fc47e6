package dev.sheaf.server.hub;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.text.WireWords;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.bundle.BundleRow;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.Repository;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Discovery: public bundles with a published version that is not yanked, the same for every caller (contract
/// 1.4 and 3.8). Other bundles are answered as if they did not exist. Thread-safe.
public final class Hub {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int REMEMBERED = HeapShare.REPOSITORIES.entries(4, 250 + HeapShare.ENTRY);
    private static final int MAX_VERSIONS = 200;

    private final Database database;
    private final CpuPool searches;
    private final InvalidatedCache<RepositoryName, Repository> listed;

    public Hub(Database database, CpuPool searches) {
        this.database = database;
        this.searches = searches;
        this.listed = new InvalidatedCache<>(database, "hub", REMEMBERED);
        database.onChange(this::forget);
    }

    private void forget(DataChange change) {
        switch (change.kind()) {
            case REPOSITORY -> listed.forget(RepositoryName.parseAny(change.id()));
            case NAMESPACE, EVERYTHING -> listed.forgetAll();
            default -> {} // no cached entry depends on these kinds
        }
    }

    /// The order of a list, always descending.
    public enum Sort {
        /// By relevance to the search, see [Hub#page]; bundles of equal relevance by downloads.
        RELEVANCE("downloads"),
        /// By the time of the newest version.
        RECENT("published_at"),
        DOWNLOADS("downloads"),
        STARS("stars"),
        /// By recent downloads. The weight of a download halves every week.
        TRENDING("trending");

        private final String column;

        Sort(String column) {
            this.column = column;
        }

        String column() {
            return column;
        }

        /// @throws ProblemException validation-failed for an unknown word
        public static Sort parse(String word) {
            return WireWords.find(Sort.class, word)
                    .orElseThrow(() -> Problem.invalid("format", WireWords.oneOf(Sort.class)));
        }

        /// Returns the word used in queries.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A filter of bundles.
    ///
    /// @param search null for all bundles
    /// @param type the kind of an asset that the latest version must contain; null for all bundles
    public record Filter(
            @Nullable SearchQuery search,
            @Nullable AssetType type,
            @Nullable Namespace namespace,
            @Nullable String category) {
        static final String TYPE = "type:";
        static final String NAMESPACE = "namespace:";
        static final String CATEGORY = "category:";

        /// Checks the form of a category's slug.
        ///
        /// @throws dev.sheaf.model.ProblemException validation-failed
        public static String categorySlug(String slug) {
            if (!slug.matches("[a-z0-9-]{1,100}")) {
                throw Problem.invalid("format", "must be the slug of a category, see /v1/hub/categories");
            }
            return slug;
        }

        List<HubRows.Among> facets() {
            var facets = new ArrayList<HubRows.Among>();
            if (type != null) {
                facets.add(HubRows.having("type", TYPE + type));
            }
            if (namespace != null) {
                facets.add(HubRows.having("namespace", NAMESPACE + namespace));
            }
            if (category != null) {
                facets.add(HubRows.having("category", CATEGORY + category));
            }
            return facets;
        }
    }

    /// The counters of a bundle.
    ///
    /// @param trending see [FadingCount]
    /// @param publishedAt when its newest version was published, in milliseconds since 1970
    public record Counters(long stars, long downloads, long downloads30d, long trending, long publishedAt) {}

    /// A bundle as lists show it.
    ///
    /// @param publisher display name of the namespace
    /// @param name display name of the bundle
    /// @param assetTypes one per line
    /// @param keywords one per line
    public record Entry(
            long repositoryId,
            UUID bundleId,
            RepositoryName ref,
            String publisher,
            String name,
            String summary,
            String assetTypes,
            String keywords,
            @Nullable String license,
            String latestVersion,
            Instant createdAt,
            Instant updatedAt,
            Counters counters) {
        long key(Sort sort) {
            return switch (sort) {
                case RELEVANCE, DOWNLOADS -> counters.downloads();
                case RECENT -> counters.publishedAt();
                case STARS -> counters.stars();
                case TRENDING -> counters.trending();
            };
        }
    }

    /// An entry and its position in the list.
    public record Hit(Entry entry, String position) {}

    /// A published version of a listed bundle.
    ///
    /// @param deprecated the deprecation message, or null
    public record Release(
            UUID id,
            RepositoryName ref,
            String name,
            String version,
            Instant publishedAt,
            @Nullable String deprecated) {}

    /// A listed bundle with all data that the hub shows about it.
    ///
    /// @param versions highest first, at most 200
    public record Detail(Entry entry, BundleRow bundle, List<Release> versions) {}

    /// Checks that the hub lists the bundle. Missing and hidden bundles are refused alike.
    ///
    /// @throws ProblemException bundle-not-found, for every caller
    public void require(RepositoryName name) {
        Access.everybody(
                name,
                listed.get(name, missing -> database.read(tx -> HubRows.listed(tx, missing)))
                        .orElse(null));
    }

    /// Checks the same inside a transaction. Returns the repository's id.
    static long require(Tx tx, RepositoryName name) {
        return Access.everybody(name, HubRows.listed(tx, name).orElse(null)).id();
    }

    /// @throws ProblemException those of [#require]
    public Detail detail(BundleSnapshot bundle) {
        return database.read(tx -> new Detail(
                entry(tx, bundle),
                bundle.bundle(),
                HubRows.versions(tx, bundle.repository().id(), MAX_VERSIONS)));
    }

    /// @throws ProblemException those of [#require]
    public Entry entry(BundleSnapshot bundle) {
        return database.read(tx -> entry(tx, bundle));
    }

    private static Entry entry(Tx tx, BundleSnapshot bundle) {
        return HubRows.find(tx, bundle.repository().id())
                .orElseThrow(() -> new Problem.BundleNotFound(bundle.name(), "").raise());
    }

    /// Returns a page of a list. Bundles whose name is exactly the search text come first. By relevance, they
    /// are followed by bundles that match in their names, then in names, keywords and description, then in any
    /// text, including paths and README.
    ///
    /// @param after the position of the last entry of the previous page, or null
    /// @throws ProblemException invalid-cursor if `after` is not a position; for a search also as
    /// [CpuPool#run], which limits how many searches run at the same time
    public List<Hit> page(Filter filter, Sort sort, @Nullable String after, int limit) {
        var from = after == null ? HubSearch.Position.FIRST : HubSearch.Position.parse(after);
        return filter.search() == null
                ? database.read(tx -> HubSearch.page(tx, filter, sort, from, limit))
                : searches.run(LIMIT, budget -> database.read(tx -> HubSearch.page(tx, filter, sort, from, limit)));
    }

    /// Returns the names of the installable skills of each entry, in order, by repository.
    public Map<Long, List<String>> skills(List<Entry> entries) {
        return database
                .read(tx -> HubRows.skills(
                        tx, entries.stream().map(Entry::repositoryId).toList()))
                .entrySet()
                .stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, found -> found.getValue().lines().toList()));
    }

    /// Returns the number of listed bundles in each category, including empty ones.
    public Map<String, Long> categories() {
        return database.read(tx -> HubRows.counts(tx, Filter.CATEGORY));
    }

    /// Returns the newest versions of a listed bundle.
    public List<Release> releases(BundleSnapshot bundle, int limit) {
        return database.read(
                tx -> HubRows.releases(tx, List.of(bundle.repository().id()), limit));
    }

    /// Returns the newest versions of all listed bundles of a namespace; empty if there are none.
    public List<Release> releases(Namespace namespace, int limit) {
        return database.read(tx -> {
            // the newest versions belong to the bundles that were published last
            var filter = new Filter(null, null, namespace, null);
            var bundles = HubSearch.page(tx, filter, Sort.RECENT, HubSearch.Position.FIRST, limit).stream()
                    .map(found -> found.entry().repositoryId())
                    .toList();
            return HubRows.releases(tx, bundles, limit);
        });
    }
}
