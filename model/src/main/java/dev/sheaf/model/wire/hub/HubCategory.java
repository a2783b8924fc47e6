package dev.sheaf.model.wire.hub;

/// A category of the hub, and how many bundles it lists in there.
///
/// @param name as `displayName`, for older readers
/// @param description which bundles belong there, in a sentence
public record HubCategory(String slug, String name, String displayName, String description, long bundleCount) {}
