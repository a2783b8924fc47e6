package dev.sheaf.server.identity.token;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.OAuthError;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.key.KeyRestrictions;
import dev.sheaf.server.auth.AccessTokens;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.TokenSubject;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Exchanges an API key or an access token for another access token (RFC 8693), never with more rights or a
/// later expiry. Thread-safe.
public final class TokenExchange {
    private final Database database;
    private final Authenticator authenticator;
    private final AccessTokens tokens;

    /// The requested token.
    ///
    /// @param scope null for the scope of the subject
    /// @param restrictions replace the subject's own restrictions, and must be within them
    /// @param lifetime at most [AccessTokens#LONGEST]
    public record Wish(@Nullable Scope scope, CredentialRestrictions restrictions, Duration lifetime) {
        /// @throws ProblemException token-refused: invalid_scope, invalid_request
        public static Wish parse(FormFields form) {
            return new Wish(scope(form).orElse(null), restrictions(form), lifetime(form));
        }

        /// Returns the highest of the requested scopes, which includes the lower ones.
        public static Optional<Scope> scope(FormFields form) {
            var scopes = EnumSet.noneOf(Scope.class);
            for (String word : words(form, "scope")) {
                scopes.add(Scope.find(word)
                        .orElseThrow(() -> OAuthError.INVALID_SCOPE.refuse(
                                "the scope " + Quoted.of(word) + " does not exist; use read, write or admin")));
            }
            return scopes.isEmpty() ? Optional.empty() : Optional.of(Collections.max(scopes));
        }

        private static List<String> words(FormFields form, String name) {
            return form.single(name).stream()
                    .flatMap(text -> Arrays.stream(text.split(" ")))
                    .filter(word -> !word.isEmpty())
                    .toList();
        }

        private static CredentialRestrictions restrictions(FormFields form) {
            try {
                return CredentialRestrictions.parse(new KeyRestrictions(
                        entries(form, "namespaces"),
                        entries(form, "bundles"),
                        entries(form, "cidrs"),
                        entries(form, "queues"),
                        entries(form, "uses")));
            } catch (ProblemException e) {
                throw OAuthError.INVALID_REQUEST.refuse(e.problem().detail());
            }
        }

        private static @Nullable List<String> entries(FormFields form, String name) {
            var words = words(form, name);
            return words.isEmpty() ? null : words;
        }

        /// Reads `expires_in` in seconds. This parameter is an extension of this registry.
        private static Duration lifetime(FormFields form) {
            String text = form.single("expires_in").orElse("");
            if (text.isEmpty()) {
                return AccessTokens.LONGEST;
            }
            long longest = AccessTokens.LONGEST.toSeconds();
            if (!text.matches("[0-9]{1,4}") || Long.parseLong(text) < 1 || Long.parseLong(text) > longest) {
                throw OAuthError.INVALID_REQUEST.refuse("expires_in must be a number of seconds from 1 to " + longest);
            }
            return Duration.ofSeconds(Long.parseLong(text));
        }
    }

    public TokenExchange(Database database, Authenticator authenticator, AccessTokens tokens) {
        this.database = database;
        this.authenticator = authenticator;
        this.tokens = tokens;
    }

    /// Returns a token with at most the subject's rights.
    ///
    /// @throws ProblemException unauthenticated if the subject is not valid; token-refused: invalid_request if
    /// the subject cannot be exchanged, invalid_scope or invalid_target if more is requested than the subject
    /// has
    public IssuedToken exchange(Secret subject, Authenticator.Context context, Wish wish) {
        var caller = caller(subject, context);
        Instant now = database.now();
        Scope scope = Objects.requireNonNullElse(wish.scope(), caller.scope());
        if (!caller.scope().includes(scope)) {
            throw OAuthError.INVALID_SCOPE.refuse(
                    "the subject token has the scope " + caller.scope() + ", not " + scope);
        }
        var restrictions = within(caller.restrictions(), wish.restrictions());
        Instant end = end(caller.endsAt(), now.plus(wish.lifetime()));
        var grant = new Grant.Delegated(scope, restrictions);
        return issue(tokens, TokenSubject.of(caller.credential()), grant, caller.tokens(), now, end);
    }

    private Caller.Known caller(Secret subject, Authenticator.Context context) {
        if (authenticator.authenticate(subject, context) instanceof Caller.Known known
                && !(known.grant() instanceof Grant.Limited)) {
            return known;
        }
        throw OAuthError.INVALID_REQUEST.refuse(
                "an access token of the registry cannot be exchanged for another token; send the API key");
    }

    /// Returns `own` limited to `wish`.
    public static CredentialRestrictions within(CredentialRestrictions own, CredentialRestrictions wish) {
        var both = own.with(wish);
        if (!own.cover(both)) {
            throw OAuthError.INVALID_TARGET.refuse("the restrictions must be within the subject token's own");
        }
        return both;
    }

    private static Instant end(@Nullable Instant last, Instant wish) {
        return last != null && last.isBefore(wish) ? last : wish;
    }

    /// @throws ProblemException token-refused if the token would be longer than revocation accepts
    public static IssuedToken issue(
            AccessTokens tokens,
            TokenSubject subject,
            Grant.Delegated grant,
            List<String> from,
            Instant now,
            Instant end) {
        var token = tokens.issue(subject, grant, from, now, end);
        if (token.expose().length() > AccessTokens.MAX_LENGTH) {
            throw OAuthError.INVALID_REQUEST.refuse(
                    "the token would be too long, with so many restrictions or after so many exchanges; use fewer");
        }
        return new IssuedToken(token, Duration.between(now, end), grant.scope());
    }
}
