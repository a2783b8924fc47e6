package dev.sheaf.server.console;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.http.message.Call;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/// Makes and checks the tokens of forms, so that a page of another site cannot send a form (cross-site request
/// forgery). A token is an HMAC over the session. It looks different on each page, so the length of a
/// compressed page reveals nothing about it. Thread-safe.
final class FormTokens {
    static final String FIELD = "_token";
    private static final String LABEL = "page-form/1";

    private static final byte[] NOTHING = {};

    private final SecureRandom random = new SecureRandom();
    private final MasterSecret master;

    FormTokens(MasterSecret master) {
        this.master = master;
    }

    /// Returns the token for a page: random bytes, and the HMAC masked with them.
    ///
    /// @param visitor a random word in the cookie of a browser that is not signed in
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
    void check(Call call, String visitor, FormFields form) {
        byte[] sent = unmasked(form.single(FIELD).orElse(""));
        if (!MessageDigest.isEqual(sent, hash(call, visitor))) {
            throw new Problem.Forbidden("this form belongs to another session; go back, load the page again, and"
                            + " send the form again")
                    .raise();
        }
    }

    /// Returns the HMAC of a token; bytes that match no HMAC if the text is not a token.
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
