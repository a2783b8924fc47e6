package dev.sheaf.server.hub;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.bundle.AssetRow;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleRow;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.FadingCount;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Keeps what the hub lists and searches up to date, inside the transactions that change it: a version that is
/// published, yanked, unyanked or deleted ([BundleTags#recomputeLatest] is in all of these), and a bundle that is
/// edited, shown, hidden, deleted or restored. So nothing that is hidden can be found, and nothing found is out of
/// date.
public final class HubIndex {
    private static final int SUMMARY = 300;
    private static final int BATCH = 200;

    private HubIndex() {}

    /// Writes what the hub shows of the repository's bundle now, or takes it away where the hub shows nothing: it
    /// must be public and have a version that is published. The transaction has the repository locked.
    public static void refresh(Tx tx, long repositoryId) {
        var target = HubRows.target(tx, repositoryId);
        var bundle = target.filter(found -> found.visibility() == Visibility.PUBLIC)
                .flatMap(found -> BundleRows.find(tx, repositoryId));
        var latest = bundle.flatMap(found -> VersionRows.latest(tx, found.id()));
        if (latest.isEmpty()) {
            if (HubRows.hide(tx, repositoryId)) {
                HubRows.facets(tx, repositoryId, List.of());
                HubTextRows.remove(tx, repositoryId);
            }
            return;
        }
        var version = latest.get();
        show(
                tx,
                target.orElseThrow().name(),
                repositoryId,
                bundle.orElseThrow(),
                version,
                AssetRows.list(tx, version.id()));
    }

    /// Lists a public bundle whose latest version the transaction knows, or lists it anew.
    ///
    /// @param assets of the version; null: not known
    public static void list(
            Tx tx,
            long repositoryId,
            RepositoryName name,
            BundleRow bundle,
            VersionRow latest,
            @Nullable List<AssetRow> assets) {
        show(tx, name, repositoryId, bundle, latest, assets == null ? AssetRows.list(tx, latest.id()) : assets);
    }

    /// Makes the full-text index anew: after a restore, which brings all but the index.
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

    private static void show(
            Tx tx, RepositoryName name, long repositoryId, BundleRow bundle, VersionRow latest, List<AssetRow> assets) {
        var types = assets.stream()
                .map(AssetRow::assetType)
                .distinct()
                .sorted()
                .map(Objects::toString)
                .toList();
        var published = HubRows.lastPublished(tx, bundle.id());
        HubRows.show(
                tx,
                new HubRows.Entry(
                        repositoryId,
                        bundle.id(),
                        name.namespace(),
                        name.bundle(),
                        SearchWords.joined(List.of(bundle.name())),
                        bundle.name(),
                        summary(bundle.description()),
                        String.join("\n", types),
                        bundle.keywords() == null ? "" : bundle.keywords(),
                        bundle.license(),
                        latest.version(),
                        bundle.createdAt(),
                        published,
                        later(published, bundle.updatedAt() == null ? bundle.createdAt() : bundle.updatedAt()),
                        FadingCount.of(published)));
        var facets = new ArrayList<String>();
        facets.add(Hub.Filter.NAMESPACE + name.namespace());
        types.forEach(type -> facets.add(Hub.Filter.TYPE + type));
        Categories.of(bundle.keywordList()).forEach(category -> facets.add(Hub.Filter.CATEGORY + category));
        HubRows.facets(tx, repositoryId, facets);
        words(tx, name, repositoryId, bundle, assets);
    }

    private static void words(Tx tx, RepositoryName name, long repositoryId, BundleRow bundle, List<AssetRow> assets) {
        HubTextRows.put(
                tx,
                repositoryId,
                SearchWords.joined(
                        List.of(name.namespace().value(), name.bundle().value(), bundle.name())),
                SearchWords.joined(Stream.concat(bundle.keywordList().stream(), Stream.ofNullable(bundle.description()))
                        .toList()),
                SearchWords.joined(Stream.concat(
                                Stream.of(assets.stream()
                                        .map(asset -> asset.path().value())
                                        .collect(Collectors.joining(" "))),
                                Stream.ofNullable(bundle.readmeContent()))
                        .toList()));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /// The first paragraph of a description on one line, cut where it is long.
    private static String summary(@Nullable String description) {
        if (description == null) {
            return "";
        }
        String first = description.strip().split("\\n\\s*\\n", 2)[0].replaceAll("\\s+", " ");
        return first.codePointCount(0, first.length()) <= SUMMARY
                ? first
                : first.substring(0, first.offsetByCodePoints(0, SUMMARY - 1)) + "…";
    }
}
