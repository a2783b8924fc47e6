package dev.sheaf.model.wire.org;

import dev.sheaf.model.wire.account.User;
import org.jspecify.annotations.Nullable;

/// The result of accepting an invitation.
///
/// @param user the signed-in user; null if the caller is not signed in, so that the response does not show
/// whether the account is new
/// @param role the role in the organization
/// @param next the next step for the person; null if nothing is left to do
public record Joined(
        @Nullable User user,
        Organization organization,
        String role,
        @Nullable String next) {}
