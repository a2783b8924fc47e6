package dev.sheaf.server.console;

import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.input.Form;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// What a form must hold besides its fields, so that a page of another site cannot send it (cross-site request
/// forgery): an HMAC over the session that it was shown to. Thread-safe.
final class FormTokens {
    static final String FIELD = "_token";
    private static final String LABEL = "page-form/1";

    private final MasterSecret master;

    FormTokens(MasterSecret master) {
        this.master = master;
    }

    /// @param visitor a random word in a cookie of a browser in which nobody has signed in
    String of(Call call, String visitor) {
        String subject = call.caller() instanceof Caller.Known known
                ? known.credential().id().toString()
                : "visitor:" + visitor;
        return master.hashOf(LABEL, Secret.of(subject));
    }

    /// @throws dev.sheaf.model.ProblemException forbidden
    void check(Call call, String visitor, Form form) {
        byte[] sent = form.single(FIELD).orElse("").getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(sent, of(call, visitor).getBytes(StandardCharsets.UTF_8))) {
            throw new Problem.Forbidden("the page that this form is on is of another session, or of none; go back, load"
                            + " the page again, and send the form once more")
                    .raise();
        }
    }
}
