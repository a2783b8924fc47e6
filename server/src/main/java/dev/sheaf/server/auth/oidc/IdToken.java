package dev.sheaf.server.auth.oidc;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An ID token of an OpenID provider whose signature, audience and times were verified.
///
/// @param id its `jti`, unique at its issuer
/// @param claims all claims: strings, numbers, booleans, lists and objects
public record IdToken(String issuer, String id, Instant expiresAt, Map<String, Object> claims) {
    public IdToken {
        claims = Collections.unmodifiableMap(new LinkedHashMap<>(claims));
    }

    /// Returns a claim as a string if it is a string, a number or a boolean.
    public Optional<String> text(String claim) {
        return values(claim).stream().findFirst().filter(text -> !(claims.get(claim) instanceof List<?>));
    }

    /// Returns the values of a claim as strings: all entries of a list; empty for an object.
    public List<String> values(String claim) {
        return switch (claims.get(claim)) {
            case String text -> List.of(text);
            case Number number -> List.of(number.toString());
            case Boolean flag -> List.of(flag.toString());
            case List<?> list ->
                list.stream()
                        .filter(entry -> entry instanceof String || entry instanceof Number)
                        .map(Object::toString)
                        .toList();
            case null, default -> List.of();
        };
    }
}
