package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.wire.hub.StarStatus;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.console.PageFormat;
import org.jspecify.annotations.Nullable;

/// The head of a page of a bundle: its name, badges, star, and tabs with their numbers. It is the same on
/// all of its pages.
///
/// @param star the star; null if it is not known
public record BundleHead(
        VisibleBundle seen,
        BundleSnapshot.Counts counts,
        @Nullable StarStatus star) {
    /// Returns the number of the latest version; empty if there is none.
    public String latest() {
        return PageFormat.text(counts.latest());
    }

    public String versions() {
        return PageFormat.number(counts.versions());
    }

    /// Returns the number of files of the latest version.
    public String files() {
        return PageFormat.number(counts.assets());
    }

    public String tags() {
        int most = BundleSnapshot.Counts.MOST_TAGS - 1;
        return counts.tags() > most ? most + "+" : PageFormat.number(counts.tags());
    }

    /// Returns whether the hub lists the bundle, so that people can give it a star.
    public boolean isListed() {
        return seen.isPublic() && counts.latest() != null;
    }

    public boolean isStarred() {
        return star != null && star.starred();
    }

    /// Returns the number of stars; empty if it is not known.
    public String stars() {
        return star == null ? "" : PageFormat.number(star.starsCount());
    }

    /// Returns the head with the number of stars, for readers whose own star is not known.
    public BundleHead withStars(long count) {
        return star == null ? new BundleHead(seen, counts, new StarStatus(false, count)) : this;
    }
}
