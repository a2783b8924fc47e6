package dev.sheaf.server.v2;

import dev.sheaf.server.auth.SigningKeys;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;

/// The public keys of access tokens, for whoever wants to check one without asking this service.
final class JwksApi {
    private final SigningKeys keys;

    JwksApi(SigningKeys keys) {
        this.keys = keys;
    }

    /// May be kept for five minutes; a new key is listed for ten before it signs.
    Answer get(Call call) {
        return Answer.ok(keys.published()).with("Cache-Control", "public, max-age=300");
    }
}
