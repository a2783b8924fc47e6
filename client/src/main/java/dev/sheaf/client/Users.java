package dev.sheaf.client;

import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Resource;
import dev.sheaf.client.http.Transport;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.account.UserRequest;
import dev.sheaf.model.wire.account.UserTicket;
import java.util.List;

/// The accounts of an installation; every call needs an admin credential of the organization that it began with.
/// Thread-safe.
public final class Users {
    private static final int PAGE = 100;

    private final Resource users;

    Users(Transport transport) {
        this.users = new Resource(transport, "/v1/admin/users");
    }

    /// Makes an account. Without a password in the request, the answer has a token to set one with, this once.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Conflict where there is one of that address
    public UserTicket create(UserRequest request) {
        return users.create("", request, UserTicket.class);
    }

    /// The hundred latest accounts, the newest first.
    public List<User> latest() {
        return users.list("", User.class, PAGE);
    }

    /// Ends all sessions of somebody and keeps them out.
    ///
    /// @param user id or e-mail address
    public User disable(String user) {
        return users.post(one(user, ":disable"), User.class);
    }

    /// Lets somebody in again who was kept out.
    ///
    /// @param user id or e-mail address
    public User enable(String user) {
        return users.post(one(user, ":enable"), User.class);
    }

    /// Hands out a token with which somebody sets a new password; the old one works until then.
    public UserTicket resetPassword(String user) {
        return users.transport()
                .json(users.call("POST", one(user, ":resetPassword")).once(), UserTicket.class);
    }

    /// Lets somebody in with the password alone whose authenticator is lost.
    public User removeTotp(String user) {
        return users.post(one(user, ":removeTotp"), User.class);
    }

    private static String one(String user, String verb) {
        return "/" + Call.encode(user) + verb;
    }
}
