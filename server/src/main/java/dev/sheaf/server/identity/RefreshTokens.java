package dev.sheaf.server.identity;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/// Makes and reads the tokens of sessions, such as refresh tokens: a prefix, then in URL-safe base64 the
/// session's id, the token's generation, and an HMAC-SHA-256 over both and the session's random seed. Its key
/// is derived from the master secret. A token of one kind is not valid as another.
///
/// So no token needs to be stored: a forged token is recognized, and the successor of a token can be computed
/// again. Thread-safe.
public final class RefreshTokens {
    public static final String PREFIX = "shr_";

    private static final int MAC = 32;
    private static final int LENGTH = 16 + 8 + MAC;
    private static final String LABEL = "refresh-token/1";
    private static final String PAGE_PREFIX = "shb_";
    private static final String PAGE_LABEL = "page-session/1";

    private final MasterSecret master;
    private final String prefix;
    private final String label;

    /// The content of a token, not yet verified.
    record Claim(UUID session, long generation, Secret token) {}

    private RefreshTokens(MasterSecret master, String prefix, String label) {
        this.master = master;
        this.prefix = prefix;
        this.label = label;
    }

    static RefreshTokens ofPrograms(MasterSecret master) {
        return new RefreshTokens(master, PREFIX, LABEL);
    }

    /// Makes tokens for the cookies of pages.
    static RefreshTokens ofPages(MasterSecret master) {
        return new RefreshTokens(master, PAGE_PREFIX, PAGE_LABEL);
    }

    Secret make(UUID session, long generation, String seed) {
        String mac = master.hashOf(label, Secret.of(session + "." + generation + "." + seed));
        byte[] bytes = ByteBuffer.allocate(LENGTH)
                .putLong(session.getMostSignificantBits())
                .putLong(session.getLeastSignificantBits())
                .putLong(generation)
                .put(HexFormat.of().parseHex(mac))
                .array();
        return Secret.of(prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /// Reads a token; empty if the text does not have its form.
    Optional<Claim> read(Secret token) {
        String text = token.expose();
        try {
            byte[] bytes = text.startsWith(prefix) && text.length() <= 2 * LENGTH
                    ? Base64.getUrlDecoder()
                            .decode(text.substring(prefix.length()).getBytes(StandardCharsets.ISO_8859_1))
                    : new byte[0];
            if (bytes.length == LENGTH) {
                var buffer = ByteBuffer.wrap(bytes);
                return Optional.of(new Claim(new UUID(buffer.getLong(), buffer.getLong()), buffer.getLong(), token));
            }
        } catch (IllegalArgumentException e) {
            // not base64: empty below
        }
        return Optional.empty();
    }

    /// Returns whether the session with this seed ever issued the token.
    boolean isOurs(Claim claim, String seed) {
        return make(claim.session(), claim.generation(), seed).equals(claim.token());
    }
}
