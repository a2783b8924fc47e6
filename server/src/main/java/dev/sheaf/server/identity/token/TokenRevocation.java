package dev.sheaf.server.identity.token;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.OAuthError;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.AccessTokens;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.RevokedTokens;
import dev.sheaf.server.identity.RefreshTokens;
import dev.sheaf.server.identity.SessionEnds;
import dev.sheaf.server.identity.SignInSource;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Revocation (RFC 7009) and introspection (RFC 7662) of issued access tokens. Thread-safe.
public final class TokenRevocation {
    private final Database database;
    private final Authenticator authenticator;
    private final AccessTokens tokens;
    private final SessionEnds sessions;

    /// The properties of a valid credential.
    ///
    /// @param id the id of the token; null for an API key
    /// @param issuedAt null for an API key
    public record Insight(
            Caller.Known caller,
            Scope scope,
            @Nullable String id,
            @Nullable Instant issuedAt) {}

    public TokenRevocation(Database database, Authenticator authenticator, AccessTokens tokens, SessionEnds sessions) {
        this.sessions = sessions;
        this.database = database;
        this.authenticator = authenticator;
        this.tokens = tokens;
    }

    /// Ends a refresh token and its session, or an access token and the tokens that were made from it. This
    /// takes effect on this node immediately, and on others within two seconds. Invalid tokens are ignored.
    ///
    /// @throws ProblemException token-refused: unsupported_token_type for an API key, which is revoked with
    /// DELETE
    public void revoke(Secret token, SignInSource visit) {
        if (token.expose().startsWith(RefreshTokens.PREFIX)) {
            sessions.endBy(token, visit);
            return;
        }
        if (token.expose().startsWith(KeyFormat.PREFIX)) {
            throw OAuthError.UNSUPPORTED_TOKEN_TYPE.refuse(
                    "an API key is revoked with DELETE /v1/api-keys/current, or by an admin of its organization");
        }
        var known = known(token, Authenticator.Context.asked(Optional::empty));
        if (known.isPresent()) {
            var read = tokens.verify(token.expose(), database.now());
            database.write(tx -> {
                if (RevokedTokens.revoke(tx, read) && known.get() instanceof Caller.Known caller) {
                    var origin = new ChangeOrigin(caller, visit.address(), visit.requestId());
                    AuditRows.record(tx, origin, "token.revoke", read.id());
                }
                return read.id();
            });
        }
    }

    /// Returns the properties of a credential for a caller of the same organization; empty if the credential is
    /// not valid or belongs to another organization.
    public Optional<Insight> inspect(UUID organization, Secret token) {
        var context = Authenticator.Context.asked(() -> Optional.of(organization));
        return known(token, context)
                .filter(Caller.Known.class::isInstance)
                .map(Caller.Known.class::cast)
                .filter(caller -> caller.organizationId().equals(organization))
                .map(caller -> insight(caller, token));
    }

    private Insight insight(Caller.Known caller, Secret token) {
        if (token.expose().startsWith(KeyFormat.PREFIX)) {
            return new Insight(caller, caller.scope(), null, null);
        }
        var read = tokens.verify(token.expose(), database.now());
        var scope = caller.grant() instanceof Grant.Limited ? Scope.READ : caller.scope();
        return new Insight(caller, scope, read.id(), read.issuedAt());
    }

    private Optional<Caller> known(Secret token, Authenticator.Context context) {
        try {
            return Optional.of(authenticator.authenticate(token, context));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    /// Deletes revocations of tokens that have expired.
    public void purge() {
        database.write(RevokedTokens::purge);
    }
}
