package dev.sheaf.model.wire;

/// What accepting an invitation came to.
///
/// @param role what the person is in the organization now
public record Joined(User user, Organization organization, String role) {}
