package dev.sheaf.model.wire.hub;

/// A category of the hub, with the number of bundles in it.
///
/// @param name the same as `displayName`, for older clients
/// @param description which bundles belong there, in a sentence
public record HubCategory(String slug, String name, String displayName, String description, long bundleCount) {}
