package dev.sheaf.client.pull;

import dev.sheaf.client.api.LockEntry;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Reference;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.wire.bundle.Resolution;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// Checks the caller's conditions for a resolved version.
public final class PullRules {
    /// The tolerance for differences between the clocks of both machines.
    private static final Duration SKEW = Duration.ofMinutes(5);

    private PullRules() {}

    /// @throws SheafException.OutOfDate if the lock file differs from the registry's answer
    /// @throws SheafException.InvalidRequest if the version is too young
    public static void check(
            Reference reference, @Nullable Resolution answer, ResolvedBundle bundle, PullOptions options, Instant now) {
        var locked = options.locked();
        if (locked != null && !locked.means(entry(reference, locked.registry(), bundle))) {
            throw new SheafException.OutOfDate("the lock file pins " + reference + " to " + locked.version()
                    + ", but the registry answers " + bundle.version() + " with different files; to accept them: sheaf"
                    + " lock \"" + locked.reference() + "\"");
        }
        Duration least = options.minAge();
        if (least != null && answer == null) {
            throw new SheafException.Offline("the age of " + reference + " is unknown without the registry");
        }
        if (least != null && answer != null) {
            checkAge(reference, answer, least, now);
        }
    }

    /// Checks the age. For a tag or a range, the registry has already checked it by its own clock; this check
    /// is for older registries, which ignore the age.
    private static void checkAge(Reference reference, Resolution answer, Duration least, Instant now) {
        boolean chosen = !(reference.selector() instanceof VersionSelector.ByVersion)
                && !(reference.selector() instanceof VersionSelector.ByDigest);
        Instant published = WireJson.present(answer.publishedAt(), "publishedAt");
        if (published.plus(least).isAfter(chosen ? now.plus(SKEW) : now)) {
            throw new SheafException.InvalidRequest(
                    answer.ref() + ":" + answer.version() + ", which " + reference
                            + " means, was published at " + published.truncatedTo(ChronoUnit.SECONDS)
                            + " and is too young until " + published.plus(least).truncatedTo(ChronoUnit.SECONDS)
                            + "; select an older version, or accept younger ones",
                    "too-young");
        }
    }

    /// Returns a new lock file entry.
    public static LockEntry entry(Reference reference, RegistryUrl registry, ResolvedBundle bundle) {
        return new LockEntry(reference, registry, bundle.version(), bundle.manifest(), Instant.now(), bundle.assets());
    }
}
