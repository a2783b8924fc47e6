package dev.sheaf.server.bundle.tag;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.tag.Tags;
import java.util.List;
import java.util.Optional;

/// Checks that the managed tags follow their rules. Thread-safe.
public final class TagCheck {
    private static final String ACTOR = "fsck";

    private final Database database;
    private final Repositories repositories;
    private final Tags tags;

    public TagCheck(Database database, Repositories repositories, Tags tags) {
        this.database = database;
        this.repositories = repositories;
        this.tags = tags;
    }

    /// The result of checking some bundles.
    ///
    /// @param last the position at which to continue
    /// @param wrong bundles whose `latest` is wrong
    public record Looked(long last, int bundles, List<RepositoryName> wrong) {
        public Looked {
            wrong = List.copyOf(wrong);
        }
    }

    /// Checks the `latest` tags of bundles.
    ///
    /// @param after 0, or the position at which the last check ended
    public Looked latest(long after, int limit) {
        var names = database.read(tx -> BundleRows.after(tx, after, limit));
        var wrong = names.values().stream().filter(this::isWrong).toList();
        return new Looked(names.isEmpty() ? after : names.lastKey(), names.size(), wrong);
    }

    private boolean isWrong(RepositoryName name) {
        return repositories
                .find(name)
                .filter(repository -> database.read(tx -> BundleRows.find(tx, repository.id())
                        .filter(bundle -> !LatestTag.isLatestRight(tx, tags, new BundleSnapshot(repository, bundle)))
                        .isPresent()))
                .isPresent();
    }

    private Optional<BundleSnapshot> lock(Tx tx, RepositoryName name) {
        return repositories
                .lock(tx, name)
                .flatMap(repository ->
                        BundleRows.find(tx, repository.id()).map(bundle -> new BundleSnapshot(repository, bundle)));
    }

    /// Corrects the `latest` of a bundle.
    public void repairLatest(RepositoryName name) {
        database.write(tx -> {
            var bundle = lock(tx, name);
            bundle.ifPresent(found -> LatestTag.recomputeLatest(tx, tags, found, ACTOR));
            return bundle;
        });
    }

    /// Restores the tag of a version's number if no tag has that name.
    public void repairVersion(RepositoryName name, Version version) {
        database.write(tx -> {
            var bundle = lock(tx, name);
            bundle.ifPresent(found -> VersionRows.exact(tx, found.bundle().id(), version)
                    .filter(row ->
                            tags.find(tx, found.repository(), version.ociTag()).isEmpty())
                    .ifPresent(row -> tags.set(
                            tx, found.repository(), version.ociTag(), row.manifest(), Tags.Kind.VERSION, ACTOR)));
            return bundle;
        });
    }
}
