package dev.sheaf.server.bundle.review;

import dev.sheaf.model.Digest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What a scanner is asked about a push, as stored.
///
/// @param round that of the push; another round asks again
/// @param passes whether the push passes if it does not answer
/// @param secret sealed
/// @param state see the constants
/// @param tokenHash of the token with which it reads and answers; null until it was asked
/// @param dueAt how long the push waits for it
public record PushScan(
        UUID id,
        UUID reviewId,
        int round,
        UUID scannerId,
        String scanner,
        String url,
        boolean passes,
        String secret,
        String state,
        @Nullable String tokenHash,
        @Nullable Instant tokenUntil,
        Instant dueAt,
        @Nullable Instant endedAt) {
    public static final String WAITING = "waiting";

    /// How long a push waits for a scanner.
    static final Duration PATIENCE = Duration.ofMinutes(10);
    /// How long a token works.
    public static final Duration TOKEN_LIFE = Duration.ofMinutes(15);

    /// What a scanner says, or that it said nothing.
    public enum Verdict {
        ALLOW,
        REVIEW,
        BLOCK,
        UNANSWERED;

        /// Returns the name in JSON and rows.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public boolean isWaiting() {
        return state.equals(WAITING);
    }

    /// Returns what is stored of a token.
    public static String hash(String token) {
        return Digest.sha256(token.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /// Returns whether a token belongs to it and still works.
    public boolean isToken(String token, Instant now) {
        return tokenHash != null
                && tokenUntil != null
                && tokenUntil.isAfter(now)
                && MessageDigest.isEqual(
                        hash(token).getBytes(StandardCharsets.US_ASCII), tokenHash.getBytes(StandardCharsets.US_ASCII));
    }

    /// Hides the secret and the address.
    @Override
    public String toString() {
        return "PushScan[" + id + "]";
    }
}
