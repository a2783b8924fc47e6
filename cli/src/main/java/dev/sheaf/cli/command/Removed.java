package dev.sheaf.cli.command;

/// The JSON of a removal.
///
/// @param removed its id or name
public record Removed(String removed) {}
