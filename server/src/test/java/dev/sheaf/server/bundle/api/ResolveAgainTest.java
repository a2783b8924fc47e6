package dev.sheaf.server.bundle.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A resolution that is asked for again is answered from memory: by the same bytes while nothing changed, and by what
/// is now so after any change.
class ResolveAgainTest extends OnEveryStack {
    private static final String PATH = "/v1/namespaces/again/bundles/";

    private Reply resolve(String bundle, String query) {
        return app().get(PATH + bundle + ":resolve" + query, null);
    }

    private void act(String method, String rest, String body) {
        assertThat(app().send(method, PATH + rest, app().admin(), body).status())
                .isIn(200, 201, 204);
    }

    @Test
    void answersSameBytesWhileNothingChanged() {
        app().push("again/same", "1.0.0", "public", "x");
        var first = resolve("same", "");
        var second = resolve("same", "");
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.header("ETag")).isEqualTo(first.header("ETag")).isNotEmpty();
    }

    @Test
    void answerRepeatsTheSelector() {
        app().push("again/asked", "1.0.0", "public", "x");
        for (int i = 0; i < 2; i++) {
            for (String asked : Stream.of("1.0.0", "1.x", "latest", "1").toList()) {
                assertThat(resolve("asked", "?version=" + asked)
                                .json()
                                .get("requested")
                                .stringValue())
                        .isEqualTo(asked);
            }
        }
    }

    @Test
    void everyChangeShowsAtOnce() {
        app().push("again/changed", "1.0.0", "public", "x");
        var before = resolve("changed", "");

        act("POST", "changed/versions/1.0.0:deprecate", "{\"message\": \"old\"}");
        var deprecated = resolve("changed", "");
        act("PUT", "changed/tags/stable", "{\"version\": \"1.0.0\"}");
        var tagged = resolve("changed", "");
        act("POST", "changed/versions/1.0.0:yank", "{\"reason\": \"broken\", \"reasonCode\": \"security\"}");
        var yanked = resolve("changed", "?version=1.0.0");
        app().push("again/changed", "1.1.0", "public", "y");
        var newer = resolve("changed", "");

        assertThat(before.as(Resolution.class).deprecation()).isNull();
        assertThat(requireNonNull(deprecated.as(Resolution.class).deprecation()).message())
                .isEqualTo("old");
        assertThat(tagged.json().get("tags").toString()).contains("stable");
        assertThat(yanked.json().get("yank").isObject()).isTrue();
        assertThat(newer.as(Resolution.class).version()).isEqualTo("1.1.0");
        assertThat(Stream.of(before, deprecated, tagged, yanked, newer)
                        .map(reply -> reply.header("ETag"))
                        .distinct())
                .hasSize(5);
    }
}
