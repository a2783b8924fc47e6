package dev.sheaf.client.api;

import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.model.wire.bundle.VersionDetail;
import org.jspecify.annotations.Nullable;

/// The outcome of a publish. Exactly one of the two is there.
///
/// @param version the published version; null if it needs approval first
/// @param held the review that it waits for; null if it is published
public record Publication(@Nullable VersionDetail version, @Nullable HeldVersion held) {}
