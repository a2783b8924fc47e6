package dev.sheaf.cli.command;

/// The JSON of a removal.
///
/// @param removed what it was called by
public record Removed(String removed) {}
