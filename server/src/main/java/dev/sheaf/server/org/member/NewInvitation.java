package dev.sheaf.server.org.member;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Role;

/// A request to invite a person.
public record NewInvitation(EmailAddress email, Role role) {
    private static final EmailAddress NOBODY = new EmailAddress("nobody@localhost");

    public static NewInvitation parse(RequestFields fields) {
        return new NewInvitation(fields.parsed("email", EmailAddress::parse, NOBODY), role(fields));
    }

    /// Reads the role in a change of a member.
    public static Role role(RequestFields fields) {
        return fields.parsed("role", Role::parse, Role.READER);
    }
}
