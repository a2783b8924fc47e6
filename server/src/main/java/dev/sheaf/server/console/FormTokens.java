package dev.sheaf.server.console;

import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.input.Form;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/// What a form must hold besides its fields, so that a page of another site cannot send it (cross-site request
/// forgery): an HMAC over the session that it was shown to. It looks different on each page, so the length of a packed
/// page tells nothing of it. Thread-safe.
final class FormTokens {
    static final String FIELD = "_token";
    private static final String LABEL = "page-form/1";

    private static final byte[] NOTHING = {};

    private final SecureRandom random = new SecureRandom();
    private final MasterSecret master;

    FormTokens(MasterSecret master) {
        this.master = master;
    }

    /// The token for a page: random bytes, and the HMAC masked with them.
    ///
    /// @param visitor a random word in a cookie of a browser in which nobody has signed in
    String of(Call call, String visitor) {
        byte[] hash = hash(call, visitor);
        byte[] masked = new byte[2 * hash.length];
        random.nextBytes(masked);
        for (int i = 0; i < hash.length; i++) {
            masked[hash.length + i] = (byte) (masked[i] ^ hash[i]);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(masked);
    }

    private byte[] hash(Call call, String visitor) {
        String subject = call.caller() instanceof Caller.Known known
                ? known.credential().id().toString()
                : "visitor:" + visitor;
        return HexFormat.of().parseHex(master.hashOf(LABEL, Secret.of(subject)));
    }

    /// @throws dev.sheaf.model.ProblemException forbidden
    void check(Call call, String visitor, Form form) {
        byte[] sent = unmasked(form.single(FIELD).orElse(""));
        if (!MessageDigest.isEqual(sent, hash(call, visitor))) {
            throw new Problem.Forbidden("the page that this form is on is of another session, or of none; go back, load"
                            + " the page again, and send the form once more")
                    .raise();
        }
    }

    /// Returns the HMAC of a token; bytes that match nothing if it is not one.
    private static byte[] unmasked(String token) {
        byte[] masked;
        try {
            masked = Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException e) {
            return NOTHING;
        }
        if (masked.length % 2 != 0) {
            return NOTHING;
        }
        byte[] hash = new byte[masked.length / 2];
        for (int i = 0; i < hash.length; i++) {
            hash[i] = (byte) (masked[i] ^ masked[hash.length + i]);
        }
        return hash;
    }
}
