package dev.sheaf.client;

import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.account.UserRequest;
import dev.sheaf.model.wire.account.UserTicket;
import java.util.List;

/// The accounts of an installation. Every call needs an admin credential of the installation's first organization.
/// Thread-safe.
public final class Users {
    private static final int PAGE = 100;

    private final ApiResource users;

    Users(RegistryTransport transport) {
        this.users = new ApiResource(transport, "/v1/admin/users");
    }

    /// Creates an account. If the request has no password, the result contains a single-use token to set one.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Conflict if an account with this address exists
    public UserTicket create(UserRequest request) {
        return users.create("", request, UserTicket.class);
    }

    /// Returns the hundred latest accounts, newest first.
    public List<User> latest() {
        return users.list("", User.class, PAGE);
    }

    /// Disables an account and ends all its sessions.
    ///
    /// @param user an id or an e-mail address
    public User disable(String user) {
        return users.post(one(user, ":disable"), User.class);
    }

    /// Enables a disabled account.
    ///
    /// @param user an id or an e-mail address
    public User enable(String user) {
        return users.post(one(user, ":enable"), User.class);
    }

    /// Creates a token to set a new password; the old password works until then.
    public UserTicket resetPassword(String user) {
        return users.transport()
                .json(users.call("POST", one(user, ":resetPassword")).once(), UserTicket.class);
    }

    /// Removes the second factor of an account, for example if the authenticator is lost. The password alone is
    /// then enough.
    public User removeTotp(String user) {
        return users.post(one(user, ":removeTotp"), User.class);
    }

    private static String one(String user, String verb) {
        return "/" + HttpCall.encode(user) + verb;
    }
}
