package dev.sheaf.model.wire.org;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A bundle or a version in the report on the use of an organization's bundles.
///
/// @param version null in the list of unused bundles
/// @param latest the latest version of the bundle; null if none is published
/// @param publishedAt when the version, or the newest version of the bundle, was published
/// @param reasons why the version should not be used: `outdated`, `deprecated`, `yanked` or `recalled`; empty for a
/// bundle
/// @param pulls the pulls in the time of the list
/// @param own how many of them were by the organization itself
/// @param lastPulledOn the day of the last pull, such as `2026-01-15`; null if there was none, or longer ago than days
///     are kept
/// @param everPulled whether there was ever a pull
/// @param credentials the keys and trusted publishers of the organization that pulled an old version, the busiest
/// first,
///     at most 20
public record UsageReportEntry(
        String namespace,
        String bundle,
        @Nullable String version,
        @Nullable String latest,
        Instant publishedAt,
        List<String> reasons,
        long pulls,
        long own,
        @Nullable String lastPulledOn,
        boolean everPulled,
        List<Credential> credentials) {
    public UsageReportEntry {
        reasons = reasons == null ? List.of() : List.copyOf(reasons);
        credentials = credentials == null ? List.of() : List.copyOf(credentials);
    }

    /// The pulls by a credential.
    ///
    /// @param credential `key:…` or `publisher:…`
    /// @param name null if it was deleted
    /// @param lastPulledOn such as `2026-01-15`
    public record Credential(String credential, @Nullable String name, long pulls, String lastPulledOn) {}
}
