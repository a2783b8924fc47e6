package dev.sheaf.server.hub;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.cpu.Budget;
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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Discovery: public bundles with a published version that is not yanked, the same for every caller (contract
/// 1.4 and 3.8). Other bundles are answered as if they did not exist. Thread-safe.
public final class Hub {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int REMEMBERED = HeapShare.REPOSITORIES.entries(4, 250 + HeapShare.ENTRY);
    private static final int MAX_VERSIONS = 200;
    private static final int COUNTED = 20_000; // bundles
    private static final int SMALL = 1_000; // bundles that are counted each time
    private static final Duration COUNTS_KEPT = Duration.ofSeconds(10);
    private static final int COUNT_BYTES = 150; // of a value of a facet
    private static final int SKILLS_OF_BUNDLE = 5; // in the results of a search

    private final Database database;
    private final CpuPool searches;
    private final int small;
    private final InvalidatedCache<RepositoryName, Repository> listed;
    private final Cache<Filter, Counts> counts = Caffeine.newBuilder()
            .maximumWeight(HeapShare.HUB_COUNTS.bytes())
            .weigher((Filter filter, Counts found) -> HeapShare.ENTRY + COUNT_BYTES * found.size())
            .expireAfterWrite(COUNTS_KEPT)
            .executor(Runnable::run)
            .build();

    public Hub(Database database, CpuPool searches) {
        this(database, searches, SMALL);
    }

    /// @param small up to how many listed bundles are counted each time
    Hub(Database database, CpuPool searches, int small) {
        this.database = database;
        this.searches = searches;
        this.small = small;
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
    /// @param license as [HubFacet#license] returns it; null for all bundles
    /// @param tool a tool that a skill asks for, or [HubFacet#NONE]; null for all bundles
    /// @param scripts [HubFacet#SOME] or [HubFacet#NONE]; null for all bundles
    /// @param flags what must be true of the latest version
    public record Filter(
            @Nullable SearchQuery search,
            @Nullable AssetType type,
            @Nullable Namespace namespace,
            @Nullable String category,
            @Nullable String license,
            @Nullable String tool,
            @Nullable String scripts,
            Set<HubFlag> flags) {
        private static final int MAX_VALUE = 200;

        public Filter {
            flags = Set.copyOf(flags);
        }

        public Filter(
                @Nullable SearchQuery search,
                @Nullable AssetType type,
                @Nullable Namespace namespace,
                @Nullable String category) {
            this(search, type, namespace, category, null, null, null, Set.of());
        }

        /// Parses a kind of asset.
        ///
        /// @throws dev.sheaf.model.ProblemException validation-failed for an unknown word
        public static AssetType type(String word) {
            if (!AssetType.isKnown(word)) {
                throw Problem.invalid("format", WireWords.oneOf(AssetType.class));
            }
            return AssetType.ofInput(word);
        }

        /// Checks the length of a license or tool.
        ///
        /// @throws dev.sheaf.model.ProblemException validation-failed
        public static String value(String text) {
            if (text.isBlank() || text.length() > MAX_VALUE || text.indexOf('\0') >= 0) {
                throw Problem.invalid("format", "must be a text of 1 to " + MAX_VALUE + " characters");
            }
            return text.strip().replaceAll("\\s+", " ");
        }

        /// Parses whether bundles must have scripts.
        ///
        /// @throws dev.sheaf.model.ProblemException validation-failed
        public static String scripts(String text) {
            if (!text.equals(HubFacet.SOME) && !text.equals(HubFacet.NONE)) {
                throw Problem.invalid("format", "must be " + HubFacet.SOME + " or " + HubFacet.NONE);
            }
            return text;
        }

        /// Parses whether something must be true.
        ///
        /// @throws dev.sheaf.model.ProblemException validation-failed
        public static boolean flag(String text) {
            return switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> throw Problem.invalid("format", "must be true or false");
            };
        }

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
            for (var kind : HubFacet.values()) {
                String value = chosen(kind);
                if (value != null) {
                    facets.add(HubRows.having(kind, value));
                }
            }
            flags.stream().sorted().map(HubRows::having).forEach(facets::add);
            return facets;
        }

        private @Nullable String chosen(HubFacet kind) {
            return switch (kind) {
                case CATEGORY -> category;
                case FLAG, WORD -> null;
                case LICENSE -> license;
                case NAMESPACE -> namespace == null ? null : namespace.value();
                case SCRIPTS -> scripts;
                case TOOL -> tool;
                case TYPE -> type == null ? null : type.toString();
            };
        }

        boolean has(HubFacet kind) {
            return chosen(kind) != null;
        }

        /// Returns the filter for all values of a kind.
        Filter without(HubFacet kind) {
            return new Filter(
                    search,
                    kind == HubFacet.TYPE ? null : type,
                    kind == HubFacet.NAMESPACE ? null : namespace,
                    kind == HubFacet.CATEGORY ? null : category,
                    kind == HubFacet.LICENSE ? null : license,
                    kind == HubFacet.TOOL ? null : tool,
                    kind == HubFacet.SCRIPTS ? null : scripts,
                    flags);
        }

        Filter without(HubFlag flag) {
            var others = flags.stream().filter(other -> other != flag).collect(Collectors.toUnmodifiableSet());
            return new Filter(search, type, namespace, category, license, tool, scripts, others);
        }

        /// Returns the filter with its search alone.
        public Filter onlySearch() {
            return new Filter(search, null, null, null);
        }

        /// Returns whether there is more than a search.
        public boolean isNarrow() {
            return !equals(onlySearch());
        }
    }

    /// How many bundles a filter finds.
    ///
    /// @param total the number of bundles
    /// @param isExact false if more bundles are listed than counted, so that there may be more of everything
    /// @param flags the number of bundles of which each flag is true, whether or not the filter asks for it
    /// @param values the number of bundles by value, most first, as if the filter had no value of that kind
    public record Counts(
            long total, boolean isExact, Map<HubFlag, Long> flags, Map<HubFacet, Map<String, Long>> values) {
        public Counts {
            flags = Collections.unmodifiableMap(flags);
            values = Collections.unmodifiableMap(values);
        }

        /// Returns the number of bundles of which a flag is true.
        public long of(HubFlag flag) {
            return flags.getOrDefault(flag, 0L);
        }

        private int size() {
            return flags.size() + values.values().stream().mapToInt(Map::size).sum();
        }
    }

    /// A skill in a bundle that has several.
    ///
    /// @param path the path of its SKILL.md
    /// @param files the number of its files
    public record SkillHit(Entry bundle, String name, String description, List<String> tools, String path, int files) {
        public SkillHit {
            tools = List.copyOf(tools);
        }
    }

    /// What lists say about the trust in a bundle.
    ///
    /// @param skills the names of the skills that clients can install, one per line
    /// @param skillTools the tools that they ask for, one per line
    /// @param findings the number of findings of the latest version, see [VersionRisk]
    /// @param findingCodes their kinds, one per line
    /// @param worstFinding the severity of the worst; null if there is none
    /// @param readExtent how much of the latest version was read for them: `whole`, `part` or `none`
    /// @param yankedVersion the highest version above the latest one that is yanked; null if there is none
    /// @param servers the MCP servers of a plugin, one per line: the name, a tab and what it runs
    /// @param stalks the files of the latest version for a drawing, see [HubStalks]
    /// @param isSigned whether the latest version has a signature, which nobody has verified here
    /// @param scripts whether it has something that runs: [HubFacet#SOME] or [HubFacet#NONE]; null if not known
    public record Facts(
            String skills,
            String skillTools,
            int findings,
            String findingCodes,
            @Nullable String worstFinding,
            String readExtent,
            boolean isDeprecated,
            @Nullable String replacement,
            @Nullable String yankedVersion,
            String servers,
            String stalks,
            boolean isSigned,
            @Nullable String scripts) {
        public List<String> skillNames() {
            return skills.lines().toList();
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
            Counters counters,
            Facts facts) {
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
    public record Hit(Entry entry, String position) {
        /// Returns how well the entry matches a search; 0 is best, see [Hub#page].
        public int tier() {
            return HubSearch.Position.parse(position).tier();
        }
    }

    /// A namespace with a listed bundle.
    public record Publisher(String name, String displayName) {}

    /// How much a listed bundle has.
    ///
    /// @param versions the number of its versions that are not yanked
    /// @param skills the number of installable skills in its latest version
    public record Extent(String slug, long versions, long skills) {}

    /// A published version of a listed bundle.
    ///
    /// @param deprecated the deprecation message, or null
    public record Release(
            UUID id,
            RepositoryName ref,
            String name,
            String version,
            Instant publishedAt,
            @Nullable String deprecated,
            @Nullable String message) {}

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
        return searching(filter.search() != null, tx -> HubSearch.page(tx, filter, sort, from, limit));
    }

    /// Returns how many bundles a filter finds. If many bundles are listed, counting takes long, so it takes turns
    /// like searches, and what was counted serves everybody for a few seconds.
    ///
    /// @throws ProblemException as [CpuPool#run]
    public Counts counts(Filter filter) {
        var known = counts.getIfPresent(filter);
        return known == null ? searches.run(LIMIT, budget -> counted(filter)) : known;
    }

    private Counts counted(Filter filter) {
        boolean isLarge = database.read(tx -> HubRows.hasMore(tx, small));
        var known = counts.getIfPresent(filter); // somebody else may have counted during the wait
        if (known != null) {
            return known;
        }
        var counted = database.read(tx -> HubSearch.counts(tx, filter, COUNTED));
        if (isLarge) {
            counts.put(filter, counted);
        }
        return counted;
    }

    /// Returns the skills that match a search in those of its bundles that have several skills: all words
    /// are in the skill or in the bundle's names, and at least one is in the skill.
    ///
    /// @param hits the bundles, whose order the skills keep
    /// @throws ProblemException as [CpuPool#run]
    public List<SkillHit> skills(SearchQuery search, List<Hit> hits) {
        var collections = hits.stream()
                .map(Hit::entry)
                .filter(entry -> entry.facts().skillNames().size() > 1)
                .toList();
        var rows =
                database
                        .read(tx -> HubSkillRows.of(
                                tx,
                                collections.stream().map(Entry::repositoryId).toList()))
                        .stream()
                        .collect(Collectors.groupingBy(HubSkillRows.Found::repositoryId));
        if (rows.isEmpty()) {
            return List.of();
        }
        return searches.run(LIMIT, budget -> matching(search.terms(), collections, rows, budget));
    }

    private static List<SkillHit> matching(
            List<String> terms, List<Entry> collections, Map<Long, List<HubSkillRows.Found>> rows, Budget budget) {
        var match = new SkillMatch(terms);
        return collections.stream()
                .flatMap(entry -> rows.getOrDefault(entry.repositoryId(), List.of()).stream()
                        .filter(skill -> {
                            budget.check();
                            return match.is(entry.ref() + " " + entry.name(), skill);
                        })
                        .limit(SKILLS_OF_BUNDLE)
                        .map(skill -> new SkillHit(
                                entry,
                                skill.name(),
                                skill.description(),
                                skill.tools().lines().toList(),
                                skill.path(),
                                skill.files())))
                .toList();
    }

    /// Returns a search with misspelled words replaced by words in the names of listed bundles; empty if
    /// there is nothing to replace, or no bundle has all the words then.
    ///
    /// @throws ProblemException as [#page]
    public Optional<String> suggestion(SearchQuery search) {
        return searching(
                true,
                tx -> HubWords.corrected(tx, search.terms())
                        .filter(text -> !HubSearch.page(
                                        tx,
                                        new Filter(SearchQuery.parse(text), null, null, null),
                                        Sort.DOWNLOADS,
                                        HubSearch.Position.FIRST,
                                        1)
                                .isEmpty()));
    }

    private <T> T searching(boolean isSearch, Function<Tx, T> work) {
        return isSearch ? searches.run(LIMIT, budget -> database.read(work)) : database.read(work);
    }

    /// Returns the entries of those repositories that the hub lists, by repository.
    public Map<Long, Entry> entries(List<Long> repositories) {
        return database.read(tx -> HubRows.entries(tx, repositories)).stream()
                .collect(Collectors.toMap(Entry::repositoryId, Function.identity()));
    }

    /// Returns the number of listed bundles in each category; empty ones may be missing.
    public Map<String, Long> categories() {
        var all = new HubRows.Counted(HubFacet.CATEGORY.prefix(), HubFacet.CATEGORY.end(), null, List.of(), 0);
        return database.read(tx -> HubRows.counts(tx, all)).stream()
                .collect(Collectors.toMap(
                        count -> count.facet()
                                .substring(HubFacet.CATEGORY.prefix().length()),
                        HubRows.Count::bundles));
    }

    /// Returns the namespaces of listed bundles by name.
    ///
    /// @param from the first name; empty for all
    public List<Publisher> publishers(String from, int limit) {
        return database.read(tx -> HubRows.publishers(tx, from, limit));
    }

    /// Returns the listed bundles of a namespace by slug.
    ///
    /// @param from the first slug; empty for all
    public List<Extent> extents(Namespace namespace, String from, int limit) {
        return database.read(tx -> HubRows.extents(tx, namespace, from, limit));
    }

    /// Returns the newest versions of a listed bundle.
    public List<Release> releases(BundleSnapshot bundle, int limit) {
        return database.read(
                tx -> HubRows.releases(tx, List.of(bundle.repository().id()), limit));
    }

    /// Returns the newest versions of all listed bundles, or of those of a namespace; empty if there are none.
    ///
    /// @param namespace null for all
    public List<Release> releases(@Nullable Namespace namespace, int limit) {
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
