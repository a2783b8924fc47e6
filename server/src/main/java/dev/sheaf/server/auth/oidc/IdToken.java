package dev.sheaf.server.auth.oidc;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A token in which an OpenID provider says who somebody is, whose signature, audience and times are good.
///
/// @param id its `jti`, unique at its issuer
/// @param claims all of them: texts, numbers, booleans, lists and objects
public record IdToken(String issuer, String id, Instant expiresAt, Map<String, Object> claims) {
    public IdToken {
        claims = Collections.unmodifiableMap(new LinkedHashMap<>(claims));
    }

    /// A claim as text where it is a text, a number or a boolean.
    public Optional<String> text(String claim) {
        return values(claim).stream().findFirst().filter(text -> !(claims.get(claim) instanceof List<?>));
    }

    /// The texts of a claim: of a list all its entries; of an object none.
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
