package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reports why a repository keeps some content, or when the content will be deleted.
///
/// @param kind `manifest` or `blob`; `deleted` if it was removed from the repository but its bytes still exist
/// @param size the size in bytes
/// @param mediaType the media type of a manifest; null for other content
/// @param kept false if nothing keeps it now
/// @param reasons the reasons for keeping it, at most a hundred of each kind; or the reasons for deleting it
/// @param leasedUntil only a manual delete can remove it before this time
/// @param goesAt the earliest time of its deletion if nothing changes; null if it will not be deleted
public record ContentStatus(
        String digest,
        String kind,
        long size,
        @Nullable String mediaType,
        boolean kept,
        List<Reason> reasons,
        @Nullable Instant leasedUntil,
        @Nullable Instant goesAt) {
    public ContentStatus {
        reasons = List.copyOf(reasons);
    }

    /// @param code `version`, `tag`, `index`, `subject`, `manifest`, `asset`, `lease`, `untagged`, `unneeded` or
    /// `deleted`
    /// @param name the version, the tag, the digest of the manifest, or the path of the working asset that
    /// keeps it
    /// @param detail a sentence for people
    public record Reason(String code, @Nullable String name, String detail) {}
}
