package dev.sheaf.server.hub;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.text.Words;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.bundle.BundleRow;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.InvalidatedCache;
import dev.sheaf.server.db.Tx;
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

/// What everybody may discover: public bundles with a version that is published and not yanked, the same for
/// every caller (contract 1.4 and 3.8). All else is answered as if it did not exist. Thread-safe.
public final class Hub {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int REMEMBERED = 20_000;
    private static final int MAX_VERSIONS = 200;

    private final Database database;
    private final CpuPool searches;
    private final InvalidatedCache<RepositoryName, Repository> listed;

    public Hub(Database database, CpuPool searches) {
        this.database = database;
        this.searches = searches;
        this.listed = new InvalidatedCache<>(database, REMEMBERED);
        database.onChange(this::forget);
    }

    private void forget(Change change) {
        switch (change.kind()) {
            case REPOSITORY -> listed.forget(RepositoryName.parse(change.id()));
            case NAMESPACE, EVERYTHING -> listed.forgetAll();
            default -> {} // holds nothing of these
        }
    }

    /// The order of a list, always descending.
    public enum Sort {
        /// By what was typed, see [Hub#page]; what is equal, the most downloaded first.
        RELEVANCE("downloads"),
        /// By the time of the newest version.
        RECENT("published_at"),
        DOWNLOADS("downloads"),
        STARS("stars"),
        /// By downloads, of which each counts half as much after a week.
        TRENDING("trending");

        private final String column;

        Sort(String column) {
            this.column = column;
        }

        String column() {
            return column;
        }

        /// @throws ProblemException validation-failed where it is none of the words
        public static Sort parse(String word) {
            return Words.find(Sort.class, word).orElseThrow(() -> Problem.invalid("format", Words.oneOf(Sort.class)));
        }

        /// The word in queries.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// What to list.
    ///
    /// @param search null: all
    /// @param type only bundles whose latest version has an asset of that kind; null: all
    public record Filter(
            @Nullable SearchQuery search,
            @Nullable AssetType type,
            @Nullable Namespace namespace,
            @Nullable String category) {
        static final String TYPE = "type:";
        static final String NAMESPACE = "namespace:";
        static final String CATEGORY = "category:";

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

    /// What is counted of a bundle.
    ///
    /// @param trending see [FadingCount]
    /// @param publishedAt of its newest version, in milliseconds since 1970
    public record Counters(long stars, long downloads, long downloads30d, long trending, long publishedAt) {}

    /// A bundle as lists show it.
    ///
    /// @param publisher what people call the namespace
    /// @param name what people call the bundle
    /// @param assetTypes one a line
    /// @param keywords one a line
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

    /// An entry and where it stands in the list that it was found in.
    public record Hit(Entry entry, String position) {}

    /// A version of a listed bundle that is published.
    ///
    /// @param deprecated the advice against it, or null
    public record Release(
            UUID id,
            RepositoryName ref,
            String name,
            String version,
            Instant publishedAt,
            @Nullable String deprecated) {}

    /// A listed bundle with all that the hub shows of it.
    ///
    /// @param versions the highest first, at most 200
    public record Detail(Entry entry, BundleRow bundle, List<Release> versions) {}

    /// Makes sure that the hub shows the bundle. To refuse takes the same steps whether it is missing or
    /// hidden.
    ///
    /// @throws ProblemException bundle-not-found, whoever asks
    public void require(RepositoryName name) {
        Access.everybody(
                name,
                listed.get(name, missing -> database.read(tx -> HubRows.listed(tx, missing)))
                        .orElse(null));
    }

    /// The same inside a transaction, of which it also tells the repository.
    static long require(Tx tx, RepositoryName name) {
        return Access.everybody(name, HubRows.listed(tx, name).orElse(null)).id();
    }

    /// @throws ProblemException as [#require]
    public Detail detail(Snapshot bundle) {
        return database.read(tx -> new Detail(
                entry(tx, bundle),
                bundle.bundle(),
                HubRows.versions(tx, bundle.repository().id(), MAX_VERSIONS)));
    }

    /// @throws ProblemException as [#require]
    public Entry entry(Snapshot bundle) {
        return database.read(tx -> entry(tx, bundle));
    }

    private static Entry entry(Tx tx, Snapshot bundle) {
        return HubRows.find(tx, bundle.repository().id())
                .orElseThrow(() -> new Problem.BundleNotFound(bundle.name(), "").raise());
    }

    /// A page of a list. Whoever is called exactly what was typed comes first. By relevance, bundles follow
    /// that have the words in their names, then those that have them in keywords and description too, then
    /// those that need their paths and README for it.
    ///
    /// @param after the position of the last entry of the page before, or null
    /// @throws ProblemException invalid-cursor where `after` is no position; as [CpuPool#run] where it is a search,
    /// which keeps the database busy
    public List<Hit> page(Filter filter, Sort sort, @Nullable String after, int limit) {
        var from = after == null ? HubSearch.Position.FIRST : HubSearch.Position.parse(after);
        return filter.search() == null
                ? database.read(tx -> HubSearch.page(tx, filter, sort, from, limit))
                : searches.run(LIMIT, budget -> database.read(tx -> HubSearch.page(tx, filter, sort, from, limit)));
    }

    /// The names of the skills of some entries that clients can install, by repository; those of an entry in
    /// order.
    public Map<Long, List<String>> skills(List<Entry> entries) {
        return database
                .read(tx -> HubRows.skills(
                        tx, entries.stream().map(Entry::repositoryId).toList()))
                .entrySet()
                .stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, found -> found.getValue().lines().toList()));
    }

    /// How many bundles the hub lists in each category, also where there are none.
    public Map<String, Long> categories() {
        return database.read(tx -> HubRows.counts(tx, Filter.CATEGORY));
    }

    /// The newest versions of a listed bundle.
    public List<Release> releases(Snapshot bundle, int limit) {
        return database.read(
                tx -> HubRows.releases(tx, List.of(bundle.repository().id()), limit));
    }

    /// The newest versions of all listed bundles of a namespace; empty where there are none.
    public List<Release> releases(Namespace namespace, int limit) {
        return database.read(tx -> {
            // the newest versions are among those of the bundles that published last
            var filter = new Filter(null, null, namespace, null);
            var bundles = HubSearch.page(tx, filter, Sort.RECENT, HubSearch.Position.FIRST, limit).stream()
                    .map(found -> found.entry().repositoryId())
                    .toList();
            return HubRows.releases(tx, bundles, limit);
        });
    }
}
