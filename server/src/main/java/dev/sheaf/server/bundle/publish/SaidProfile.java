package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.bundle.Profile;
import dev.sheaf.server.bundle.SkillTexts;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.registry.content.Blobs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the files of a version say of their bundle, for where its push says nothing: its skill, where it is one
/// or has one, its README, and the annotations of its manifest, in this order. It is shown, and no part of what
/// was published: the config of the manifest has nothing of it, so the digest stays what the publisher made it.
///
/// @param keywords one a line
record SaidProfile(
        @Nullable String name,
        @Nullable String description,
        @Nullable String license,
        @Nullable String keywords) {
    static final SaidProfile NOTHING = new SaidProfile(null, null, null, null);

    private static final String ANNOTATION = "org.opencontainers.image.";
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_DESCRIPTION = 4_000;
    private static final int LONGEST_KEYWORD = 60;
    private static final int MOST_KEYWORDS = 50;
    private static final int README = 16 << 10; // characters that are looked at
    private static final Pattern SPACE = Pattern.compile("[\\s\\p{Cntrl}]+");

    /// @param annotations of the manifest
    static SaidProfile of(Tx tx, HubIndex.Content content, Map<String, String> annotations) {
        var skills = content.skills().stream().map(SkillTexts.Told::text).toList();
        var only = skills.size() == 1 ? Optional.of(skills.getFirst()) : Optional.<SkillText>empty();
        var readme = readme(tx, content.assets());
        return new SaidProfile(
                first(
                        LONGEST_NAME,
                        List.of(only.flatMap(SkillText::name), readme.title(), annotation(annotations, "title"))),
                first(
                        LONGEST_DESCRIPTION,
                        List.of(
                                only.flatMap(SkillText::description),
                                readme.paragraph(),
                                annotation(annotations, "description"))),
                first(LONGEST_NAME, List.of(license(skills), annotation(annotations, "licenses"))),
                keywords(skills));
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

    /// The one that all skills name.
    private static Optional<String> license(List<SkillText> skills) {
        var named = skills.stream().map(SkillText::license).distinct().toList();
        return named.size() == 1 ? named.getFirst() : Optional.empty();
    }

    private static @Nullable String keywords(List<SkillText> skills) {
        var words = skills.stream()
                .flatMap(skill -> skill.keywords().stream())
                .map(word -> SPACE.matcher(word).replaceAll(" ").strip())
                .filter(word -> !word.isEmpty() && word.length() <= LONGEST_KEYWORD)
                .distinct()
                .limit(MOST_KEYWORDS)
                .toList();
        return words.isEmpty() ? null : String.join("\n", words);
    }

    // --- README ---

    /// How a README begins: its title, and the first paragraph that is plain text.
    private record Beginning(Optional<String> title, Optional<String> paragraph) {}

    private static Beginning readme(Tx tx, List<StoredAsset> assets) {
        var found = assets.stream()
                .filter(asset -> asset.path().value().equalsIgnoreCase("readme.md"))
                .findFirst();
        return found.map(StoredAsset::digest)
                .flatMap(digest ->
                        Optional.ofNullable(Blobs.small(tx, List.of(digest)).get(digest)))
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

    /// No heading, list, table, code, quotation, image, badge or HTML.
    private static boolean isPlain(String paragraph) {
        return Character.isLetterOrDigit(paragraph.codePointAt(0)) && !paragraph.matches("[0-9]+[.)] .*");
    }

    // --- merging ---

    /// What of this a bundle is going to show: nothing where its push says something else, or somebody has
    /// edited what it shows. Where the files say nothing any more, what they said before stays.
    ///
    /// @param told by the push
    /// @param before what of the files of an earlier version the bundle shows
    SaidProfile shown(Snapshot bundle, Profile told, SaidProfile before) {
        var now = bundle.bundle().profile();
        String slug = bundle.name().bundle().value();
        boolean isNamed =
                !told.name().equals(slug) || !isFree(now.name().equals(slug) ? null : now.name(), before.name);
        return new SaidProfile(
                isNamed ? null : or(name, before.name),
                told.description() != null || !isFree(now.description(), before.description)
                        ? null
                        : or(description, before.description),
                isFree(now.license(), before.license) ? or(license, before.license) : null,
                isFree(now.keywords(), before.keywords) ? or(keywords, before.keywords) : null);
    }

    /// Whether nobody but files has said what stands there.
    private static boolean isFree(@Nullable String shown, @Nullable String said) {
        return shown == null || shown.isBlank() || shown.equals(said);
    }

    private static @Nullable String or(@Nullable String one, @Nullable String other) {
        return one == null ? other : one;
    }

    /// The profile with this in it.
    Profile over(Profile profile) {
        return new Profile(
                name == null ? profile.name() : name,
                or(description, profile.description()),
                profile.readmeContent(),
                profile.readmeFormat(),
                or(license, profile.license()),
                profile.repositoryUrl(),
                profile.homepageUrl(),
                or(keywords, profile.keywords()));
    }

    /// What somebody said of the bundle, of all that it shows: what its files said is not to be packed.
    Profile without(Profile shown, String slug) {
        return Profile.of(
                shown.name().equals(name) ? slug : shown.name(),
                shown.description() != null && shown.description().equals(description) ? null : shown.description(),
                null,
                null);
    }
}
