package dev.sheaf.server.identity.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PATCH;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.PasswordChanges;
import dev.sheaf.server.identity.ProfileEdit;
import dev.sheaf.server.identity.signin.IdentityParts;
import java.util.List;

/// Lets people see and change their own accounts (contract 5.4).
public final class UsersApi {
    private final IdentityParts identity;

    public UsersApi(IdentityParts identity) {
        this.identity = identity;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/users/me", RoutePermission.PERSON, this::me),
                new Route(PATCH, "/v1/users/me", RoutePermission.PERSON, this::edit),
                new Route(POST, "/v1/users/me:changePassword", RoutePermission.PERSON, this::changePassword),
                new Route(POST, "/v1/users:setPassword", RoutePermission.NONE, this::setPassword));
    }

    private Answer me(Call call) {
        return Answer.ok(
                identity.accounts().get(Accounts.person(call.origin().caller()).userId()));
    }

    private Answer edit(Call call) {
        return Answer.ok(
                identity.accounts().edit(call.origin(), call.json().to(ProfileEdit::parse), ConditionalWrite.of(call)));
    }

    private Answer changePassword(Call call) {
        identity.passwords().change(call.origin(), call.json().to(PasswordChanges.Change::parse));
        return Answer.empty(204);
    }

    private Answer setPassword(Call call) {
        var setting = call.json().to(PasswordChanges.Setting::parse);
        identity.passwords().use(SessionsApi.visit(call), setting);
        return Answer.empty(204);
    }
}
