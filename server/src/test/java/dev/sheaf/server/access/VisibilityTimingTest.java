package dev.sheaf.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Turns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A refusal takes as long for a private bundle as for one that does not exist: who measures learns nothing.
@Timeout(300) // seconds, for some thousand requests, up to four times over
class VisibilityTimingTest extends OnEveryStack {
    private static final int WARM_UP = 40;
    private static final int ROUNDS = 120;
    private static final double NEAR = 1.25;

    private static final String DIGEST = Digest.sha256(new byte[1]).toString();

    /// Requests about `timed/NAME`: where they differ, something to hide can be told from nothing.
    private static final Map<String, String> PATHS = new LinkedHashMap<>(Map.of(
            "resolve", "GET /v1/namespaces/timed/bundles/NAME:resolve",
            "bundle", "GET /v1/namespaces/timed/bundles/NAME",
            "version", "GET /v1/namespaces/timed/bundles/NAME/versions/1.0.0",
            "edit", "PATCH /v1/namespaces/timed/bundles/NAME",
            "hub", "GET /v1/hub/bundles/timed/NAME/badge.svg",
            "manifest", "GET /v2/timed/NAME/manifests/1.0.0",
            "blob", "GET /v2/timed/NAME/blobs/" + DIGEST,
            "upload", "POST /v2/timed/NAME/blobs/uploads/",
            "token", "GET /v2/token?scope=repository:timed/NAME:pull"));

    private long nanos(String request, String name, String key) {
        var parts = request.replace("NAME", name).split(" ");
        String body = List.of("PATCH", "POST").contains(parts[0]) ? "{}" : null;
        long begin = System.nanoTime();
        var reply = app().send(parts[0], parts[1], key, body);
        long taken = System.nanoTime() - begin;
        assertThat(reply.status()).as(request).isIn(200, 401, 404);
        return taken;
    }

    /// How many times as long a request takes about `hidden` as about `missing`, where that is a difference.
    private void compare(String what, String request, String hidden, String missing, String key, List<String> wrong) {
        double nearest = Turns.nearest(
                NEAR,
                () -> Turns.ratio(
                        WARM_UP, ROUNDS, round -> nanos(request, hidden, key), round -> nanos(request, missing, key)));
        if (nearest >= NEAR || 1 / nearest >= NEAR) {
            wrong.add(what + " " + nearest);
        }
    }

    @Test
    void refusalsTakeTheSameTime() {
        assertThat(app().push("timed/secret", "1.0.0", "private", "# Secret").status())
                .isEqualTo(201);
        String other = app().secondOrganization("other");
        var wrong = new ArrayList<String>();

        PATHS.forEach((what, request) -> compare(what, request, "secret", "nobody", other, wrong));

        assertThat(wrong).as("hidden takes this many times as long as missing").isEmpty();
    }

    /// However much is hidden in a namespace.
    @Test
    void aNamespaceFullOfSecretsTakesNoLongerThanAFreeOne() {
        for (int i = 0; i < 300; i++) {
            app().post("/v1/namespaces/filled/bundles", app().admin(), """
                    {"slug": "b%d", "name": "Kit"}""".formatted(i));
        }
        String other = app().secondOrganization("nosy");
        var wrong = new ArrayList<String>();

        for (String path : List.of(
                "/v1/namespaces/NAME/bundles",
                "/v1/hub/publishers/NAME/bundles",
                "/v1/hub/publishers/NAME/feed.atom")) {
            compare(path, "GET " + path, "filled", "absent", other, wrong);
        }

        assertThat(wrong)
                .as("full of what is hidden takes this many times as long as free")
                .isEmpty();
    }
}
