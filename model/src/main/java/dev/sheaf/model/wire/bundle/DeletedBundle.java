package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A deleted bundle that can still be restored.
///
/// @param ref its name in references, such as `acme/notes`
/// @param name its title
/// @param deletedBy such as `key:` or `user:` and an id
/// @param reason null if none was given
/// @param restorableUntil the end of the time in which it can be restored; then its content goes, and its
/// name stays taken
/// @param versionCount the number of its versions
public record DeletedBundle(
        String namespace,
        String slug,
        String ref,
        String name,
        Instant deletedAt,
        String deletedBy,
        @Nullable String reason,
        Instant restorableUntil,
        int versionCount) {}
