package dev.sheaf.server.git.history;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Tag;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.VersionRows.Glance;
import dev.sheaf.server.bundle.tag.BundleTags;
import dev.sheaf.server.registry.tag.TagRecord;
import dev.sheaf.server.registry.tag.Tags;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectIdRef;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.SymbolicRef;
import org.jspecify.annotations.Nullable;

/// The refs of a bundle: `main` for the latest version, a git tag for each version and for its form as a plugin, and a
/// branch for each tag, because tags move and git does not expect that of its own.
final class RefNames {
    static final String MAIN = Constants.R_HEADS + "main";

    /// Names that have a meaning in git; a ref with such a name would replace it.
    private static final Set<String> TAKEN = Set.of("main", "HEAD");

    private static final String PLUGIN = "plugin/";

    private static final int PAGE = 1_000;
    private static final int MAX_TAGS = 10_000;

    private final SortedMap<String, Ref> refs = new TreeMap<>();

    private RefNames() {}

    /// The commits of versions.
    ///
    /// @param versions those of the versions that git gets
    /// @param plugins those with derived manifests
    record Commits(Map<UUID, ObjectId> versions, Map<UUID, ObjectId> plugins) {}

    /// @param versions all versions of the bundle
    static SortedMap<String, Ref> of(Tx tx, Tags tags, BundleSnapshot bundle, List<Glance> versions, Commits all) {
        var names = new RefNames();
        var commits = all.versions();
        versions.forEach(version -> {
            names.add(Constants.R_TAGS, version.version().toString(), commits.get(version.id()));
            names.add(
                    Constants.R_TAGS, PLUGIN + version.version(), all.plugins().get(version.id()));
        });
        var byManifest = new HashMap<Long, List<Glance>>();
        for (var version : versions) {
            byManifest
                    .computeIfAbsent(version.manifestId(), missing -> new ArrayList<>())
                    .add(version);
        }
        for (var tag : tags(tx, tags, bundle)) {
            versionOf(tag, byManifest.getOrDefault(tag.manifestId(), List.of()))
                    .ifPresent(version -> names.add(Constants.R_HEADS, tag.name(), commits.get(version.id())));
        }
        names.main(tx, tags, bundle, versions, commits);
        return names.refs;
    }

    private void add(String prefix, String name, @Nullable ObjectId commit) {
        String full = prefix + name;
        if (commit != null && !TAKEN.contains(name) && Repository.isValidRefName(full)) {
            refs.putIfAbsent(full, new ObjectIdRef.PeeledNonTag(Ref.Storage.PACKED, full, commit));
        }
    }

    private static List<TagRecord> tags(Tx tx, Tags tags, BundleSnapshot bundle) {
        var all = new ArrayList<TagRecord>();
        var page = tags.named(tx, bundle.repository(), null, PAGE);
        while (!page.isEmpty() && all.size() < MAX_TAGS) {
            page.stream().filter(row -> row.kind() != Tags.Kind.REGISTRY).forEach(all::add);
            page = page.size() < PAGE
                    ? List.of()
                    : tags.named(tx, bundle.repository(), page.getLast().name(), PAGE);
        }
        return all;
    }

    /// Returns the version to which a tag points, among those with its manifest, as [BundleTags#version] does.
    private static Optional<Glance> versionOf(TagRecord row, List<Glance> candidates) {
        var tag = new Tag(row.name());
        boolean ranged = tag.range().isPresent();
        return candidates.stream()
                .filter(version -> !ranged || !version.isYanked() && tag.mayMean(version.version()))
                .max(best());
    }

    private static Comparator<Glance> best() {
        return Comparator.comparing((Glance version) -> !version.isYanked())
                .thenComparing(version -> version.version().sortKey());
    }

    /// Sets `main` to the meaning of `latest`. If that version is withheld from git, uses the highest version
    /// below it.
    private void main(Tx tx, Tags tags, BundleSnapshot bundle, List<Glance> versions, Map<UUID, ObjectId> commits) {
        var latest = tags.find(tx, bundle.repository(), Tag.LATEST.value())
                .flatMap(row -> BundleTags.version(tx, bundle, row))
                .or(() -> VersionRows.latest(tx, bundle.bundle().id()));
        latest.map(version -> commits.get(version.id()))
                .or(() -> latest.flatMap(version -> versions.stream()
                        .filter(other -> !other.isYanked() && commits.containsKey(other.id()))
                        .max(Comparator.comparing(
                                        (Glance other) -> !other.version().isPrerelease())
                                .thenComparing(other -> other.version().sortKey()))
                        .map(other -> commits.get(other.id()))))
                .ifPresent(commit -> {
                    var main = new ObjectIdRef.PeeledNonTag(Ref.Storage.PACKED, MAIN, commit);
                    refs.put(MAIN, main);
                    refs.put(Constants.HEAD, new SymbolicRef(Constants.HEAD, main));
                });
    }
}
