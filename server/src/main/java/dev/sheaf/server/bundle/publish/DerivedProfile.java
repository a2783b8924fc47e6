package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.plugin.PluginManifest;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.PluginTexts;
import dev.sheaf.server.bundle.SkillTexts;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.registry.content.SmallBlobs;
import dev.sheaf.server.registry.content.StagedBlob;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A profile derived from the files of a version, for the parts that its push leaves out: from its `plugin.json`, its
/// skill, its README and the annotations of its manifest, in this order. It is only shown and not part of the published
/// content: the config of the manifest does not contain it, so the digest stays as the publisher computed it.
///
/// @param keywords one per line
record DerivedProfile(
        @Nullable String name,
        @Nullable String description,
        @Nullable String license,
        @Nullable String keywords) {
    static final DerivedProfile NOTHING = new DerivedProfile(null, null, null, null);

    private static final String ANNOTATION = "org.opencontainers.image.";
    private static final int MAX_NAME = 200;
    private static final int MAX_DESCRIPTION = 4_000;
    private static final int MAX_KEYWORD = 60;
    private static final int MAX_KEYWORDS = 50;
    private static final int README = 16 << 10; // characters that are read
    private static final Pattern SPACE = Pattern.compile("[\\s\\p{Cntrl}]+");

    /// @param annotations the annotations of the manifest
    /// @param staged see [SkillTexts#of]
    static DerivedProfile of(
            Tx tx, HubIndex.Content content, Map<String, String> annotations, List<StagedBlob> staged) {
        var skills = content.skills().stream().map(SkillTexts.Entry::text).toList();
        var only = skills.size() == 1 ? Optional.of(skills.getFirst()) : Optional.<SkillText>empty();
        var plugin = Optional.ofNullable(content.plugin()).map(PluginTexts.Entry::manifest);
        var readme = readme(tx, content.assets(), staged);
        return new DerivedProfile(
                first(
                        MAX_NAME,
                        List.of(
                                plugin.map(PluginManifest::name),
                                only.flatMap(SkillText::name),
                                readme.title(),
                                annotation(annotations, "title"))),
                first(
                        MAX_DESCRIPTION,
                        List.of(
                                plugin.map(PluginManifest::description),
                                only.flatMap(SkillText::description),
                                readme.paragraph(),
                                annotation(annotations, "description"))),
                first(
                        MAX_NAME,
                        List.of(
                                plugin.map(PluginManifest::license),
                                license(skills),
                                annotation(annotations, "licenses"))),
                plugin.map(said -> keywords(said.keywords()))
                        .orElseGet(() -> keywords(skills.stream()
                                .flatMap(skill -> skill.keywords().stream())
                                .toList())));
    }

    private static @Nullable String first(int longest, List<Optional<String>> said) {
        return said.stream()
                .flatMap(Optional::stream)
                .map(text -> SPACE.matcher(text).replaceAll(" ").strip())
                .filter(text -> !text.isEmpty() && text.codePointCount(0, text.length()) <= longest)
                .findFirst()
                .orElse(null);
    }

    private static Optional<String> annotation(Map<String, String> annotations, String name) {
        return Optional.ofNullable(annotations.get(ANNOTATION + name));
    }

    /// Returns the license if all skills name the same.
    private static Optional<String> license(List<SkillText> skills) {
        var named = skills.stream().map(SkillText::license).distinct().toList();
        return named.size() == 1 ? named.getFirst() : Optional.empty();
    }

    private static @Nullable String keywords(List<String> said) {
        var words = said.stream()
                .map(word -> SPACE.matcher(word).replaceAll(" ").strip())
                .filter(word -> !word.isEmpty() && word.length() <= MAX_KEYWORD)
                .distinct()
                .limit(MAX_KEYWORDS)
                .toList();
        return words.isEmpty() ? null : String.join("\n", words);
    }

    // --- README ---

    /// The beginning of a README: its title, and the first paragraph of plain text.
    private record Beginning(Optional<String> title, Optional<String> paragraph) {}

    private static Beginning readme(Tx tx, List<StoredAsset> assets, List<StagedBlob> staged) {
        var found = assets.stream()
                .filter(asset -> asset.path().value().equalsIgnoreCase("readme.md"))
                .findFirst();
        return found.map(StoredAsset::digest)
                .flatMap(digest -> Optional.ofNullable(
                        SmallBlobs.of(tx, List.of(digest), staged).get(digest)))
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .map(text -> beginning(text.substring(0, Math.min(README, text.length()))))
                .orElse(new Beginning(Optional.empty(), Optional.empty()));
    }

    private static Beginning beginning(String text) {
        Optional<String> title = Optional.empty();
        for (String block : text.replace("\r\n", "\n").split("\n{2,}")) {
            var lines = new ArrayList<>(block.strip().lines().toList());
            if (!lines.isEmpty() && title.isEmpty() && lines.getFirst().startsWith("# ")) {
                title = Optional.of(lines.removeFirst().substring(2));
            }
            String rest = String.join(" ", lines);
            if (!rest.isEmpty() && isPlain(rest)) {
                return new Beginning(title, Optional.of(rest));
            }
        }
        return new Beginning(title, Optional.empty());
    }

    /// Returns whether the paragraph is not a heading, list, table, code, quotation, image, badge or HTML.
    private static boolean isPlain(String paragraph) {
        return Character.isLetterOrDigit(paragraph.codePointAt(0)) && !paragraph.matches("[0-9]+[.)] .*");
    }

    // --- merging ---

    /// Returns the parts that the bundle will show, without parts that the push sets or somebody has edited. If
    /// the files no longer say anything, the earlier parts stay.
    ///
    /// @param told the profile in the push
    /// @param before the parts derived from files that the bundle shows now
    DerivedProfile shown(BundleSnapshot bundle, BundleProfile told, DerivedProfile before) {
        var now = bundle.bundle().profile();
        String slug = bundle.name().bundle().value();
        boolean isNamed =
                !told.name().equals(slug) || !isFree(now.name().equals(slug) ? null : now.name(), before.name);
        return new DerivedProfile(
                isNamed ? null : or(name, before.name),
                told.description() != null || !isFree(now.description(), before.description)
                        ? null
                        : or(description, before.description),
                isFree(now.license(), before.license) ? or(license, before.license) : null,
                isFree(now.keywords(), before.keywords) ? or(keywords, before.keywords) : null);
    }

    /// Returns whether the shown text is empty or was derived from files.
    private static boolean isFree(@Nullable String shown, @Nullable String said) {
        return shown == null || shown.isBlank() || shown.equals(said);
    }

    private static @Nullable String or(@Nullable String one, @Nullable String other) {
        return one == null ? other : one;
    }

    /// Returns the profile with these parts in it.
    BundleProfile over(BundleProfile profile) {
        return new BundleProfile(
                name == null ? profile.name() : name,
                or(description, profile.description()),
                profile.readmeContent(),
                profile.readmeFormat(),
                or(license, profile.license()),
                profile.repositoryUrl(),
                profile.homepageUrl(),
                or(keywords, profile.keywords()));
    }

    /// Returns the parts of the shown profile that were not derived from files; derived ones must not be packed.
    BundleProfile without(BundleProfile shown, String slug) {
        return BundleProfile.of(
                shown.name().equals(name) ? slug : shown.name(),
                shown.description() != null && shown.description().equals(description) ? null : shown.description(),
                null,
                null);
    }
}
