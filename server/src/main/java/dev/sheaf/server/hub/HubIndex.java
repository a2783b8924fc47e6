package dev.sheaf.server.hub;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.plugin.PluginServer;
import dev.sheaf.model.skill.SkillRules;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.BundleRow;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.FadingCount;
import dev.sheaf.server.bundle.PluginTexts;
import dev.sheaf.server.bundle.SkillTexts;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.StagedBlob;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Updates the hub's lists and search index inside the transactions that change them: a version is published,
/// yanked, unyanked or deleted (all of these call [LatestTag#recomputeLatest]), or a bundle is edited, shown,
/// hidden, deleted or restored. So a hidden bundle cannot be found, and a found entry is never out of date.
public final class HubIndex {
    private static final int SUMMARY = 300;
    private static final int BATCH = 200;
    private static final Pattern SPACE = Pattern.compile("[\\s\\p{Cntrl}]+"); // PostgreSQL stores no NUL
    private static final int MOST_TOOLS = 30; // of a bundle
    private static final int MAX_TOOL = 100; // characters
    private static final int MOST_KEYWORDS = 50; // of a skill
    private static final int MOST_SERVERS = 5; // of a plugin
    private static final int MAX_SERVER = 120; // characters of its name, and of what it runs

    private HubIndex() {}

    /// The part of a version's content that the hub uses.
    ///
    /// @param skills the skills with texts, see [SkillTexts]
    /// @param plugin null if it is no plugin
    public record Content(
            List<StoredAsset> assets,
            List<SkillTexts.Entry> skills,
            PluginTexts.@Nullable Entry plugin,
            VersionRisk risk) {
        public Content {
            assets = List.copyOf(assets);
            skills = List.copyOf(skills);
        }

        /// @param slug the name of the bundle
        /// @param staged see [SkillTexts#of]
        public static Content of(
                Tx tx, String slug, List<StoredAsset> assets, List<StagedBlob> staged, VersionRisk risk) {
            return new Content(
                    assets,
                    SkillTexts.of(tx, slug, assets, staged),
                    PluginTexts.of(tx, assets, staged).orElse(null),
                    risk);
        }

        private static Content stored(Tx tx, String slug, VersionRow version) {
            return of(tx, slug, AssetRows.list(tx, version.id()), List.of(), VersionRows.risk(tx, version.id()));
        }

        private List<PluginServer> servers() {
            return plugin == null ? List.of() : plugin.servers();
        }

        /// Returns the skills that clients can install.
        private List<SkillTexts.Entry> listed() {
            return skills.stream().filter(SkillTexts.Entry::isListed).toList();
        }
    }

    /// The entry of a repository's bundle.
    ///
    /// @param publishedAt when a version was last published, not counting yanked ones
    /// @param yankedVersion the highest version above the latest one that is yanked; null if there is none
    /// @param skillsDigest the digest of the rows of its skills; empty if there are none
    /// @param facets one per line
    public record Entry(
            boolean isListed,
            Instant publishedAt,
            @Nullable String yankedVersion,
            String skillsDigest,
            String facets) {}

    /// Asks for the current entry.
    public static PipelineAnswer<Optional<Entry>> entry(Tx tx, Repository repository) {
        return HubRows.entry(tx, repository.id());
    }

    /// Writes the current entry of the repository's bundle, or removes it if the bundle is not public or has no
    /// published version. The transaction must have locked the repository.
    public static void refresh(Tx tx, long repositoryId) {
        var repository = HubRows.repository(tx, repositoryId);
        var bundle = repository
                .filter(found -> found.visibility() == Visibility.PUBLIC)
                .flatMap(found -> BundleRows.find(tx, repositoryId));
        var latest = bundle.flatMap(found -> VersionRows.latest(tx, found.id()));
        if (latest.isEmpty()) {
            if (HubRows.hide(tx, repositoryId)) {
                tell(tx, repository.orElseThrow(), Event.BundleWithdrawn::new);
                HubRows.facets(tx, repositoryId, List.of());
                HubSkillRows.put(tx, repositoryId, List.of());
                HubTextRows.remove(tx, repositoryId);
            }
            return;
        }
        var entry = HubRows.entry(tx, repositoryId).get().orElse(null);
        tellIfNew(tx, repository.orElseThrow(), entry);
        var published = HubRows.lastPublished(tx, bundle.orElseThrow().id());
        var yanked = VersionRows.yankedAbove(tx, latest.get()).orElse(null);
        show(tx, repository.orElseThrow(), bundle.get(), latest.get(), null, entry, new Times(published, yanked));
    }

    /// What versions other than the latest say.
    ///
    /// @param published when a version was last published, not counting yanked ones
    /// @param yanked see [Entry]
    private record Times(Instant published, @Nullable Version yanked) {}

    private static void tellIfNew(Tx tx, Repository repository, @Nullable Entry entry) {
        if (entry == null || !entry.isListed()) {
            tell(tx, repository, Event.BundleListed::new);
        }
    }

    private static void tell(Tx tx, Repository repository, Function<String, Event.OfHub> event) {
        var told = event.apply(repository.name().toString());
        OutboxRows.emitToHub(tx, repository.organizationId(), told);
    }

    /// Writes the entry of a public bundle that has just got a new version.
    ///
    /// @param content the content of the latest version; null to read it from the database
    /// @param entry the previous entry; null if there was none
    /// @param published the new version
    public static void list(
            Tx tx,
            Repository repository,
            BundleRow bundle,
            VersionRow latest,
            @Nullable Content content,
            @Nullable Entry entry,
            VersionRow published) {
        tellIfNew(tx, repository, entry);
        var last = entry != null && entry.isListed()
                ? later(entry.publishedAt(), published.publishedAt())
                : HubRows.lastPublished(tx, bundle.id());
        show(tx, repository, bundle, latest, content, entry, new Times(last, yankedAbove(tx, latest, entry)));
    }

    /// Returns the yanked version above the latest one. A publish yanks nothing, so the entry knows it,
    /// except when it is written for the first time.
    private static @Nullable Version yankedAbove(Tx tx, VersionRow latest, @Nullable Entry entry) {
        if (entry == null || !entry.isListed()) {
            return VersionRows.yankedAbove(tx, latest).orElse(null);
        }
        var yanked = entry.yankedVersion() == null ? null : Version.parse(entry.yankedVersion());
        return yanked != null && yanked.compareTo(latest.version()) > 0 ? yanked : null;
    }

    /// Rebuilds the full-text index, which may be damaged, or empty after a restore. Until it ends, searches find less.
    public static void rebuild(Database database) {
        database.write(HubTextRows::clear);
        List<Long> missing = database.read(tx -> HubTextRows.missing(tx, BATCH));
        while (!missing.isEmpty()) {
            var batch = missing;
            database.write(tx -> {
                batch.forEach(repository -> refresh(tx, repository));
                return batch.size();
            });
            missing = database.read(tx -> HubTextRows.missing(tx, BATCH));
        }
    }

    /// Completes a batch of entries that an older program wrote. Returns false if no such entry is left.
    public static boolean catchUp(Database database) {
        List<Long> some = database.read(tx -> HubRows.withoutFacts(tx, BATCH));
        some.forEach(repository -> database.write(tx -> {
            refresh(tx, repository);
            return repository;
        }));
        return !some.isEmpty();
    }

    /// Keeps the risk of a version that was read after its publish, if it is the latest one of a listed bundle. The
    /// transaction must have locked the repository.
    public static void keep(Tx tx, UUID bundleId, Version version, VersionRisk risk) {
        HubRows.keep(tx, bundleId, version, risk);
    }

    private static void show(
            Tx tx,
            Repository repository,
            BundleRow bundle,
            VersionRow latest,
            @Nullable Content known,
            @Nullable Entry entry,
            Times times) {
        var content =
                known == null ? Content.stored(tx, repository.name().bundle().value(), latest) : known;
        var published = times.published();
        var assets = content.assets();
        var types = assets.stream()
                .map(StoredAsset::assetType)
                .distinct()
                .sorted()
                .map(Objects::toString)
                .toList();
        var profile = bundle.profile();
        var skills = content.listed();
        var tools = tools(skills);
        var rows = skills.stream().map(HubIndex::skill).toList();
        String digest = rows.isEmpty()
                ? ""
                : Digest.sha256(rows.toString().getBytes(StandardCharsets.UTF_8))
                        .hex();
        HubRows.show(
                tx,
                new HubRows.Row(
                        repository.id(),
                        bundle.id(),
                        repository.name(),
                        SearchWords.joined(Stream.of(profile.name())),
                        profile.name(),
                        summary(profile.description()),
                        String.join("\n", types),
                        Objects.requireNonNullElse(profile.keywords(), ""),
                        profile.license(),
                        latest.version(),
                        bundle.createdAt(),
                        published,
                        later(published, Objects.requireNonNullElse(bundle.updatedAt(), bundle.createdAt())),
                        FadingCount.of(published),
                        skills.stream().map(SkillTexts.Entry::name).collect(Collectors.joining("\n")),
                        latest.digest(),
                        String.join("\n", tools),
                        digest,
                        HubRows.Risk.of(content.risk()),
                        bundle.deprecation() != null,
                        bundle.deprecationReplacement(),
                        times.yanked(),
                        content.servers().stream()
                                .limit(MOST_SERVERS)
                                .map(HubIndex::server)
                                .collect(Collectors.joining("\n")),
                        HubStalks.of(content.assets())));
        if (!digest.equals(entry == null ? "" : entry.skillsDigest())) {
            HubSkillRows.put(tx, repository.id(), rows);
        }
        var facets = new TreeSet<String>();
        facets.add(HubFacet.NAMESPACE.of(repository.name().namespace().value()));
        types.forEach(type -> facets.add(HubFacet.TYPE.of(type)));
        HubCategories.of(profile.keywordList()).forEach(category -> facets.add(HubFacet.CATEGORY.of(category)));
        facets.add(HubFacet.LICENSE.of(HubFacet.license(profile.license())));
        tools.forEach(tool -> facets.add(HubFacet.TOOL.of(tool)));
        if (tools.isEmpty() && !skills.isEmpty()) {
            facets.add(HubFacet.TOOL.of(HubFacet.NONE));
        }
        facets.addAll(HubFacet.of(content.risk()));
        if (Credential.Run.isActor(latest.publishedBy())) {
            facets.add(HubFacet.FLAG.of(HubFlag.WORKFLOW.toString()));
        }
        facets.addAll(HubWords.facets(repository.name(), profile.name(), skills));
        if (entry == null || !facets.equals(new TreeSet<>(entry.facets().lines().toList()))) {
            HubRows.facets(tx, repository.id(), List.copyOf(facets));
        }
        words(tx, repository, profile, content);
    }

    /// Returns the name of a server and what it runs, with a tab between them.
    private static String server(PluginServer server) {
        return Quoted.line(oneLine(server.name()), MAX_SERVER) + "\t"
                + Quoted.line(oneLine(server.words()), MAX_SERVER);
    }

    private static HubSkillRows.Row skill(SkillTexts.Entry skill) {
        var text = skill.text();
        return new HubSkillRows.Row(
                skill.name(),
                oneLine(SkillRules.listed(text.description().orElse(""))),
                text.keywords().stream()
                        .limit(MOST_KEYWORDS)
                        .map(HubIndex::oneLine)
                        .collect(Collectors.joining("\n")),
                String.join("\n", tools(List.of(skill))),
                skill.document().value(),
                skill.files());
    }

    /// Returns the tools that skills ask for, without their arguments: `Bash(git:*)` is `Bash`.
    private static List<String> tools(List<SkillTexts.Entry> skills) {
        return skills.stream()
                .flatMap(skill -> skill.text().allowedTools().stream())
                .map(tool -> oneLine(tool.split("\\(", 2)[0]))
                .filter(tool -> !tool.isEmpty() && tool.length() <= MAX_TOOL)
                .distinct()
                .limit(MOST_TOOLS)
                .sorted()
                .toList();
    }

    private static void words(Tx tx, Repository repository, BundleProfile profile, Content content) {
        var name = repository.name();
        String paths =
                content.assets().stream().map(asset -> asset.path().value()).collect(Collectors.joining(" "));
        HubTextRows.put(
                tx,
                repository.id(),
                SearchWords.joined(
                        Stream.of(name.namespace().value(), name.bundle().value(), profile.name())),
                SearchWords.joined(Stream.of(
                                profile.keywordList().stream(),
                                Stream.ofNullable(profile.description()),
                                Stream.ofNullable(content.plugin())
                                        .map(plugin -> plugin.manifest().name()),
                                content.servers().stream().map(PluginServer::name),
                                Stream.of(saidBy(content.skills())))
                        .flatMap(texts -> texts)),
                SearchWords.joined(Stream.of(
                                Stream.of(paths),
                                Stream.ofNullable(profile.readmeContent()),
                                Stream.of(SearchWords.together(content.skills().stream()
                                        .map(skill -> skill.text().body()))))
                        .flatMap(texts -> texts)));
    }

    /// Returns the words of the skills' names, descriptions and keywords. All skills together have the limits
    /// of one text.
    private static String saidBy(List<SkillTexts.Entry> skills) {
        return SearchWords.together(skills.stream()
                .flatMap(skill -> Stream.of(
                                Stream.of(skill.name()),
                                skill.text().description().stream(),
                                skill.text().keywords().stream())
                        .flatMap(texts -> texts)));
    }

    private static String oneLine(String text) {
        return SPACE.matcher(text).replaceAll(" ").strip();
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /// Returns the first paragraph of a description as one line, truncated if it is long.
    private static String summary(@Nullable String description) {
        if (description == null) {
            return "";
        }
        String first = oneLine(description.strip().split("\\n\\s*\\n", 2)[0]);
        return first.codePointCount(0, first.length()) <= SUMMARY
                ? first
                : first.substring(0, first.offsetByCodePoints(0, SUMMARY - 1)) + "…";
    }
}
