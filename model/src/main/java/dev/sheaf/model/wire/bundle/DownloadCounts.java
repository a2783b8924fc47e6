package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The number of pulls of a bundle or a version. Each client counts once per version and UTC day.
///
/// @param total the number of pulls on all days
/// @param own pulls by the owning organization; null if the caller is not a member of it
/// @param from the first day that `days` can contain, such as `2026-01-15`
/// @param to the last day, which is not over yet
/// @param days the days with pulls, oldest first
/// @param outsideSince when a version was first pulled from outside of the organization; null if it never was,
/// or if the caller is not a member of the organization
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
