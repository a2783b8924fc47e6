package dev.sheaf.server.webhook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.model.Digest;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.webhook.WebhookKeys;
import dev.sheaf.server.auth.jwk.Ed25519Key;
import dev.sheaf.server.auth.jwk.JwkSet;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs deliveries as in Standard Webhooks 1.0: with the secret that the receiver has (`v1`, HMAC-SHA-256),
/// and with a key whose public half everyone can read (`v1a`, Ed25519). The key is derived from the master
/// secret, so all nodes use the same one. Thread-safe.
public final class WebhookSigner {
    private static final int PUBLIC_BYTES = 32;
    /// How long a signature by the key is reused, with its time. Many webhooks receive the same event, and
    /// receivers allow a difference of minutes.
    private static final Duration FRESH = Duration.ofSeconds(10);

    private final Ed25519Key key;
    private final WebhookKeys published;
    private final Cache<UUID, Signed> signed =
            Caffeine.newBuilder().maximumSize(4_096).build();

    /// A signature by the key.
    ///
    /// @param body the digest of what was signed
    private record Signed(Instant at, Digest body, String signature) {
        boolean isFor(Instant now, Digest other) {
            return !at.isAfter(now) && !at.plus(FRESH).isBefore(now) && body.equals(other);
        }
    }

    /// @param previous earlier master secrets; their keys no longer sign
    public WebhookSigner(MasterSecret master, List<MasterSecret> previous) {
        this.key = key(master);
        this.published = new WebhookKeys(Stream.concat(Stream.of(master), previous.stream())
                .map(secret -> show(key(secret)))
                .toList());
    }

    private static Ed25519Key key(MasterSecret master) {
        return Ed25519Key.fromSeed(
                "webhook-" + master.fingerprint().substring(0, 16), master.derive("webhook-signature/1"));
    }

    private static WebhookKeys.Key show(Ed25519Key pair) {
        var jwk = JwkSet.Key.of(pair);
        byte[] bytes = Base64.getUrlDecoder().decode(jwk.x());
        if (bytes.length != PUBLIC_BYTES) {
            throw new IllegalStateException("an Ed25519 public key must have " + PUBLIC_BYTES + " bytes");
        }
        return new WebhookKeys.Key(
                jwk.kty(),
                jwk.crv(),
                jwk.use(),
                jwk.alg(),
                jwk.kid(),
                jwk.x(),
                "whpk_" + Base64.getEncoder().encodeToString(bytes));
    }

    public WebhookKeys published() {
        return published;
    }

    /// Returns the headers that a receiver verifies.
    ///
    /// @param secrets the secrets that sign: the current one first, then the old one while it is still valid
    public Map<String, String> headers(UUID id, Instant now, byte[] body, List<Secret> secrets) {
        var its = signed(id, now, body);
        byte[] start = start(id, its.at());
        var signatures = new ArrayList<String>();
        secrets.forEach(secret -> signatures.add("v1," + hmac(WebhookSecrets.bytes(secret), start, body)));
        signatures.add(its.signature());
        var headers = new LinkedHashMap<String, String>();
        headers.put("webhook-id", id.toString());
        headers.put("webhook-timestamp", Long.toString(its.at().getEpochSecond()));
        headers.put("webhook-signature", String.join(" ", signatures));
        return headers;
    }

    private Signed signed(UUID id, Instant now, byte[] body) {
        var digest = Digest.sha256(body);
        return signed.asMap().compute(id, (same, before) -> {
            if (before != null && before.isFor(now, digest)) {
                return before;
            }
            byte[] signature = key.sign(joined(start(id, now), body));
            return new Signed(now, digest, "v1a," + Base64.getEncoder().encodeToString(signature));
        });
    }

    private static byte[] start(UUID id, Instant at) {
        return (id + "." + at.getEpochSecond() + ".").getBytes(StandardCharsets.US_ASCII);
    }

    private static String hmac(byte[] secret, byte[] start, byte[] body) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(start);
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java lacks HmacSHA256, which every Java platform must have", e);
        }
    }

    private static byte[] joined(byte[] start, byte[] body) {
        var all = new byte[start.length + body.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(body, 0, all, start.length, body.length);
        return all;
    }
}
