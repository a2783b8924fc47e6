package dev.sheaf.server.identity.signin;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Secret;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A person's decision about a device.
///
/// @param ticket proves the person's identity
/// @param organization the organization that the device may act for; null to deny
public record DeviceDecision(
        String userCode, Secret ticket, @Nullable UUID organization) {
    public static DeviceDecision parse(FormFields form) {
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

    private static UUID organization(FormFields form) {
        try {
            return UUID.fromString(form.required("organization"));
        } catch (IllegalArgumentException e) {
            throw new Problem.BadRequest("the organization must be given by its id").raise();
        }
    }
}
