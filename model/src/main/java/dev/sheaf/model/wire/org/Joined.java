package dev.sheaf.model.wire.org;

import dev.sheaf.model.wire.account.User;

import org.jspecify.annotations.Nullable;

/// What accepting an invitation came to.
///
/// @param user who signed in; null for somebody who did not: whether their account is new is not told
/// @param role what the person is in the organization
/// @param next null: nothing is left to do
public record Joined(
        @Nullable User user,
        Organization organization,
        String role,
        @Nullable String next) {}
