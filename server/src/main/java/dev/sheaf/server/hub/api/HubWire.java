package dev.sheaf.server.hub.api;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.model.wire.hub.HubCategory;
import dev.sheaf.model.wire.hub.HubFacets;
import dev.sheaf.model.wire.hub.HubPublisher;
import dev.sheaf.model.wire.hub.HubSkill;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.api.AssetWords;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.HubCategories;
import dev.sheaf.server.hub.HubFacet;
import dev.sheaf.server.hub.HubFlag;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Converts the hub's data to the records of the API.
public final class HubWire {
    private static final String CAPABILITY = "capability:";
    private static final int MOST_VALUES = 20; // of a facet
    private static final List<String> KINDS = List.of("skill", "agent_spec", "toolset", "prompt");

    private HubWire() {}

    /// Publishers are not verified yet, so all are unverified.
    static HubPublisher publisher(String handle, String displayName) {
        return new HubPublisher(handle, displayName, "unverified", null);
    }

    /// Returns a bundle that the hub shows.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [Hub#require], [Hub#detail]
    public static HubBundle detail(Call call, Hub hub, BundleSnapshot bundle) {
        hub.require(bundle.name());
        return detail(AssetWords.of(call), hub.detail(bundle));
    }

    /// Returns a bundle in a list.
    public static HubBundle summary(AssetWords words, Hub.Entry entry) {
        return bundle(words, entry, null);
    }

    static HubBundle detail(AssetWords words, Hub.Detail detail) {
        return bundle(words, detail.entry(), detail);
    }

    /// @param detail null in a list
    private static HubBundle bundle(AssetWords words, Hub.Entry entry, Hub.@Nullable Detail detail) {
        var counters = entry.counters();
        var types = entry.assetTypes().lines().toList();
        var profile = detail == null ? null : detail.bundle().profile();
        String ref = entry.ref().toString();
        String slug = entry.ref().bundle().value();
        return new HubBundle(
                entry.bundleId(),
                publisher(entry.ref().namespace().value(), entry.publisher()),
                slug,
                entry.name(),
                entry.summary(),
                types.stream().map(word -> words.of(AssetType.ofInput(word))).toList(),
                bundleType(types),
                keywords(entry, false),
                keywords(entry, true),
                entry.license(),
                entry.latestVersion(),
                counters.stars(),
                counters.downloads(),
                counters.downloads30d(),
                entry.createdAt(),
                entry.updatedAt(),
                profile == null ? null : Objects.requireNonNullElse(profile.description(), ""),
                profile == null ? null : profile.repositoryUrl(),
                profile == null ? null : profile.homepageUrl(),
                profile == null ? null : profile.readmeContent(),
                profile == null ? null : profile.readmeFormat(),
                detail == null ? entry.facts().isDeprecated() : detail.bundle().deprecation() != null,
                detail == null ? null : "sheaf pull " + ref + ":" + entry.latestVersion(),
                detail == null ? null : "sheaf add " + ref,
                detail == null
                        ? null
                        : detail.versions().stream().map(HubWire::version).toList(),
                entry.facts().isSigned(),
                entry.facts().findings(),
                entry.facts().findingCodes().lines().toList(),
                entry.facts().worstFinding(),
                entry.facts().skillNames().size(),
                entry.facts().skillTools().lines().toList(),
                entry.facts().replacement(),
                entry.facts().yankedVersion(),
                servers(entry.facts().servers()),
                entry.facts().readExtent(),
                entry.facts().scripts());
    }

    /// @param servers as [Hub.Facts#servers] has them
    private static List<HubBundle.Server> servers(String servers) {
        return servers.lines()
                .map(line -> line.split("\t", 2))
                .map(parts -> new HubBundle.Server(parts[0], parts[1]))
                .toList();
    }

    /// Returns a skill among the results of a search.
    public static HubSkill skill(Hub.SkillHit hit) {
        var bundle = hit.bundle();
        return new HubSkill(
                bundle.ref().toString(),
                bundle.latestVersion(),
                hit.name(),
                hit.description(),
                hit.path(),
                hit.files(),
                hit.tools(),
                "sheaf add " + quoted(bundle.ref() + "#" + hit.name()));
    }

    /// Returns a word for a shell, in which a `#` may begin a comment. The text must not contain quotes, as names
    /// do not.
    private static String quoted(String text) {
        return "'" + text + "'";
    }

    /// Returns the counts of a search.
    public static HubFacets facets(AssetWords words, Hub.Counts counts) {
        return new HubFacets(
                counts.of(HubFlag.SIGNED),
                counts.of(HubFlag.CLEAN),
                counts.of(HubFlag.WORKFLOW),
                values(counts, HubFacet.TYPE, word -> words.of(AssetType.ofInput(word))),
                values(counts, HubFacet.LICENSE, UnaryOperator.identity()),
                values(counts, HubFacet.NAMESPACE, UnaryOperator.identity()),
                values(counts, HubFacet.TOOL, UnaryOperator.identity()),
                values(counts, HubFacet.CATEGORY, UnaryOperator.identity()),
                values(counts, HubFacet.SCRIPTS, UnaryOperator.identity()));
    }

    private static List<HubFacets.Count> values(Hub.Counts counts, HubFacet kind, UnaryOperator<String> word) {
        return counts.values().getOrDefault(kind, Map.of()).entrySet().stream()
                .limit(MOST_VALUES)
                .map(value -> new HubFacets.Count(word.apply(value.getKey()), value.getValue()))
                .toList();
    }

    /// @param capabilities true for the keywords that name a capability, false for the others
    private static List<String> keywords(Hub.Entry entry, boolean capabilities) {
        return entry.keywords()
                .lines()
                .filter(keyword -> keyword.startsWith(CAPABILITY) == capabilities)
                .map(keyword -> capabilities ? keyword.substring(CAPABILITY.length()) : keyword)
                .toList();
    }

    /// Returns the main type of a bundle, by the types of its assets.
    private static String bundleType(List<String> assetTypes) {
        if (assetTypes.contains("plugin")) {
            return "plugin";
        }
        var kinds = KINDS.stream().filter(assetTypes::contains).toList();
        return switch (kinds.size()) {
            case 0 ->
                Stream.of("mcp", "config")
                        .filter(assetTypes::contains)
                        .findFirst()
                        .orElse("other");
            case 1 -> kinds.getFirst();
            default -> "collection";
        };
    }

    private static HubBundle.Version version(Hub.Release release) {
        return new HubBundle.Version(
                release.version(), release.publishedAt(), release.deprecated() != null, sentence(release.deprecated()));
    }

    private static @Nullable String sentence(@Nullable String message) {
        return message == null || message.isEmpty() ? null : message;
    }

    /// Returns all categories by slug.
    ///
    /// @param counts the number of bundles in each; empty categories may be missing
    public static List<HubCategory> categories(Map<String, Long> counts) {
        return HubCategories.all().stream()
                .map(category -> new HubCategory(
                        category.slug(),
                        category.displayName(),
                        category.displayName(),
                        category.description(),
                        counts.getOrDefault(category.slug(), 0L)))
                .toList();
    }
}
