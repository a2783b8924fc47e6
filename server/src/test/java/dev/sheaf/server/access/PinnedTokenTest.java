package dev.sheaf.server.access;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.account.Me;
import dev.sheaf.model.wire.bundle.PulledBundle;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.testing.OnEveryStack;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A token for one manifest, as the workers of queues get it: it pulls that, and opens nothing else.
class PinnedTokenTest extends OnEveryStack {
    private static final RepositoryName NAME = new RepositoryName(new Namespace("pinned"), new BundleName("kit"));
    private static final String KIT = bundle("pinned/kit");

    private JsonNode version(String version) {
        return app().push("pinned/kit", version, "private", "text of " + version)
                .json();
    }

    private String blob(String digest) {
        return app().get("/v2/pinned/kit/manifests/" + digest, app().admin())
                .json()
                .at("/layers/0/digest")
                .stringValue();
    }

    private String token(String digest) {
        var key = app().get("/v1/me", app().admin()).as(Me.class).credentialId().toString();
        return app().token(
                        UUID.fromString(key),
                        new Grant.Limited(Map.of(), Map.of(NAME.toString(), Digest.parse(digest)), Grant.WHOLE, null));
    }

    private int status(String path, String token) {
        return app().get(path, token).status();
    }

    @Test
    void tokenPullsItsManifestOnly() {
        version("1.0.0");
        version("2.0.0");
        String one = digest("1.0.0");
        String other = digest("2.0.0");
        String token = token(one);

        assertThat(status(KIT + ":resolve?digest=" + one, token)).isEqualTo(200);
        assertThat(status("/v2/pinned/kit/manifests/" + one, token)).isEqualTo(200);
        assertThat(status("/v2/pinned/kit/blobs/" + blob(one), token)).isEqualTo(200);
        pullsInOneRequest("1.0.0", token);
        pullsInOneRequest(one, token);

        for (String path : List.of(
                KIT + ":resolve",
                KIT + ":resolve?version=1.0.0",
                KIT + ":resolve?digest=" + other,
                KIT + "/versions/2.0.0:pull",
                KIT + "/versions/" + other + ":pull",
                KIT + "/versions/latest:pull",
                KIT + "/versions/%5E1:pull",
                KIT + "/versions/1:pull",
                KIT + "/versions/9.0.0:pull",
                KIT + "/versions/1.0.0",
                KIT,
                KIT + "/versions",
                "/v2/pinned/kit/manifests/1.0.0",
                "/v2/pinned/kit/manifests/" + other,
                "/v2/pinned/kit/blobs/" + blob(other),
                "/v2/pinned/kit/tags/list",
                "/v1/organizations/default/events",
                "/v1/organizations/default/api-keys")) {
            assertThat(status(path, token)).as(path).isIn(401, 403, 404);
        }
        assertThat(app().post("/v1/namespaces/pinned/bundles/kit/versions/1.0.0:yank", token, "{\"reason\": \"x\"}")
                        .status())
                .isEqualTo(404);
    }

    /// A token for something else does not tell whether another private bundle exists.
    @Test
    void aPrivateBundleLooksLikeAMissingOne() {
        version("1.0.0");
        app().push("pinned/other", "1.0.0", "private", "hidden");
        String token = token(digest("1.0.0"));
        for (String path : List.of("", ":resolve", "/versions", "/versions/1.0.0", "/tags", "/assets")) {
            assertThat(told(bundle("pinned/other") + path, token))
                    .as(path)
                    .isEqualTo(told(bundle("pinned/absent") + path, token));
        }
        for (String path : List.of("tags/list", "manifests/1.0.0", "referrers/" + digest("1.0.0"))) {
            assertThat(told("/v2/pinned/other/" + path, token))
                    .as(path)
                    .isEqualTo(told("/v2/pinned/absent/" + path, token));
        }
    }

    /// The answer without what differs anyway; the missing bundle's name is as long as the other's.
    private String told(String path, String token) {
        var reply = app().get(path, token);
        return reply.status() + " " + reply.text().replace("absent", "other").replaceAll("\"requestId\":\"[^\"]*\"", "")
                + reply.response()
                        .headers()
                        .firstValue("WWW-Authenticate")
                        .orElse("")
                        .replace("absent", "other");
    }

    private void pullsInOneRequest(String version, String token) {
        var pulled = app().get(KIT + "/versions/" + version + ":pull?binary=base64", token);

        assertThat(pulled.status()).as(version).isEqualTo(200);
        assertThat(pulled.as(PulledBundle.class).manifest().getFirst().contentText())
                .isEqualTo("text of 1.0.0");
    }

    private String digest(String version) {
        return requireNonNull(app().get(KIT + ":resolve?version=" + version, app().admin())
                .as(Resolution.class)
                .ociDigest());
    }
}
