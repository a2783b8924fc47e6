package dev.sheaf.model.wire.bundle;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The body of a tag's rollback (contract 3.6).
///
/// @param entry the move after which the tag was where it is to be; null: before its last one
/// @param expectedVersion where the tag must point now; null: anywhere
public record TagRollback(@Nullable UUID entry, @Nullable String expectedVersion) {}
