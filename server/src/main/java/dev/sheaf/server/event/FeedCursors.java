package dev.sheaf.server.event;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Encrypts feed cursors with AES-256-GCM, so that readers cannot derive from them how many events are hidden from
/// them. A cursor is valid for its own feed only. Thread-safe.
public final class FeedCursors {
    private static final int NONCE = 12;
    private static final int TAG = 16;

    private final MasterSecret master;
    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    public FeedCursors(MasterSecret master) {
        this.master = master;
        this.key = new SecretKeySpec(master.derive("event-cursor/1"), "AES");
    }

    /// Returns the same cursor for the same place, so that the response with the cursor and its ETag stay the
    /// same.
    String seal(EventFeed feed, FeedPosition at) {
        byte[] place = bytes(at);
        return sealed(feed, nonce(feed, place), place);
    }

    /// Returns a different cursor each time, so that nobody sees whether two cursors mean the same place.
    String sealAnew(EventFeed feed, FeedPosition at) {
        var nonce = new byte[NONCE];
        random.nextBytes(nonce);
        return sealed(feed, nonce, bytes(at));
    }

    /// Encodes a place. A place from before the first restore has no epoch, as in the oldest cursors.
    private static byte[] bytes(FeedPosition at) {
        return at.epoch() == 0
                ? ByteBuffer.allocate(Long.BYTES).putLong(at.seq()).array()
                : ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(at.seq())
                        .putLong(at.epoch())
                        .array();
    }

    private String sealed(EventFeed feed, byte[] nonce, byte[] place) {
        byte[] sealed = ciphered(Cipher.ENCRYPT_MODE, feed, nonce, place);
        byte[] all = ByteBuffer.allocate(NONCE + sealed.length)
                .put(nonce)
                .put(sealed)
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    }

    /// @throws ProblemException invalid-cursor if it is malformed or of another feed
    FeedPosition open(EventFeed feed, String cursor) {
        try {
            var all = ByteBuffer.wrap(Base64.getUrlDecoder().decode(cursor));
            int length = all.remaining() - NONCE - TAG;
            if (length == Long.BYTES || length == 2 * Long.BYTES) {
                var nonce = new byte[NONCE];
                all.get(nonce);
                var sealed = new byte[all.remaining()];
                all.get(sealed);
                var place = ByteBuffer.wrap(ciphered(Cipher.DECRYPT_MODE, feed, nonce, sealed));
                long seq = place.getLong();
                return new FeedPosition(place.hasRemaining() ? place.getLong() : 0, seq);
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw new Problem.InvalidCursor().raise();
    }

    /// Returns a nonce that is the same for the same place and differs between places.
    private byte[] nonce(EventFeed feed, byte[] place) {
        byte[] name = feed.name().getBytes(StandardCharsets.US_ASCII);
        byte[] all = ByteBuffer.allocate(name.length + place.length)
                .put(place)
                .put(name)
                .array();
        return Arrays.copyOf(HexFormat.of().parseHex(master.seal("event-cursor-nonce/1", all)), NONCE);
    }

    private byte[] ciphered(int mode, EventFeed feed, byte[] nonce, byte[] bytes) {
        try {
            var cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG * Byte.SIZE, nonce));
            cipher.updateAAD(feed.name().getBytes(StandardCharsets.US_ASCII));
            return cipher.doFinal(bytes);
        } catch (javax.crypto.AEADBadTagException e) {
            throw new IllegalArgumentException("not sealed by this installation, or for another feed", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES/GCM/NoPadding", e);
        }
    }
}
