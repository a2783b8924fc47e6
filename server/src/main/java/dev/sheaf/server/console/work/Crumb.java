package dev.sheaf.server.console.work;

/// A breadcrumb: a page above another page.
///
/// @param place its path, encoded
public record Crumb(String label, String place) {}
