package dev.sheaf.model.wire.admin;

/// What starts a task.
///
/// @param task `gc`, `scrub`, …
/// @param dryRun to say what would be done, and do nothing
public record TaskRequest(String task, boolean dryRun) {}
