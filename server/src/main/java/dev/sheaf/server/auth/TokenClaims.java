package dev.sheaf.server.auth;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.sheaf.model.Digest;
import dev.sheaf.model.key.Scope;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Reads and writes the claims of an access token: its subject and its grant. `access` is the claim of the
/// distribution token protocol, `scope` the claim of OAuth 2 (RFC 8693, section 4.2).
final class TokenClaims {
    private static final String ACCESS = "access";
    private static final String SCOPE = "scope";
    private static final String RESTRICTIONS = "restrictions";
    private static final String RUN = "run";
    private static final String FROM = "from";
    private static final String DIGEST = "digest";
    private static final String CLAIM = "job_claim";

    private TokenClaims() {}

    static void write(@Nullable TokenSubject subject, Grant grant, List<String> from, JWTClaimsSet.Builder claims) {
        if (!from.isEmpty()) {
            claims.claim(FROM, from);
        }
        switch (subject) {
            case null -> {
                // an anonymous token has no subject
            }
            case TokenSubject.Key key -> claims.subject("key:" + key.id());
            case TokenSubject.Session session -> claims.subject("session:" + session.id());
            case TokenSubject.Publisher publisher ->
                claims.subject("publisher:" + publisher.id()).claim(RUN, publisher.run());
        }
        switch (grant) {
            case Grant.Unlimited ignored -> {
                // no limits, no claims
            }
            case Grant.Delegated part -> write(part, claims);
            case Grant.Limited limited -> {
                claims.claim(ACCESS, access(limited));
                limited.claim().ifPresent(held -> claims.claim(CLAIM, held.encode()));
                if (!limited.of().equals(Grant.WHOLE)) {
                    write(limited.of(), claims);
                }
            }
        }
    }

    private static void write(Grant.Delegated part, JWTClaimsSet.Builder claims) {
        claims.claim(SCOPE, part.scope().toString())
                .claim(RESTRICTIONS, part.restrictions().encode());
    }

    private static List<Map<String, Object>> access(Grant.Limited grant) {
        var access = new ArrayList<Map<String, Object>>();
        for (String name : grant.actions().keySet()) {
            access.add(
                    name.equals(Grant.CATALOG)
                            ? Map.of("type", "registry", "name", "catalog", "actions", List.of("*"))
                            : Map.of("type", "repository", "name", name, "actions", List.copyOf(grant.words(name))));
        }
        grant.pinned()
                .forEach((name, digest) -> access.add(Map.of(
                        "type", "repository", "name", name, "actions", List.of("pull"), DIGEST, digest.toString())));
        return access;
    }

    /// @throws ParseException if the subject is of an unknown kind
    static @Nullable TokenSubject subject(JWTClaimsSet claims) throws ParseException {
        String subject = claims.getSubject();
        if (subject == null) {
            return null;
        }
        int colon = subject.indexOf(':');
        UUID id = UUID.fromString(subject.substring(colon + 1));
        return switch (subject.substring(0, Math.max(colon, 0))) {
            case "key" -> new TokenSubject.Key(id);
            case "session" -> new TokenSubject.Session(id);
            case "publisher" -> new TokenSubject.Publisher(id, String.valueOf(claims.getClaim(RUN)));
            default -> throw new ParseException("unknown subject", 0);
        };
    }

    static List<String> from(JWTClaimsSet claims) throws ParseException {
        var from = claims.getStringListClaim(FROM);
        return from == null ? List.of() : from;
    }

    static Grant grant(JWTClaimsSet claims) throws ParseException {
        String scope = claims.getStringClaim(SCOPE);
        var part = scope == null
                ? null
                : new Grant.Delegated(
                        Scope.find(scope).orElseThrow(() -> new ParseException("unknown scope", 0)),
                        CredentialRestrictions.decode(claims.getStringClaim(RESTRICTIONS)));
        if (claims.getClaim(ACCESS) instanceof List<?> access) {
            String held = claims.getStringClaim(CLAIM);
            return new Grant.Limited(
                    actions(access),
                    pinned(access),
                    part == null ? Grant.WHOLE : part,
                    held == null ? null : HeldClaim.decode(held));
        }
        return part == null ? Grant.ALL : part;
    }

    private static Map<String, Set<Grant.Action>> actions(List<?> access) {
        var actions = new HashMap<String, Set<Grant.Action>>();
        for (Object entry : access) {
            if (entry instanceof Map<?, ?> map
                    && map.get(DIGEST) == null
                    && map.get("actions") instanceof List<?> words) {
                read(String.valueOf(map.get("type")), String.valueOf(map.get("name")), words, actions);
            }
        }
        return actions;
    }

    private static Map<String, Digest> pinned(List<?> access) {
        var pinned = new HashMap<String, Digest>();
        for (Object entry : access) {
            if (entry instanceof Map<?, ?> map && map.get(DIGEST) instanceof String digest) {
                pinned.put(String.valueOf(map.get("name")), Digest.parse(digest));
            }
        }
        return pinned;
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
