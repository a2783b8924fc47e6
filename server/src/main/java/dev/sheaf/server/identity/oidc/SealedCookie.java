package dev.sheaf.server.identity.oidc;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Lines of text with a keyed hash, which a browser keeps for this server until they expire. The browser can
/// read them but not change them. Thread-safe.
final class SealedCookie {
    private final MasterSecret master;
    private final String label;

    /// @param label the purpose; data sealed for one purpose cannot be opened for another
    SealedCookie(MasterSecret master, String label) {
        this.master = master;
        this.label = label;
    }

    /// Returns the value of a cookie that can be opened until `end`.
    ///
    /// @param lines strings without line breaks
    String seal(Instant end, String... lines) {
        String text = Long.toString(end.toEpochMilli()) + "\n" + String.join("\n", lines);
        String body = Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        return body + "." + hash(body);
    }

    private String hash(String body) {
        return master.hashOf(label, Secret.of(body));
    }

    /// Returns the lines; empty if they were not sealed for this purpose by this installation, or have expired.
    Optional<List<String>> open(String cookie, Instant now) {
        int dot = cookie.indexOf('.');
        String body = cookie.substring(0, Math.max(dot, 0));
        if (dot <= 0 || !Secret.of(hash(body)).equals(Secret.of(cookie.substring(dot + 1)))) {
            return Optional.empty();
        }
        var lines = new String(Base64.getUrlDecoder().decode(body), StandardCharsets.UTF_8).split("\n", -1);
        return now.isBefore(Instant.ofEpochMilli(Long.parseLong(lines[0])))
                ? Optional.of(List.copyOf(Arrays.asList(lines).subList(1, lines.length)))
                : Optional.empty();
    }
}
