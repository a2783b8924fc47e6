package dev.sheaf.server.identity.signin;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Role;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.identity.PasswordRules;
import org.jspecify.annotations.Nullable;

/// A request of an administrator to create an account.
///
/// @param password null to issue a ticket with which the owner sets a password
/// @param organization the id or handle of the organization that the owner joins; null to join none
public record NewUser(
        EmailAddress email,
        @Nullable String fullName,
        @Nullable Secret password,
        @Nullable String organization,
        Role role) {
    private static final int MAX_NAME = 200;
    private static final EmailAddress NOBODY = new EmailAddress("nobody@localhost");

    public static NewUser parse(RequestFields fields) {
        var user = new NewUser(
                fields.parsed("email", EmailAddress::parse, NOBODY),
                fields.optional("fullName", MAX_NAME),
                fields.has("password") ? PasswordRules.parse(fields, "password") : null,
                fields.optional("organization", MAX_NAME),
                fields.parsedOr("role", Role::parse, Role.READER));
        if (!fields.has("organization") && fields.has("role")) {
            fields.error("role", "required", "cannot be sent without \"organization\", in which the role applies");
        }
        return user;
    }
}
