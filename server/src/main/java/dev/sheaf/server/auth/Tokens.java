package dev.sheaf.server.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.key.Secret;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Access tokens (contract 5.3): JWTs signed with Ed25519 (RFC 8037). The algorithm is pinned, and of what a
/// token's header says of keys only the id counts, which must be one of ours that is not retired.
///
/// A token names the API key, the session or the trusted publisher it was made for; whether that still lives is
/// asked at every use, not here.
public final class Tokens {
    /// Of a token of the registry or of a run.
    public static final Duration LIFETIME = Duration.ofMinutes(15);
    /// Of any token, the most.
    public static final Duration LONGEST = Duration.ofHours(1);

    private static final Duration SKEW = Duration.ofSeconds(60);
    private static final String ISSUER = "sheaf";
    private static final String AUDIENCE = "sheaf";
    /// Characters of a token; what is longer is none.
    public static final int MAX_LENGTH = 8 * 1024;

    private final SigningKeys keys;
    /// Characters of tokens that are remembered: a usual one has 500, but one may have [#MAX_LENGTH], and anybody
    /// with a key can have many of those.
    static final long REMEMBERED = 16 << 20;

    private final Cache<String, Token> verified = Caffeine.newBuilder()
            .maximumWeight(REMEMBERED)
            .weigher((String text, Token token) -> text.length())
            .expireAfterWrite(LIFETIME)
            .build();

    /// A token whose signature is good.
    ///
    /// @param kid of the key that signed it
    /// @param id its own
    /// @param from the tokens that it was exchanged from, oldest first: with each of them it ends too
    /// @param subject null where it was given to an anonymous client
    public record Token(
            String kid,
            String id,
            List<String> from,
            @Nullable Subject subject,
            Grant grant,
            Instant issuedAt,
            Instant expiresAt) {
        public Token {
            from = List.copyOf(from);
        }

        /// Its own id and those of [#from].
        public List<String> lineage() {
            var ids = new ArrayList<>(from);
            ids.add(id);
            return ids;
        }
    }

    public Tokens(SigningKeys keys) {
        this.keys = keys;
    }

    /// Signs a token for a registry client that is good from now for [#LIFETIME].
    public Secret issue(@Nullable Subject subject, Grant grant, Instant now) {
        return issue(subject, grant, List.of(), now, now.plus(LIFETIME));
    }

    /// Signs a token that is good from now until `end`, and no longer than the tokens `from` which it is made.
    public Secret issue(@Nullable Subject subject, Grant grant, List<String> from, Instant now, Instant end) {
        var key = keys.signer(now);
        var claims = new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .jwtID(UUID.randomUUID().toString())
                .issueTime(Date.from(now))
                .notBeforeTime(Date.from(now))
                .expirationTime(Date.from(end));
        TokenClaims.write(subject, grant, from, claims);
        var header = new JWSHeader.Builder(JWSAlgorithm.EdDSA)
                .type(JOSEObjectType.JWT)
                .keyID(key.id())
                .build();
        var jwt = new SignedJWT(header, claims.build());
        try {
            jwt.sign(key);
        } catch (JOSEException e) {
            throw new IllegalStateException("cannot sign", e);
        }
        return Secret.of(jwt.serialize());
    }

    /// The ids of a token and of those it was made from; none of an API key.
    ///
    /// @throws ProblemException as [#verify]
    public List<String> lineage(Secret credential, Instant now) {
        String text = credential.expose();
        return text.startsWith(KeyFormat.PREFIX) ? List.of() : verify(text, now).lineage();
    }

    /// Reads a token.
    ///
    /// @throws ProblemException unauthenticated: malformed where it is not one of ours, expired where its time is
    /// over
    public Token verify(String text, Instant now) {
        Token token = verified.get(text, unknown -> parse(unknown, now));
        if (keys.isRetired(token.kid(), now)) {
            throw Authenticator.refuse(
                    CredentialFault.EXPIRED, "the key of this access token was replaced; ask for a new token");
        }
        if (now.plus(SKEW).isBefore(token.issuedAt())) {
            throw Authenticator.refuse(CredentialFault.MALFORMED, "the access token is not valid yet");
        }
        if (!now.isBefore(token.expiresAt())) {
            throw Authenticator.refuse(CredentialFault.EXPIRED, "the access token has expired; ask for a new one");
        }
        return token;
    }

    /// How many characters of tokens are remembered.
    long remembered() {
        verified.cleanUp();
        return verified.asMap().keySet().stream().mapToLong(String::length).sum();
    }

    private Token parse(String text, Instant now) {
        try {
            if (text.length() <= MAX_LENGTH) {
                var jwt = SignedJWT.parse(text);
                var header = jwt.getHeader();
                String kid = header.getKeyID();
                if (JWSAlgorithm.EdDSA.equals(header.getAlgorithm()) && kid != null && isSigned(jwt, kid, now)) {
                    return token(kid, jwt.getJWTClaimsSet());
                }
            }
        } catch (ParseException | JOSEException | IllegalArgumentException e) {
            // falls through: whatever is wrong with it, the answer is the same
        }
        throw Authenticator.refuse(
                CredentialFault.MALFORMED, "the credential is neither an API key nor an access token of this registry");
    }

    private boolean isSigned(SignedJWT jwt, String kid, Instant now) throws JOSEException {
        var key = keys.verifier(kid, now);
        return key.isPresent() && jwt.verify(key.get());
    }

    private static Token token(String kid, JWTClaimsSet claims) throws ParseException {
        var notBefore = claims.getNotBeforeTime();
        var expiresAt = claims.getExpirationTime();
        if (!ISSUER.equals(claims.getIssuer())
                || !claims.getAudience().equals(List.of(AUDIENCE))
                || notBefore == null
                || expiresAt == null) {
            throw new ParseException("made for something else", 0);
        }
        String id = claims.getJWTID();
        return new Token(
                kid,
                id == null ? "" : id,
                TokenClaims.from(claims),
                TokenClaims.subject(claims),
                TokenClaims.grant(claims),
                notBefore.toInstant(),
                expiresAt.toInstant());
    }
}
