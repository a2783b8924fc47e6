package dev.sheaf.server.bundle;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.referrer.Signature;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The state of a bundle at a commit. A commit that changes the bundle replaces the whole snapshot.
/// Immutable, except that it remembers its counts.
public final class BundleSnapshot implements Access.Target {
    /// A version that a selector resolved to, with its content.
    ///
    /// @param assets the assets by path
    /// @param tags the tags that point to it, sorted, without the tag of its own number
    /// @param signature the signature of its manifest; null if there is none, or it was not looked up
    /// @param requires other bundles that it needs, by name
    public record Resolved(
            VersionRow version,
            List<StoredAsset> assets,
            List<String> tags,
            @Nullable Signature signature,
            List<Requirement> requires) {
        public Resolved {
            assets = List.copyOf(assets);
            tags = List.copyOf(tags);
            requires = List.copyOf(requires);
        }

        public Resolved(VersionRow version, List<StoredAsset> assets, List<String> tags, List<Requirement> requires) {
            this(version, assets, tags, null, requires);
        }
    }

    /// What a bundle has.
    ///
    /// @param latest the latest version; null if no version is active
    /// @param assets the number of assets of the latest version
    /// @param tags the number of tags besides those of the versions' numbers, at most [#MOST_TAGS]
    public record Counts(@Nullable Version latest, int versions, int assets, int tags) {
        /// The number from which tags are no longer counted.
        public static final int MOST_TAGS = 51;
    }

    private static final AtomicLong MADE = new AtomicLong();

    private final long number = MADE.incrementAndGet();
    private final Repository repository;
    private final BundleRow bundle;
    private volatile @Nullable Counts counts;

    public BundleSnapshot(Repository repository, BundleRow bundle) {
        this.repository = repository;
        this.bundle = bundle;
    }

    /// Returns a number that distinguishes this snapshot from all others of this process.
    public long number() {
        return number;
    }

    public Repository repository() {
        return repository;
    }

    public BundleRow bundle() {
        return bundle;
    }

    /// Returns the counts, which are read when they are first asked for. Each change of a version or a tag
    /// makes another snapshot.
    public Counts counts(Supplier<Counts> reading) {
        var known = counts;
        if (known == null) {
            known = reading.get();
            counts = known;
        }
        return known;
    }

    @Override
    public RepositoryName name() {
        return repository.name();
    }

    @Override
    public UUID organizationId() {
        return repository.organizationId();
    }

    @Override
    public Visibility visibility() {
        return repository.visibility();
    }
}
