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
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Secret;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Access tokens of the registry: JWTs signed with Ed25519 (RFC 8037). The algorithm is pinned, and of what a
/// token's header says of keys only the id counts, which must be one of ours that is not retired.
///
/// A token names the API key it was made from; whether that key still lives is asked at every use, not here.
public final class Tokens {
    public static final Duration LIFETIME = Duration.ofMinutes(15);
    private static final Duration SKEW = Duration.ofSeconds(60);
    private static final String ISSUER = "sheaf";
    private static final String AUDIENCE = "sheaf-registry";
    /// Characters of a token; what is longer is none.
    public static final int MAX_LENGTH = 8 * 1024;

    private final SigningKeys keys;
    private final Cache<String, Token> verified =
            Caffeine.newBuilder().maximumSize(20_000).expireAfterWrite(LIFETIME).build();

    /// A token whose signature is good.
    ///
    /// @param kid of the key that signed it
    /// @param keyId of the API key it was made from; null where it was given to an anonymous client
    record Token(String kid, @Nullable UUID keyId, Grant.Limited grant, Instant notBefore, Instant expiresAt) {}

    public Tokens(SigningKeys keys) {
        this.keys = keys;
    }

    /// Signs a token that is good from now for [#LIFETIME].
    public Secret issue(@Nullable UUID keyId, Grant.Limited grant, Instant now) {
        var key = keys.signer(now);
        var claims = new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .jwtID(UUID.randomUUID().toString())
                .subject(keyId == null ? null : keyId.toString())
                .issueTime(Date.from(now))
                .notBeforeTime(Date.from(now))
                .expirationTime(Date.from(now.plus(LIFETIME)))
                .claim("access", access(grant))
                .build();
        var header = new JWSHeader.Builder(JWSAlgorithm.EdDSA)
                .type(JOSEObjectType.JWT)
                .keyID(key.id())
                .build();
        var jwt = new SignedJWT(header, claims);
        try {
            jwt.sign(key);
        } catch (JOSEException e) {
            throw new IllegalStateException("cannot sign", e);
        }
        return Secret.of(jwt.serialize());
    }

    private static List<Map<String, Object>> access(Grant.Limited grant) {
        var access = new ArrayList<Map<String, Object>>();
        for (String name : grant.actions().keySet()) {
            access.add(
                    name.equals(Grant.CATALOG)
                            ? Map.of("type", "registry", "name", "catalog", "actions", List.of("*"))
                            : Map.of("type", "repository", "name", name, "actions", List.copyOf(grant.words(name))));
        }
        return access;
    }

    /// Reads a token.
    ///
    /// @throws ProblemException unauthenticated: malformed where it is not one of ours, expired where its time is
    /// over
    Token verify(String text, Instant now) {
        Token token = verified.get(text, unknown -> parse(unknown, now));
        if (keys.isRetired(token.kid(), now)) {
            throw Authenticator.refuse(
                    CredentialFault.EXPIRED, "the key of this access token was replaced; ask for a new token");
        }
        if (now.plus(SKEW).isBefore(token.notBefore())) {
            throw Authenticator.refuse(CredentialFault.MALFORMED, "the access token is not valid yet");
        }
        if (!now.isBefore(token.expiresAt())) {
            throw Authenticator.refuse(CredentialFault.EXPIRED, "the access token has expired; ask for a new one");
        }
        return token;
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
        var actions = new HashMap<String, Set<Grant.Action>>();
        if (claims.getClaim("access") instanceof List<?> access) {
            for (Object entry : access) {
                if (entry instanceof Map<?, ?> map && map.get("actions") instanceof List<?> words) {
                    read(String.valueOf(map.get("type")), String.valueOf(map.get("name")), words, actions);
                }
            }
        }
        String subject = claims.getSubject();
        return new Token(
                kid,
                subject == null ? null : UUID.fromString(subject),
                new Grant.Limited(actions),
                notBefore.toInstant(),
                expiresAt.toInstant());
    }

    private static void read(String type, String name, List<?> words, Map<String, Set<Grant.Action>> actions) {
        var set = EnumSet.noneOf(Grant.Action.class);
        if (type.equals("registry")) {
            actions.put(type + ":" + name, set);
            return;
        }
        words.forEach(word -> set.add(Grant.Action.valueOf(word.toString().toUpperCase(Locale.ROOT))));
        actions.put(name, set);
    }
}
