package dev.sheaf.model.wire.hub;

/// A category of the hub, with the number of bundles in it.
///
/// @param name the same as `displayName`, for older clients
/// @param description a sentence that says which bundles belong to the category
public record HubCategory(String slug, String name, String displayName, String description, long bundleCount) {}
