package dev.sheaf.model.wire.org;

import dev.sheaf.model.wire.account.User;
import org.jspecify.annotations.Nullable;

/// The result of accepting an invitation.
///
/// @param user the signed-in user; null if nobody is signed in, so that the response does not show whether the
/// account is new
/// @param role in the organization
/// @param next what is left to do; null: nothing
public record Joined(
        @Nullable User user,
        Organization organization,
        String role,
        @Nullable String next) {}
