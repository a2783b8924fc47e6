package dev.sheaf.model.wire.admin;

/// The request to start a task.
///
/// @param task such as `gc` or `scrub`
/// @param dryRun true to only report what the task would do
public record TaskRequest(String task, boolean dryRun) {}
