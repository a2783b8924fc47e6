package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.Repositories;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// Bundles and their versions, for callers that may see them. Thread-safe.
public final class Bundles {
    private static final int BYTES_OF_BUNDLE = 2_000; // without its README

    private final Database database;
    private final Repositories repositories;
    private final InvalidatedCache<RepositoryName, BundleSnapshot> snapshots;

    public Bundles(Database database, Repositories repositories) {
        this.database = database;
        this.repositories = repositories;
        this.snapshots = new InvalidatedCache<>(
                database, "bundles", HeapShare.BUNDLES.bytes(), (name, bundle) -> weight(bundle));
        database.onChange(this::forget);
    }

    private static int weight(BundleSnapshot bundle) {
        String readme = bundle.bundle().profile().readmeContent();
        return HeapShare.ENTRY + BYTES_OF_BUNDLE + (readme == null ? 0 : HeapShare.ofText(readme));
    }

    private void forget(DataChange change) {
        switch (change.kind()) {
            case REPOSITORY -> snapshots.forget(RepositoryName.parseAny(change.id()));
            case NAMESPACE, EVERYTHING -> snapshots.forgetAll();
            case API_KEY, SIGNING_KEY, ORGANIZATION, SESSION, PUBLISHER, TOKEN, WEBHOOK, QUEUE, EVENT, FEED -> {
                // caches nothing of keys
            }
        }
    }

    /// Returns the current state of the bundle if the caller may see it.
    ///
    /// @throws ProblemException those of [Access#read]
    public BundleSnapshot read(Caller caller, RepositoryName name) {
        return Access.read(caller, name, visible(caller, name).orElse(null));
    }

    /// Returns the bundle if the caller may see it, or may see the requested version of it.
    ///
    /// @param holds whether the request is for the version with that manifest
    /// @throws ProblemException those of [Access#readPart]
    public BundleSnapshot readPart(Caller caller, RepositoryName name, BiPredicate<BundleSnapshot, Digest> holds) {
        var found = visible(caller, name).orElse(null);
        return Access.readPart(caller, name, found, manifest -> holds.test(Objects.requireNonNull(found), manifest));
    }

    /// Returns the current state of the bundle without checking access.
    public Optional<BundleSnapshot> find(RepositoryName name) {
        return snapshots.get(name, this::load);
    }

    /// Returns the current state of the bundle if the caller may change it. This refuses early; the transaction
    /// must check again.
    ///
    /// @throws ProblemException those of [Access#write]
    public BundleSnapshot writable(Caller caller, RepositoryName name) {
        return Access.write(caller, name, visible(caller, name).orElse(null));
    }

    /// Looks up the bundle. For a hidden bundle only the repository is read, as for a missing one.
    private Optional<BundleSnapshot> visible(Caller caller, RepositoryName name) {
        return repositories
                .find(caller, name)
                .filter(repository -> Access.sees(caller, repository))
                .flatMap(repository ->
                        snapshots.getOrLast(name, this::load, snapshot -> snapshot.visibility() == Visibility.PUBLIC));
    }

    /// Returns the bundle for a change, locked until the transaction ends.
    ///
    /// @throws ProblemException those of [Access#write]
    public BundleSnapshot lock(Tx tx, ChangeOrigin origin, RepositoryName name) {
        var repository =
                Access.write(origin.caller(), name, repositories.lock(tx, name).orElse(null));
        return BundleRows.find(tx, repository.id())
                .map(bundle -> new BundleSnapshot(repository, bundle))
                .orElseThrow(() -> Access.hidden(origin.caller(), name).raise());
    }

    private Optional<BundleSnapshot> load(RepositoryName name) {
        return repositories
                .find(name)
                .flatMap(repository -> database.read(tx ->
                        BundleRows.find(tx, repository.id()).map(bundle -> new BundleSnapshot(repository, bundle))));
    }

    /// A bundle with its counts.
    ///
    /// @param latest the latest version; null if no version is active
    public record Overview(BundleSnapshot bundle, @Nullable Version latest, int versions, int assets) {}

    public Overview overview(BundleSnapshot bundle) {
        return database.read(tx -> overview(tx, bundle));
    }

    public static Overview overview(Tx tx, BundleSnapshot snapshot) {
        var id = snapshot.bundle().id();
        var latest = VersionRows.latest(tx, id);
        int assets = latest.map(version -> AssetRows.count(tx, version.id())).orElse(0);
        return new Overview(snapshot, latest.map(VersionRow::version).orElse(null), VersionRows.count(tx, id), assets);
    }

    /// Returns the versions of a bundle, highest first by SemVer precedence.
    ///
    /// @param below a sort key ([Version#sortKey]); only versions below it are returned
    public List<VersionRow> versions(BundleSnapshot bundle, @Nullable String below, int limit) {
        return database.read(tx -> VersionRows.list(tx, bundle.bundle().id(), below, limit));
    }

    /// Returns versions of all bundles that were published after the one with this id, without checking access.
    public List<VersionRows.Recent> recent(UUID after, int limit) {
        return database.read(tx -> VersionRows.recent(tx, after, limit));
    }

    /// What lists say of versions, by version.
    ///
    /// @param messages the beginnings of the messages of those that have one
    public record Remarks(Map<UUID, String> messages, Map<UUID, VersionRisk> risks) {
        public Remarks {
            messages = Map.copyOf(messages);
            risks = Map.copyOf(risks);
        }
    }

    public Remarks remarks(List<VersionRow> versions) {
        var ids = versions.stream().map(VersionRow::id).toList();
        return ids.isEmpty()
                ? new Remarks(Map.of(), Map.of())
                : database.read(tx -> new Remarks(VersionRows.messages(tx, ids), VersionRows.risks(tx, ids)));
    }

    /// Returns the versions of a bundle, most recently published first.
    ///
    /// @param before the id of a version; only versions published before it are returned
    public List<VersionRow> versionsByTime(BundleSnapshot bundle, @Nullable String before, int limit) {
        return database.read(tx -> VersionRows.listByTime(tx, bundle.bundle().id(), before, limit));
    }
}
