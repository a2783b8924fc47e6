package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Why a repository keeps some content, or when it will be deleted.
///
/// @param kind `manifest`, `blob`, or `deleted`: removed from the repository, but its bytes are not deleted yet
/// @param size in bytes
/// @param mediaType of a manifest
/// @param kept false if nothing keeps it now
/// @param reasons why it is kept, at most a hundred of each kind; or why it will be deleted
/// @param leasedUntil until when only a manual delete can remove it
/// @param goesAt the earliest time of its deletion if nothing changes; null: never
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
    /// @param name what keeps it: the version, the tag, the digest of the manifest, or the path of the working
    /// asset
    /// @param detail a sentence
    public record Reason(String code, @Nullable String name, String detail) {}
}
