package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How often a bundle or a version was pulled. A client counts once for a version and UTC day.
///
/// @param total over all days
/// @param own how many of them were the owning organization's; null: the caller is not of it
/// @param from the first day that `days` may have, such as `2026-01-15`
/// @param to the last one, which is not over yet
/// @param days those with pulls, the oldest first
/// @param outsideSince of a version: when somebody outside of the organization first pulled it; null: nobody has, or
/// the
/// caller is not of the organization
public record DownloadCounts(
        long total,
        @Nullable Long own,
        String from,
        String to,
        List<Day> days,
        @Nullable Instant outsideSince) {
    public DownloadCounts {
        days = List.copyOf(days);
    }

    /// @param day such as `2026-01-15`
    public record Day(String day, long downloads, @Nullable Long own) {}
}
