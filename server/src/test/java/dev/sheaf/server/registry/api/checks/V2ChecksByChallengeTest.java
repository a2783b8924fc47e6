package dev.sheaf.server.registry.api.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Reply;
import org.jspecify.annotations.Nullable;

/// The same checks by a client that keeps no token: each request begins without one, and is sent again with one for
/// just what the challenge asks for.
class V2ChecksByChallengeTest extends V2ChecksTest {
    private final V2TokenClient client = new V2TokenClient(this);

    @Override
    public Reply exchange(String method, String path, byte @Nullable [] body, String... headers) {
        client.forget();
        var reply = client.exchange(method, path, body, headers);
        assertThat(client.lastRefusals())
                .as("a token for what was asked for is enough")
                .isEqualTo(1);
        return reply;
    }

    @Override
    public String credential() {
        return client.token("repository:checks/sha256:pull,push repository:checks/sha512:pull,push");
    }
}
