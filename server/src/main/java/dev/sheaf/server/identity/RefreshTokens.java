package dev.sheaf.server.identity;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/// Makes and reads refresh tokens: `shr_` and in URL-safe base64 the session's id, the token's generation, and an
/// HMAC-SHA-256 over both and the session's random seed under a key derived from the master secret.
///
/// So every token that a session ever had is told from a forged one without any being stored, and the one that
/// follows another can be answered again. Thread-safe.
public final class RefreshTokens {
    public static final String PREFIX = "shr_";

    private static final int MAC = 32;
    private static final int LENGTH = 16 + 8 + MAC;
    private static final String LABEL = "refresh-token/1";

    private final MasterSecret master;

    /// What a token says, not yet proven.
    record Claim(UUID session, long generation, Secret token) {}

    RefreshTokens(MasterSecret master) {
        this.master = master;
    }

    Secret make(UUID session, long generation, String seed) {
        String mac = master.hashOf(LABEL, Secret.of(session + "." + generation + "." + seed));
        byte[] bytes = ByteBuffer.allocate(LENGTH)
                .putLong(session.getMostSignificantBits())
                .putLong(session.getLeastSignificantBits())
                .putLong(generation)
                .put(HexFormat.of().parseHex(mac))
                .array();
        return Secret.of(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /// Empty for what does not have the shape of one.
    static Optional<Claim> read(Secret token) {
        String text = token.expose();
        try {
            byte[] bytes = text.startsWith(PREFIX) && text.length() <= 2 * LENGTH
                    ? Base64.getUrlDecoder()
                            .decode(text.substring(PREFIX.length()).getBytes(StandardCharsets.ISO_8859_1))
                    : new byte[0];
            if (bytes.length == LENGTH) {
                var buffer = ByteBuffer.wrap(bytes);
                return Optional.of(new Claim(new UUID(buffer.getLong(), buffer.getLong()), buffer.getLong(), token));
            }
        } catch (IllegalArgumentException e) {
            // falls through: no base64
        }
        return Optional.empty();
    }

    /// Whether the session with this seed ever gave the token out.
    boolean isOurs(Claim claim, String seed) {
        return make(claim.session(), claim.generation(), seed).equals(claim.token());
    }
}
