package dev.sheaf.client;

import dev.sheaf.model.Reference;
import dev.sheaf.model.wire.Resolution;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// What a caller asks of a version beyond being there.
final class PullRules {
    private PullRules() {}

    /// @throws SheafException.OutOfDate where the lock file says something else than the registry
    /// @throws SheafException.InvalidRequest where the version is too young
    static void check(Reference reference, Resolution answer, ResolvedBundle bundle, PullOptions options) {
        var locked = options.locked();
        if (locked != null && !locked.means(entry(reference, locked.registry(), bundle))) {
            throw new SheafException.OutOfDate("the registry says " + bundle.version() + " with other files for "
                    + reference + " than the lock file, which says " + locked.version()
                    + "; to take what it says: sheaf"
                    + " lock \"" + locked.reference() + "\"");
        }
        checkAge(reference.toString(), answer, options);
    }

    private static void checkAge(String reference, Resolution answer, PullOptions options) {
        Duration least = options.minAge();
        Instant published = Json.present(answer.publishedAt(), "publishedAt");
        if (least != null && published.plus(least).isAfter(Instant.now())) {
            throw new SheafException.InvalidRequest(answer.ref() + ":" + answer.version() + ", which " + reference
                    + " means, was published at " + published.truncatedTo(ChronoUnit.SECONDS)
                    + " and is too young until " + published.plus(least).truncatedTo(ChronoUnit.SECONDS)
                    + "; name an older version (sheaf versions " + answer.ref() + ") or a smaller --min-age");
        }
    }

    /// What the lock file would say of it now.
    static LockFile.Entry entry(Reference reference, RegistryUrl registry, ResolvedBundle bundle) {
        List<LockFile.Asset> assets = bundle.assets().stream()
                .map(asset -> new LockFile.Asset(
                        asset.path(), asset.blob().digest(), asset.blob().size()))
                .toList();
        return new LockFile.Entry(reference, registry, bundle.version(), bundle.manifest(), Instant.now(), assets);
    }
}
