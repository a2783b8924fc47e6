package dev.sheaf.server.maintenance.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.account.UserTicket;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.signin.AccountAdministration;
import dev.sheaf.server.identity.signin.IdentityParts;
import dev.sheaf.server.identity.signin.NewUser;
import java.util.List;

/// Lets administrators of the installation manage accounts.
public final class AdminUsersApi {
    private final IdentityParts identity;

    public AdminUsersApi(IdentityParts identity) {
        this.identity = identity;
    }

    public List<Route> routes() {
        String all = "/v1/admin/users";
        return List.of(
                new Route(GET, all, RoutePermission.ADMIN, this::list),
                new Route(POST, all, RoutePermission.ADMIN, this::create),
                new Route(GET, all + "/{user_id}", RoutePermission.ADMIN, this::get),
                new Route(POST, all + "/{user_id}:disable", RoutePermission.ADMIN, call -> disable(call, true)),
                new Route(POST, all + "/{user_id}:enable", RoutePermission.ADMIN, call -> disable(call, false)),
                new Route(POST, all + "/{user_id}:resetPassword", RoutePermission.ADMIN, this::resetPassword),
                new Route(POST, all + "/{user_id}:removeTotp", RoutePermission.ADMIN, this::removeTotp));
    }

    private Answer list(Call call) {
        return PageRequest.of(call).show(identity.accounts()::list, User::id);
    }

    private Answer get(Call call) {
        return Answer.ok(identity.accounts().find(call.parameter("user_id")));
    }

    private Answer create(Call call) {
        var wire =
                wire(identity.administration().create(call.origin(), call.json().to(NewUser::parse)));
        return Answer.createdSecret(call.rawPath() + "/" + wire.user().id(), wire, wire.withoutToken());
    }

    private Answer disable(Call call, boolean disabled) {
        return Answer.ok(identity.accounts().setDisabled(call.origin(), call.parameter("user_id"), disabled));
    }

    private Answer removeTotp(Call call) {
        return Answer.ok(identity.administration().removeTotp(call.origin(), call.parameter("user_id")));
    }

    private Answer resetPassword(Call call) {
        var wire = wire(identity.administration().resetPassword(call.origin(), call.parameter("user_id")));
        return Answer.secret(wire, wire.withoutToken());
    }

    private static UserTicket wire(AccountAdministration.Handed handed) {
        var ticket = handed.ticket();
        return ticket == null
                ? new UserTicket(handed.user(), null, null)
                : new UserTicket(handed.user(), ticket.secret().expose(), ticket.endsAt());
    }
}
