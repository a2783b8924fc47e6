package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What others have downloaded is not deleted lightly (contract 3.7).
class DeletionRulesTest extends OnEveryStack {
    private static int count;
    private String bundle = "";

    @BeforeEach
    void pulledByOthers() {
        bundle = "/v1/namespaces/rules/bundles/kit" + ++count;
        assertThat(app().push("rules/kit" + count, "1.0.0", "public", "one").status())
                .isEqualTo(201);
        assertThat(app().get(bundle + "/versions/1.0.0:pull", app().admin()).status())
                .as("the owner's own download counts for nothing")
                .isEqualTo(200);
        assertThat(app().get(bundle + "/versions/1.0.0:pull", null).status()).isEqualTo(200);
    }

    private Reply delete(String rest, String scope) {
        return app().send("DELETE", bundle + rest, app().key(scope + System.nanoTime(), scope), null);
    }

    @Test
    void aVersionThatOthersDownloadedTakesAnAdminKeyAndAReason() {
        assertThat(delete("/versions/1.0.0?reason=because", "write").status()).isEqualTo(409);
        assertThat(delete("/versions/1.0.0", "admin").status()).isEqualTo(422);
        assertThat(app().get(bundle + ":resolve", null).status()).isEqualTo(200);
        assertThat(delete("/versions/1.0.0?reason=because", "admin").status()).isBetween(200, 204);
        assertThat(delete("/versions/1.0.0?reason=because", "admin").status()).isEqualTo(410);
    }

    @Test
    void soDoesABundleWithSuchAVersion() {
        var refused = delete("?reason=because", "write");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("downloaded by others");
        assertThat(delete("?reason=%20", "admin").status()).isEqualTo(422);
        assertThat(delete("?reason=because", "admin").status()).isBetween(200, 204);
        assertThat(app().get(bundle + ":resolve", app().admin()).status()).isEqualTo(404);
        assertThat(app().get("/v1/hub/bundles?namespace=rules", null).text())
                .as("the hub forgets it at once")
                .doesNotContain("\"kit" + count + "\"");
    }
}
