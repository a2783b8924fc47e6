package dev.sheaf.model.wire.admin;

import org.jspecify.annotations.Nullable;

/// The mode of an installation: read-only or not.
///
/// @param readOnly whether requests that change something are refused
/// @param reason shown in each refusal; null if no reason was given
/// @param setBy `admin` if the whole installation is read-only, `setting` if a setting makes the responding
/// node read-only, `damage` if that node met damage of the database; null if it is not read-only
public record ModeRecord(
        boolean readOnly, @Nullable String reason, @Nullable String setBy) {}
