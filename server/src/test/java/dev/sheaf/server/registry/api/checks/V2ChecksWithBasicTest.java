package dev.sheaf.server.registry.api.checks;

import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The same checks by a client that sends the key as a password with each request.
class V2ChecksWithBasicTest extends V2ChecksTest {
    @Override
    public Reply exchange(String method, String path, byte @Nullable [] body, String... headers) {
        var pair = ("any:" + app().admin()).getBytes(StandardCharsets.UTF_8);
        return callWith("Basic " + Base64.getEncoder().encodeToString(pair), method, path, body, headers);
    }
}
