package dev.sheaf.client;

import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.User;
import dev.sheaf.model.wire.UserRequest;
import dev.sheaf.model.wire.UserTicket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The accounts of an installation; every call needs an admin credential of the organization that it began with.
/// Thread-safe.
public final class Users {
    private static final int PAGE = 100;

    private final Transport transport;

    Users(Transport transport) {
        this.transport = transport;
    }

    /// Makes an account. Without a password in the request, the answer has a token to set one with, this once.
    ///
    /// @throws SheafException.Conflict where there is one of that address
    public UserTicket create(UserRequest request) {
        var call = Call.of("POST", at("")).sendingJson(request);
        return transport.json(call.expecting(201).once(), UserTicket.class);
    }

    /// The hundred latest accounts, the newest first.
    public List<User> latest() {
        Page<User> page = transport.page(Call.get(at("?limit=" + PAGE)), User.class);
        return page.data();
    }

    /// Ends all sessions of somebody and keeps them out.
    ///
    /// @param user id or e-mail address
    public User disable(String user) {
        return transport.json(Call.of("POST", one(user, ":disable")), User.class);
    }

    /// Lets somebody in again who was kept out.
    ///
    /// @param user id or e-mail address
    public User enable(String user) {
        return transport.json(Call.of("POST", one(user, ":enable")), User.class);
    }

    /// Hands out a token with which somebody sets a new password; the old one works until then.
    public UserTicket resetPassword(String user) {
        return transport.json(Call.of("POST", one(user, ":resetPassword")).once(), UserTicket.class);
    }

    /// Lets somebody in with the password alone whose authenticator is lost.
    public User removeTotp(String user) {
        return transport.json(Call.of("POST", one(user, ":removeTotp")), User.class);
    }

    private URI one(String user, String verb) {
        return at("/" + URLEncoder.encode(user, StandardCharsets.UTF_8).replace("+", "%20") + verb);
    }

    private URI at(String rest) {
        return transport.registry().at("/v1/admin/users" + rest);
    }
}
