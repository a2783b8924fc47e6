package dev.sheaf.cli.command;

/// The JSON of a removal.
///
/// @param removed its id or name
public record RemovedResult(String removed) {}
