package dev.sheaf.client;

import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.account.RecoveryCodes;
import dev.sheaf.model.wire.account.SessionView;
import dev.sheaf.model.wire.account.TotpEnrolment;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.org.Joined;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A person's own account: password, sessions, second factor. Needs a session unless a method says otherwise.
/// Sends no request before a method is called. Thread-safe.
public final class Account {
    private final ApiResource me;

    Account(RegistryTransport transport) {
        this.me = new ApiResource(transport, "/v1/users/me");
    }

    /// A request body with secrets, which must not be logged.
    private record Passwords(
            @Nullable String token,
            @Nullable String password,
            @Nullable String currentPassword,
            @Nullable String newPassword,
            @Nullable String code) {
        @Override
        public String toString() {
            return "Passwords[…]";
        }
    }

    /// Returns the account.
    public User show() {
        return me.get("", User.class);
    }

    /// Replaces the password. All other sessions end.
    ///
    /// @throws dev.sheaf.client.api.SheafException.InvalidRequest if the new password is refused
    public void changePassword(Secret current, Secret fresh) {
        send("POST", "/v1/users/me:changePassword", new Passwords(null, null, current.expose(), fresh.expose(), null));
    }

    /// Sets a password, including the first one, with a token from an administrator. Needs no credential. All
    /// sessions end.
    public void setPassword(Secret token, Secret password) {
        send("POST", "/v1/users:setPassword", new Passwords(token.expose(), password.expose(), null, null, null));
    }

    /// Returns the sessions, newest first.
    public List<SessionView> sessions() {
        return new ApiResource(me.transport(), "/v1/sessions").list("", SessionView.class);
    }

    /// Ends a session.
    public void endSession(UUID session) {
        me.transport()
                .head(HttpCall.of("DELETE", me.transport().at("/v1/sessions/" + session))
                        .expecting(204));
    }

    /// Creates a secret for an authenticator. No code is required before [#confirmTotp].
    ///
    /// @param password null if the account has no password
    public TotpEnrolment beginTotp(@Nullable Secret password) {
        var body = new Passwords(null, password == null ? null : password.expose(), null, null, null);
        return me.transport().json(me.call("POST", "/totp").sendingJson(body).once(), TotpEnrolment.class);
    }

    /// Requires a code from now on.
    ///
    /// @param code the code from the authenticator
    /// @return recovery codes, which are not shown again
    public RecoveryCodes confirmTotp(Secret code) {
        var body = new Passwords(null, null, null, null, code.expose());
        return me.transport()
                .json(me.call("POST", "/totp:confirm").sendingJson(body).once(), RecoveryCodes.class);
    }

    /// Creates new recovery codes; the old ones become invalid.
    public RecoveryCodes renewRecoveryCodes(@Nullable Secret password, Secret code) {
        return me.transport()
                .json(
                        me.call("POST", "/totp:renewRecoveryCodes")
                                .sendingJson(proof(password, code))
                                .once(),
                        RecoveryCodes.class);
    }

    /// Stops requiring a code.
    public void removeTotp(@Nullable Secret password, Secret code) {
        send("DELETE", "/v1/users/me/totp", proof(password, code));
    }

    private static Passwords proof(@Nullable Secret password, Secret code) {
        return new Passwords(null, password == null ? null : password.expose(), null, null, code.expose());
    }

    private void send(String method, String path, Passwords body) {
        me.transport()
                .head(HttpCall.of(method, me.transport().at(path))
                        .sendingJson(body)
                        .expecting(204)
                        .once());
    }

    /// Revokes the API key of this client. Needs no particular scope.
    public void revokeOwnKey() {
        me.transport()
                .head(HttpCall.of("DELETE", me.transport().at("/v1/api-keys/current"))
                        .expecting(204)
                        .once());
    }

    /// Accepts an invitation. If this client has a session, its user becomes a member; without a credential, an
    /// account is created.
    ///
    /// @param token the invitation's token
    /// @param password the new account's password; null if this client has a session
    /// @param fullName the new account's full name
    public Joined join(Secret token, @Nullable Secret password, @Nullable String fullName) {
        return Members.join(me.transport(), token, password, fullName);
    }
}
