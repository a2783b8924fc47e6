package dev.sheaf.server.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.auth.secret.MasterSecret;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Signatures by the key of all nodes, which webhooks share for some seconds.
class WebhookSignerTest {
    private static final byte[] HEAD_OF_ED25519_KEYS = HexFormat.of().parseHex("302a300506032b6570032100");
    private static final Instant NOW = Instant.parse("2026-01-15T08:00:00Z");
    private static final UUID EVENT = UUID.fromString("019bc0de-0000-7000-8000-000000000001");
    private static final byte[] BODY = "{}".getBytes(UTF_8);

    private final WebhookSigner signer = new WebhookSigner(MasterSecret.parse(MasterSecret.generate()), List.of());

    @Test
    void anotherWebhookHasTheSameSignatureForTenSecondsAndThenAnother() throws GeneralSecurityException {
        var first = headers(NOW, BODY);
        var second = headers(NOW.plusSeconds(10), BODY);
        var third = headers(NOW.plusSeconds(11), BODY);

        assertThat(second).isEqualTo(first);
        assertThat(third).containsEntry("webhook-timestamp", Long.toString(NOW.getEpochSecond() + 11));
        assertThat(isGood(first, BODY)).isTrue();
        assertThat(isGood(third, BODY)).isTrue();
        assertThat(third.get("webhook-signature")).isNotEqualTo(first.get("webhook-signature"));
    }

    @Test
    void anotherBodyHasASignatureOfItsOwn() throws GeneralSecurityException {
        byte[] other = "{\"a\":1}".getBytes(UTF_8);
        headers(NOW, BODY);

        assertThat(isGood(headers(NOW.plusSeconds(1), other), other)).isTrue();
    }

    @Test
    void aClockThatGoesBackSignsAnew() {
        headers(NOW, BODY);

        assertThat(headers(NOW.minusSeconds(1), BODY))
                .containsEntry("webhook-timestamp", Long.toString(NOW.getEpochSecond() - 1));
    }

    private Map<String, String> headers(Instant now, byte[] body) {
        return signer.headers(EVENT, now, body, List.of());
    }

    private boolean isGood(Map<String, String> headers, byte[] body) throws GeneralSecurityException {
        var verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(key());
        verifier.update((headers.get("webhook-id") + "." + headers.get("webhook-timestamp") + ".").getBytes(UTF_8));
        verifier.update(body);
        return verifier.verify(Base64.getDecoder()
                .decode(headers.getOrDefault("webhook-signature", "").substring("v1a,".length())));
    }

    private PublicKey key() throws GeneralSecurityException {
        byte[] raw = Base64.getUrlDecoder()
                .decode(signer.published().keys().getFirst().x());
        byte[] encoded = new byte[HEAD_OF_ED25519_KEYS.length + raw.length];
        System.arraycopy(HEAD_OF_ED25519_KEYS, 0, encoded, 0, HEAD_OF_ED25519_KEYS.length);
        System.arraycopy(raw, 0, encoded, HEAD_OF_ED25519_KEYS.length, raw.length);
        return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    }
}
