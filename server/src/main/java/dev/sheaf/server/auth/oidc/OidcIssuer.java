package dev.sheaf.server.auth.oidc;

import com.nimbusds.jose.jwk.source.CachingJWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.sheaf.engine.net.RemoteDocuments;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An OpenID provider and its keys. Its metadata (OpenID Connect Discovery 1.0) is fetched once an hour. The keys
/// are kept for five minutes and fetched again for an unknown key, at most every 30 seconds. Thread-safe.
final class OidcIssuer {
    private static final Duration KEPT = Duration.ofHours(1);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final long KEYS_KEPT_MILLIS = 300_000;
    private static final long KEYS_WAIT_MILLIS = 10_000;
    private static final long KEYS_PAUSE_MILLIS = 30_000;

    private final String address;
    private final RemoteDocuments documents;
    private @Nullable JWKSource<SecurityContext> keys;
    private Map<String, Object> document = Map.of();
    private Instant foundAt = Instant.MIN;
    private Instant failedAt = Instant.MIN;
    private volatile long keysReadAt = -KEYS_KEPT_MILLIS;

    OidcIssuer(String address, RemoteDocuments documents) {
        this.address = address;
        this.documents = documents;
    }

    /// @throws IOException if the provider cannot be reached, or could not be within the last ten seconds
    synchronized JWKSource<SecurityContext> keys(Instant now) throws IOException {
        var known = keys;
        if (known != null && now.isBefore(foundAt.plus(KEPT))) {
            return known;
        }
        if (!failedAt.equals(Instant.MIN) && now.isBefore(failedAt.plus(PAUSE))) {
            throw new IOException(address + " did not answer a moment ago");
        }
        try {
            var found = find();
            keys = found;
            foundAt = now;
            return found;
        } catch (IOException | ParseException | IllegalArgumentException e) {
            failedAt = now;
            if (known != null) {
                return known; // the address of the keys rarely changes: an old address is better than a failure
            }
            throw new IOException(address + " did not return its keys", e);
        }
    }

    /// Returns whether the keys were read a short while ago. If not, a key that is not found may still be one of them.
    boolean knowsKeys() {
        return System.currentTimeMillis() - keysReadAt < KEYS_KEPT_MILLIS;
    }

    /// Returns another endpoint from the provider's metadata.
    ///
    /// @throws IOException those of [#keys]; or if the metadata lacks the endpoint or its scheme is not the
    /// issuer's
    URI endpoint(String name, Instant now) throws IOException {
        Object told;
        synchronized (this) {
            keys(now);
            told = document.get(name);
        }
        if (!(told instanceof String text)
                || !text.startsWith(URI.create(address).getScheme() + ":")) {
            throw new IOException(address + " has no " + name);
        }
        return URI.create(text);
    }

    private static Map<String, Object> withoutNulls(Map<String, Object> document) {
        var copy = new HashMap<>(document);
        copy.values().removeIf(Objects::isNull);
        return copy;
    }

    private JWKSource<SecurityContext> find() throws IOException, ParseException {
        String base = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
        var document = JSONObjectUtils.parse(documents.read(URI.create(base + "/.well-known/openid-configuration")));
        if (!address.equals(JSONObjectUtils.getString(document, "issuer"))) {
            throw new IOException(address + " calls itself " + JSONObjectUtils.getString(document, "issuer"));
        }
        this.document = Map.copyOf(withoutNulls(document));
        String keysAt = JSONObjectUtils.getString(document, "jwks_uri");
        if (keysAt == null) {
            throw new IOException(address + " has no jwks_uri");
        }
        var place = URI.create(keysAt);
        if (!URI.create(address).getScheme().equals(place.getScheme())) {
            throw new IOException(address + " has its keys at " + place);
        }
        return JWKSourceBuilder.<SecurityContext>create(place.toURL(), documents)
                .cache(KEYS_KEPT_MILLIS, KEYS_WAIT_MILLIS, event -> {
                    if (event instanceof CachingJWKSetSource.RefreshCompletedEvent) {
                        keysReadAt = System.currentTimeMillis(); // the clock by which the library keeps them
                    }
                })
                .refreshAheadCache(false)
                .rateLimited(KEYS_PAUSE_MILLIS)
                .build();
    }
}
