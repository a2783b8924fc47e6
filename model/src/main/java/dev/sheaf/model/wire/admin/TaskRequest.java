package dev.sheaf.model.wire.admin;

/// The request to start a task.
///
/// @param task `gc`, `scrub`, …
/// @param dryRun only report what would be done
public record TaskRequest(String task, boolean dryRun) {}
