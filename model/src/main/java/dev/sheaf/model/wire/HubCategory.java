package dev.sheaf.model.wire;

/// A category of the hub, and how many bundles it lists in there.
public record HubCategory(String slug, String name, long bundleCount) {}
