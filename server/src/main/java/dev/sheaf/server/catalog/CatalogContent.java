package dev.sheaf.server.catalog;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.skill.ClaudePlugins;
import dev.sheaf.server.skill.Skills;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// The entries of single bundles, as callers without a credential see them. Thread-safe.
public final class CatalogContent {
    static final int MAX_VERSIONS = 20;

    private final Bundles bundles;
    private final Resolve resolve;
    private final Skills skills;
    private final ClaudePlugins plugins;
    private final Hub hub;

    public CatalogContent(Bundles bundles, Resolve resolve, Skills skills, ClaudePlugins plugins, Hub hub) {
        this.bundles = bundles;
        this.resolve = resolve;
        this.skills = skills;
        this.plugins = plugins;
        this.hub = hub;
    }

    public Hub hub() {
        return hub;
    }

    /// A listed bundle and one of its versions.
    private record Held(Hub.Entry entry, BundleSnapshot bundle, BundleSnapshot.Resolved version) {
        String number() {
            return version.version().version().toString();
        }

        boolean isLatest() {
            return number().equals(entry.latestVersion());
        }
    }

    /// Returns the entries of the newest versions of a bundle that are not yanked: of each version as a plugin, and of
    /// its skills. Empty if the hub no longer lists the bundle.
    ///
    /// @param most how many; older versions are left out first
    List<CatalogEntry> ofVersions(CatalogNames names, RepositoryName name, int most) {
        return open(
                        name,
                        (bundle, detail) -> detail.versions().stream()
                                .limit(MAX_VERSIONS)
                                .flatMap(release -> version(detail.entry(), bundle, release.version()).stream())
                                .flatMap(held -> Stream.concat(plugin(names, held).stream(), skills(names, held)))
                                .limit(most)
                                .toList())
                .orElse(List.of());
    }

    /// Returns the latest version of a bundle as a plugin; empty if it is not a plugin, or not listed.
    public Optional<CatalogEntry> plugin(CatalogNames names, RepositoryName name) {
        return latest(name).flatMap(held -> plugin(names, held));
    }

    /// Returns a skill of the latest version of a bundle; empty if it has no such skill, or is not listed.
    public Optional<CatalogEntry> skill(CatalogNames names, RepositoryName name, String skill) {
        return latest(name)
                .flatMap(held -> skills(names, held)
                        .filter(entry -> entry.displayName().equals(skill))
                        .findFirst());
    }

    private Optional<Held> latest(RepositoryName name) {
        return open(
                        name,
                        (bundle, detail) ->
                                version(detail.entry(), bundle, detail.entry().latestVersion()))
                .flatMap(found -> found);
    }

    private <T> Optional<T> open(RepositoryName name, BiFunction<BundleSnapshot, Hub.Detail, T> work) {
        return ProblemException.ifThere(() -> {
            var bundle = bundles.read(Caller.ANONYMOUS, name);
            return work.apply(bundle, hub.detail(bundle));
        });
    }

    private Optional<Held> version(Hub.Entry entry, BundleSnapshot bundle, String number) {
        return resolve.find(bundle, new VersionSelector.ByVersion(Version.parse(number)))
                .map(version -> new Held(entry, bundle, version));
    }

    private Optional<CatalogEntry> plugin(CatalogNames names, Held held) {
        var at = held.version().version().publishedAt();
        return plugins.of(held.bundle(), held.version()).map(plugin -> names.plugin(held.entry(), held.number(), at));
    }

    private Stream<CatalogEntry> skills(CatalogNames names, Held held) {
        var at = held.version().version().publishedAt();
        return skills.of(held.bundle(), held.version()).skills().stream()
                .map(skill -> names.skill(
                        held.entry(),
                        skill.name(),
                        held.isLatest() ? description(held.bundle(), skill).orElse(null) : null,
                        held.number(),
                        at));
    }

    /// Returns the description in the SKILL.md of a skill.
    private Optional<String> description(BundleSnapshot bundle, Skill<StoredAsset> skill) {
        return skills.text(bundle.repository(), skill).flatMap(SkillText::description);
    }
}
