package dev.sheaf.server.auth.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.sheaf.engine.net.RemoteDocuments;
import dev.sheaf.model.OAuthError;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import java.io.IOException;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Verifies the ID tokens of OpenID providers (OpenID Connect Core 1.0, section 3.1.3.7). Only configured
/// issuers are ever contacted. Only two members of a token's header are used: `alg`, from a fixed list, and
/// `kid`, among the issuer's own keys. Keys that the header contains or refers to are ignored. Thread-safe.
public final class IdTokens {
    private static final Logger LOG = LoggerFactory.getLogger(IdTokens.class);
    /// Allowed clock skew.
    public static final Duration LEEWAY = Duration.ofSeconds(60);

    private static final long LAST_SECOND = 253_402_300_799L; // of the year 9999
    private static final int MAX_LENGTH = 32 * 1024;
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private final Map<String, OidcIssuer> issuers = new HashMap<>();

    /// @param trusted the issuers, as in the claim `iss`
    public IdTokens(List<String> trusted) {
        var documents = new RemoteDocuments();
        trusted.forEach(address -> issuers.put(address, new OidcIssuer(address, documents)));
    }

    public boolean trusts(String issuer) {
        return issuers.containsKey(issuer);
    }

    /// Verifies a token that was issued for one of `audiences` and for no other audience.
    ///
    /// @throws ProblemException token-refused (invalid_grant), naming the claim or header that failed; unavailable
    /// if the issuer's keys cannot be fetched
    public IdToken verify(String text, Set<String> audiences, Instant now) {
        var token = verifyOfPerson(text, audiences, now);
        if (token.id().isEmpty()) {
            throw refuse("jti", null, "an id, which shows whether the token was used before");
        }
        return token;
    }

    /// Verifies a token of a person who signs in. It needs no id of its own, because a nonce binds it to one
    /// sign-in.
    public IdToken verifyOfPerson(String text, Set<String> audiences, Instant now) {
        try {
            if (text.length() <= MAX_LENGTH) {
                var jwt = SignedJWT.parse(text);
                var claims = jwt.getJWTClaimsSet();
                String issuer = claims.getIssuer();
                var known = issuer == null ? null : issuers.get(issuer);
                if (issuer == null || known == null) {
                    throw refuse("iss", issuer, "one of the issuers that this installation trusts");
                }
                signed(known, jwt, now);
                return read(issuer, jwt, audiences, now);
            }
        } catch (ParseException | IllegalArgumentException e) {
            // the answer is the same for every defect
        }
        throw OAuthError.INVALID_GRANT.refuse("the subject token is not a signed JWT");
    }

    private static void signed(OidcIssuer issuer, SignedJWT jwt, Instant now) {
        if (!ALGORITHMS.contains(jwt.getHeader().getAlgorithm())) {
            throw OAuthError.INVALID_GRANT.refuse("the header alg of the id_token is "
                    + Quoted.of(jwt.getHeader().getAlgorithm().getName())
                    + "; expected an RSA or ECDSA signature");
        }
        try {
            var processor = new DefaultJWTProcessor<SecurityContext>();
            processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, issuer.keys(now)));
            processor.setJWTClaimsSetVerifier((claims, context) -> {
                // checked below, to name the claim that fails
            });
            processor.process(jwt, null);
        } catch (RateLimitReachedException e) {
            throw issuer.knowsKeys() ? unsigned() : unavailable(); // an unknown key, or a fetch failed a moment ago
        } catch (KeySourceException | IOException e) {
            LOG.warn("cannot fetch the keys of an issuer of id_tokens", e);
            throw unavailable();
        } catch (BadJOSEException | JOSEException e) {
            throw unsigned();
        }
    }

    private static ProblemException unavailable() {
        return new Problem.Unavailable("cannot fetch the keys of the issuer of the id_token; try again", 10).raise();
    }

    private static ProblemException unsigned() {
        return OAuthError.INVALID_GRANT.refuse("the id_token is not signed with a key of its issuer");
    }

    private static IdToken read(String issuer, SignedJWT jwt, Set<String> audiences, Instant now)
            throws ParseException {
        var claims = jwt.getJWTClaimsSet();
        var told = jwt.getPayload().toJSONObject();
        if (claims.getAudience().size() != 1
                || !audiences.contains(claims.getAudience().getFirst())) {
            throw refuse(
                    "aud",
                    String.join(" ", claims.getAudience()),
                    String.join(" or ", audiences.stream().sorted().toList()));
        }
        Instant expiresAt = time("exp", told);
        if (!now.isBefore(expiresAt.plus(LEEWAY))) {
            throw refuse("exp", expiresAt.toString(), "a time in the future");
        }
        Instant issuedAt = time("iat", told);
        for (Instant begin : List.of(issuedAt, told.get("nbf") == null ? issuedAt : time("nbf", told))) {
            if (now.plus(LEEWAY).isBefore(begin)) {
                throw refuse(begin.equals(issuedAt) ? "iat" : "nbf", begin.toString(), "a time in the past");
            }
        }
        String id = claims.getJWTID();
        return new IdToken(issuer, id == null ? "" : id, expiresAt, claims.getClaims());
    }

    /// Returns a time that is not one of the library's: it multiplies by a thousand, and very late times become early
    /// ones.
    private static Instant time(String claim, Map<String, Object> claims) {
        if (!(claims.get(claim) instanceof Number told)) {
            throw refuse(claim, null, "a time");
        }
        double seconds = told.doubleValue();
        if (!(seconds >= 0 && seconds <= LAST_SECOND)) {
            throw refuse(claim, told.toString(), "seconds since 1970");
        }
        return Instant.ofEpochSecond(told.longValue());
    }

    /// Returns the error that names the claim that failed.
    ///
    /// @param actual null if the token lacks the claim
    public static ProblemException refuse(String claim, @Nullable String actual, String expected) {
        return OAuthError.INVALID_GRANT.refuse("the claim " + claim + " of the id_token is "
                + (actual == null ? "missing" : Quoted.of(actual)) + "; expected " + expected);
    }
}
