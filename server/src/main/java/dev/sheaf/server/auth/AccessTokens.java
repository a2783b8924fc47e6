package dev.sheaf.server.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.heap.HeapShare;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Access tokens (contract 5.3): JWTs signed with Ed25519 (RFC 8037). The algorithm is pinned. Only the key id
/// of a token's header is used; it must name one of our keys that is not retired.
///
/// A token names the API key, session or trusted publisher that it was issued for. [Authenticator] checks at
/// every use whether that credential still works.
public final class AccessTokens {
    /// Lifetime of a registry token and of a token for a run.
    public static final Duration LIFETIME = Duration.ofMinutes(15);
    /// Longest lifetime of a token that nothing else ends.
    public static final Duration LONGEST = Duration.ofHours(1);
    /// Longest lifetime of the token of a claim, which ends with the claim: the longest time limit of a job, and a
    /// day for what comes before its start.
    public static final Duration LONGEST_CLAIM = Duration.ofDays(8);

    private static final Duration SKEW = Duration.ofSeconds(60);
    /// The issuer of an installation that has no public address. Tokens with it are accepted everywhere, so that
    /// those of the release before, and those from before the address was set, work until they expire.
    private static final String NAMELESS = "sheaf";
    /// Longest token in characters; anything longer is rejected.
    public static final int MAX_LENGTH = 8 * 1024;

    private final SigningKeys keys;
    private final String issuer;

    private final Cache<String, Token> verified = Caffeine.newBuilder()
            .maximumWeight(HeapShare.ACCESS_TOKENS.bytes())
            .weigher((String text, Token token) -> 4 * text.length() + HeapShare.ENTRY) // with its parsed form
            .expireAfterWrite(LIFETIME)
            .build();

    /// A token with a valid signature.
    ///
    /// @param kid the id of the key that signed it
    /// @param id the token's own id
    /// @param from ids of the tokens that were exchanged for it, oldest first; it ends when any of them is
    ///     revoked
    /// @param subject null if it was issued to an anonymous client
    public record Token(
            String kid,
            String id,
            List<String> from,
            @Nullable TokenSubject subject,
            Grant grant,
            Instant issuedAt,
            Instant expiresAt) {
        public Token {
            from = List.copyOf(from);
        }

        /// Returns the token's own id and the ids in [#from].
        public List<String> lineage() {
            var ids = new ArrayList<>(from);
            ids.add(id);
            return ids;
        }
    }

    public AccessTokens(SigningKeys keys) {
        this(keys, null);
    }

    /// @param publicUrl the address of this installation, which is the issuer and the audience of its tokens, as
    /// its metadata says (RFC 8414); null if none is set
    public AccessTokens(SigningKeys keys, @Nullable String publicUrl) {
        this.keys = keys;
        this.issuer = publicUrl == null ? NAMELESS : publicUrl;
    }

    /// Signs a registry token that is valid from now for [#LIFETIME].
    public Secret issue(@Nullable TokenSubject subject, Grant grant, Instant now) {
        return issue(subject, grant, List.of(), now, now.plus(LIFETIME));
    }

    /// Signs a token that is valid from now until `end`. `end` must not be later than the end of the tokens
    /// `from`, unless it is the token of a claim.
    public Secret issue(@Nullable TokenSubject subject, Grant grant, List<String> from, Instant now, Instant end) {
        var key = keys.signer(now);
        var claims = new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience(issuer)
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

    /// Reads a token.
    ///
    /// @throws ProblemException unauthenticated: malformed if it is not one of ours, expired if it has expired
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

    /// Returns the number of characters of the cached tokens.
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
            // the answer is the same for every defect
        }
        throw Authenticator.refuse(
                CredentialFault.MALFORMED, "the credential is neither an API key nor an access token of this registry");
    }

    private boolean isSigned(SignedJWT jwt, String kid, Instant now) throws JOSEException {
        var key = keys.verifier(kid, now);
        return key.isPresent() && jwt.verify(key.get());
    }

    private Token token(String kid, JWTClaimsSet claims) throws ParseException {
        var notBefore = claims.getNotBeforeTime();
        var expiresAt = claims.getExpirationTime();
        String from = claims.getIssuer();
        if (!(issuer.equals(from) || NAMELESS.equals(from))
                || !claims.getAudience().equals(List.of(from))
                || notBefore == null
                || expiresAt == null) {
            throw new ParseException("not an access token of this registry", 0);
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
