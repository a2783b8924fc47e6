package dev.sheaf.model.wire.admin;

import org.jspecify.annotations.Nullable;

/// The request to start a task.
///
/// @param task such as `gc` or `scrub`
/// @param dryRun true to only report what the task would do
/// @param confirm the name of the task again, if it ends access and this is no dry run; else null
public record TaskRequest(
        String task, boolean dryRun, @Nullable String confirm) {}
