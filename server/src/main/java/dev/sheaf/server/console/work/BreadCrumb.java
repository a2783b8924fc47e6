package dev.sheaf.server.console.work;

/// A breadcrumb: a page above another page.
///
/// @param place its path, encoded
public record BreadCrumb(String label, String place) {}
