package dev.sheaf.model.wire.bundle;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The request to roll a tag back (contract 3.6).
///
/// @param entry the move whose result is restored; null undoes the last move
/// @param expectedVersion the version that the tag must point to now; null means any
public record TagRollback(@Nullable UUID entry, @Nullable String expectedVersion) {}
