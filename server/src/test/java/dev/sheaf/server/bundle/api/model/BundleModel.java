package dev.sheaf.server.bundle.api.model;

import dev.sheaf.model.Version;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a bundle is by its rules, in a few maps: each operation changes it as the service must, and says what the
/// service must answer. Contents stand for manifests: two are equal where their digests must be.
final class BundleModel {
    static final String LATEST = "latest";

    private static final String MISSING = "404 bundle-not-found";
    private static final String PROTECTED = "409 tag-protected";
    private static final String CONFLICT = "409 conflict";

    /// @param isManaged kept by the service
    record Pointer(String content, boolean isManaged, boolean isProtected) {}

    private record Move(@Nullable String before, @Nullable String after) {}

    final String name;
    boolean exists;
    boolean isDeleted;
    boolean isPublic;
    final TreeMap<Version, Release> releases = new TreeMap<>(Comparator.reverseOrder());
    final TreeMap<String, Pointer> tags = new TreeMap<>();
    final Set<String> deadNumbers = new HashSet<>();
    final Set<String> deadContents = new HashSet<>();

    @Nullable
    TreeMap<String, String> working;

    private final Map<String, List<Move>> history = new HashMap<>();

    BundleModel(String name) {
        this.name = name;
    }

    /// The identity of what is packed from assets: the version is part of the manifest.
    static String packed(Version version, Map<String, String> assets) {
        return version + " " + new TreeMap<>(assets);
    }

    boolean isThere() {
        return exists && !isDeleted;
    }

    // --- what there is ---

    Optional<Release> latest() {
        return releases.values().stream()
                .filter(release -> !release.isYanked)
                .min(Comparator.comparing((Release release) -> release.version.isPrerelease())
                        .thenComparing(release -> release.version, Comparator.reverseOrder()));
    }

    /// The version that a manifest means: one that is not yanked before all others, then the highest.
    Optional<Release> behind(String content) {
        return releases.values().stream()
                .filter(release -> release.content.equals(content))
                .min(Comparator.comparing(release -> release.isYanked));
    }

    Optional<Release> exact(Version asked) {
        return Optional.ofNullable(releases.get(asked))
                .filter(release -> asked.build().isEmpty() || asked.equals(release.version));
    }

    private boolean isYanked(String content) {
        return behind(content).filter(release -> release.isYanked).isPresent();
    }

    private String missing(Version asked) {
        boolean dead = deadNumbers.contains(asked.toString())
                || asked.build().isEmpty()
                        && deadNumbers.stream()
                                .anyMatch(number ->
                                        Version.parse(number).precedence().equals(asked.precedence()));
        return dead ? "410 version-deleted" : "404 version-not-found";
    }

    TreeMap<String, String> edited() {
        return working != null
                ? working
                : new TreeMap<>(latest().map(release -> release.assets).orElse(Map.of()));
    }

    // --- publishing ---

    /// @param isPrivate whether the push says so; null: it says nothing
    String push(Version version, Map<String, String> assets, List<String> moved, @Nullable Boolean isPrivate) {
        if (exists && isDeleted) {
            return CONFLICT;
        }
        if (exists && isPublic && Boolean.TRUE.equals(isPrivate)) {
            return "403 visibility-mismatch";
        }
        var refused = exists ? refused(version, packed(version, assets), moved) : null;
        if (refused != null) {
            return refused;
        }
        if (!exists) {
            exists = true;
            isPublic = Boolean.FALSE.equals(isPrivate);
        }
        return put(version, packed(version, assets), assets, moved);
    }

    String publish(Version version, List<String> moved) {
        if (!isThere()) {
            return MISSING;
        }
        var assets = edited();
        if (assets.isEmpty()) {
            return "422 validation-failed";
        }
        var refused = refused(version, packed(version, assets), moved);
        return refused != null ? refused : put(version, packed(version, assets), assets, moved);
    }

    /// The manifest of a version, by an OCI client, under another number or a tag.
    /// Whether this push makes a tag that only /v2 knows: `latest` where it is already, or the number of a version
    /// that differs only in build metadata.
    boolean isOfRegistry(Release source, String number) {
        var latest = tags.get(LATEST);
        if (number.equals(LATEST)) {
            return latest != null && latest.content().equals(source.content);
        }
        return Version.find(number)
                .filter(version -> !version.build().isEmpty())
                .filter(version -> releases.keySet().stream()
                        .anyMatch(other -> other.precedence().equals(version.precedence())
                                && !other.toString().equals(number)))
                .isPresent();
    }

    String retag(Release source, String reference) {
        if (!isThere()) {
            return "409";
        }
        var version = Version.find(reference);
        var refused = version.isPresent()
                ? refused(version.get(), source.content, List.of())
                : mayMove(reference, source.content);
        if (refused != null) {
            return refused.substring(0, 3);
        }
        version.ifPresentOrElse(
                number -> put(number, source.content, source.assets, List.of()), () -> move(reference, source.content));
        return "201";
    }

    private @Nullable String refused(Version version, String content, List<String> moved) {
        var before = releases.get(version);
        if (before != null && !before.content.equals(content)) {
            return "409 version-exists";
        }
        boolean dead = deadNumbers.stream()
                .anyMatch(number -> Version.parse(number).precedence().equals(version.precedence()));
        if (before == null
                && (dead || deadContents.contains(content) && behind(content).isEmpty())) {
            return "410 version-deleted";
        }
        for (String tag : moved) {
            boolean becomesActive = before == null || !isYanked(content);
            var refusal = tag.equals(LATEST) ? null : becomesActive ? guarded(tag, content) : CONFLICT;
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private String put(Version version, String content, Map<String, String> assets, List<String> moved) {
        boolean created = !releases.containsKey(version);
        if (created) {
            releases.put(version, new Release(version, content, assets));
            recompute();
        }
        moved.stream().filter(tag -> !tag.equals(LATEST)).forEach(tag -> move(tag, content));
        return created ? "201" : "200";
    }

    // --- tags ---

    private @Nullable String mayMove(String tag, String content) {
        return isYanked(content) ? CONFLICT : guarded(tag, content);
    }

    private @Nullable String guarded(String tag, String content) {
        var current = tags.get(tag);
        return current != null && current.isProtected() && !current.content().equals(content) ? PROTECTED : null;
    }

    private void move(String tag, String content) {
        var before = tags.get(tag);
        if (before == null || !before.content().equals(content)) {
            set(tag, new Pointer(content, false, before != null && before.isProtected()));
        }
    }

    private void set(String tag, @Nullable Pointer pointer) {
        var before = pointer == null ? tags.remove(tag) : tags.put(tag, pointer);
        String from = before == null ? null : before.content();
        String to = pointer == null ? null : pointer.content();
        if (from == null ? to != null : !from.equals(to)) {
            history.computeIfAbsent(tag, ignored -> new ArrayList<>()).add(new Move(from, to));
        }
    }

    private void recompute() {
        var current = tags.get(LATEST);
        if (current != null && !current.isManaged() && !isYanked(current.content())) {
            return;
        }
        var latest = latest();
        if (latest.isEmpty()) {
            set(LATEST, null);
        } else if (current == null || !current.content().equals(latest.get().content)) {
            set(LATEST, new Pointer(latest.get().content, true, false));
        }
    }

    String tag(String tag, Version version, @Nullable Boolean protect) {
        if (!isThere()) {
            return MISSING;
        }
        var target = exact(version);
        if (target.isEmpty()) {
            return missing(version);
        }
        String content = target.get().content;
        var refused = isYanked(content) ? CONFLICT : Boolean.FALSE.equals(protect) ? null : guarded(tag, content);
        if (refused != null) {
            return refused;
        }
        var before = tags.get(tag);
        boolean created = before == null;
        boolean isKept =
                before != null && before.isManaged() && before.content().equals(content);
        if (isKept) {
            return Boolean.TRUE.equals(protect) ? CONFLICT : "200"; // what it is already pins nothing
        }
        move(tag, content);
        if (protect != null) {
            tags.put(tag, new Pointer(content, false, protect));
        }
        return created ? "201" : "200";
    }

    String untag(String tag) {
        var current = tags.get(tag);
        if (!isThere()) {
            return MISSING;
        }
        if (current == null) {
            return "404 tag-not-found";
        }
        if (current.isProtected()) {
            return PROTECTED;
        }
        if (current.isManaged()) {
            return CONFLICT;
        }
        end(tag);
        return "204";
    }

    private void end(String tag) {
        set(
                tag,
                tag.equals(LATEST)
                        ? latest().map(release -> new Pointer(release.content, true, false))
                                .orElse(null)
                        : null);
    }

    String rollback(String tag) {
        var moves = history.get(tag);
        if (!isThere()) {
            return MISSING;
        }
        if (moves == null) {
            return "404 tag-not-found";
        }
        String target = moves.getLast().before();
        if (target == null || behind(target).isEmpty()) {
            return CONFLICT;
        }
        var refused = mayMove(tag, target);
        if (refused != null) {
            return refused;
        }
        move(tag, target);
        return "200";
    }

    // --- versions ---

    private void leave(Release left) {
        var next = releases.values().stream()
                .filter(release -> !release.isYanked
                        && release.version.compareTo(left.version) < 0
                        && (left.version.isPrerelease() || !release.version.isPrerelease()))
                .findFirst();
        for (var tag : List.copyOf(tags.entrySet())) {
            if (tag.getValue().content().equals(left.content) && !tag.getValue().isManaged()) {
                next.ifPresentOrElse(to -> move(tag.getKey(), to.content), () -> end(tag.getKey()));
            }
        }
    }

    String yank(Version version, boolean yank) {
        var release = exact(version);
        if (!isThere()) {
            return MISSING;
        }
        if (release.isEmpty()) {
            return missing(version);
        }
        if (release.get().isYanked != yank) {
            release.get().isYanked = yank;
            if (yank && isYanked(release.get().content)) {
                leave(release.get());
            }
            recompute();
        }
        return "200";
    }

    String deprecate(Version version, @Nullable String message) {
        var release = exact(version);
        if (!isThere()) {
            return MISSING;
        }
        release.ifPresent(found -> found.deprecation = message);
        return release.isPresent() ? "200" : missing(version);
    }

    String delete(Version version) {
        var release = exact(version);
        if (!isThere()) {
            return MISSING;
        }
        if (release.isEmpty()) {
            return missing(version);
        }
        var gone = release.get();
        releases.remove(gone.version);
        deadNumbers.add(gone.version.toString());
        deadContents.add(gone.content);
        if (behind(gone.content).isEmpty()) {
            leave(gone);
            if (tags.containsKey(LATEST) && tags.get(LATEST).content().equals(gone.content)) {
                set(LATEST, null);
            }
        } else if (isYanked(gone.content)) {
            leave(gone);
        }
        recompute();
        return "204";
    }

    // --- the bundle ---

    String show(boolean show) {
        if (!isThere()) {
            return MISSING;
        }
        isPublic = show;
        return "200";
    }

    String delete() {
        if (!isThere()) {
            return MISSING;
        }
        isDeleted = true;
        return "204";
    }

    String restore() {
        isDeleted = false;
        return exists ? "200" : MISSING;
    }

    /// @param text null: the asset goes
    String edit(String path, @Nullable String text) {
        if (!isThere()) {
            return MISSING;
        }
        var assets = edited();
        working = text == null && !assets.containsKey(path) ? working : assets;
        if (text != null) {
            return assets.put(path, text) == null ? "201" : "200";
        }
        return assets.remove(path) == null ? "404 asset-not-found" : "204";
    }
}
