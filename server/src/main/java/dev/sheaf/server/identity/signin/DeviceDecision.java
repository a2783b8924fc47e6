package dev.sheaf.server.identity.signin;

import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.input.Form;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What somebody decides about a device.
///
/// @param ticket that shows who it is
/// @param organization for which it is let in; null: it is kept out
public record DeviceDecision(
        String userCode, Secret ticket, @Nullable UUID organization) {
    public static DeviceDecision parse(Form form) {
        String code = form.required("user_code");
        var ticket = Secret.of(form.required("ticket"));
        return new DeviceDecision(code, ticket, isAllowed(form.required("decision")) ? organization(form) : null);
    }

    private static boolean isAllowed(String decision) {
        return switch (decision) {
            case "approve" -> true;
            case "deny" -> false;
            default -> throw new Problem.BadRequest("the decision must be approve or deny").raise();
        };
    }

    private static UUID organization(Form form) {
        try {
            return UUID.fromString(form.required("organization"));
        } catch (IllegalArgumentException e) {
            throw new Problem.BadRequest("that is no organization").raise();
        }
    }
}
