package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Why a repository keeps some content, or when it goes.
///
/// @param kind `manifest`, `blob`, or `deleted`: gone from the repository, its bytes waiting to be removed
/// @param size in bytes
/// @param mediaType of a manifest
/// @param kept false where nothing keeps it now
/// @param reasons what keeps it, a hundred of each kind at most, or else why it goes
/// @param leasedUntil until when nothing but a delete by hand can take it
/// @param goesAt when it goes if nothing changes, at the earliest; null: never
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
    /// @param name the version, the tag, the digest of the manifest, or the path of the working asset that keeps it
    /// @param detail a sentence
    public record Reason(String code, @Nullable String name, String detail) {}
}
