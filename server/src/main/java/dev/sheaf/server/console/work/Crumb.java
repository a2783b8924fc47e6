package dev.sheaf.server.console.work;

/// A page above another one.
///
/// @param place its path, encoded
public record Crumb(String label, String place) {}
