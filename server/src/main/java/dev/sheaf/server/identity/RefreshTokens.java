package dev.sheaf.server.identity;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/// Makes and reads the tokens that keep sessions, such as refresh tokens: a prefix, and in URL-safe base64 the
/// session's
/// id, the token's generation, and an HMAC-SHA-256 over both and the session's random seed under a key derived from the
/// master secret. A token of one kind is none of another.
///
/// So every token that a session ever had is told from a forged one without any being stored, and the one that
/// follows another can be answered again. Thread-safe.
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

    /// What a token says, not yet proven.
    record Claim(UUID session, long generation, Secret token) {}

    private RefreshTokens(MasterSecret master, String prefix, String label) {
        this.master = master;
        this.prefix = prefix;
        this.label = label;
    }

    static RefreshTokens ofPrograms(MasterSecret master) {
        return new RefreshTokens(master, PREFIX, LABEL);
    }

    /// Those in the cookies of pages.
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

    /// Empty for what does not have the shape of one.
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
            // falls through: no base64
        }
        return Optional.empty();
    }

    /// Whether the session with this seed ever gave the token out.
    boolean isOurs(Claim claim, String seed) {
        return make(claim.session(), claim.generation(), seed).equals(claim.token());
    }
}
