package dev.sheaf.cli;

/// The JSON of a removal.
///
/// @param removed what it was called by
record Removed(String removed) {}
