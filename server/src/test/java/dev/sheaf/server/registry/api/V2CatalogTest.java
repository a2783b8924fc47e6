package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.V2Scenario;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The list of repositories: what the access rule would show, and nothing else.
class V2CatalogTest extends V2Scenario {
    private List<String> names(@Nullable String key, String query) {
        var reply = callAs(key, "GET", "/v2/_catalog" + query, null);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json()
                .get("repositories")
                .valueStream()
                .map(name -> name.stringValue())
                .filter(name -> !name.startsWith("pages/") || !query.isEmpty()) // another scenario's
                .toList();
    }

    @Test
    void everybodySeesWhatHeMayRead() {
        app().push("catalog/open", "1.0.0", "public", "# Open");
        app().push("catalog/secret", "1.0.0", "private", "# Secret");
        pushBlob("catalog-2/kit", random(10));
        String stranger = app().secondOrganization("listing" + Math.abs(seed));
        callAs(stranger, "POST", "/v2/listing-" + Math.abs(seed) + "/kit/blobs/uploads/", null);
        String restricted = app().secret("""
                {"name": "narrow%d", "restrictions": {"bundles": ["catalog/s*"]}}""".formatted(seed));
        String token = token(app().admin(), "repository:catalog/secret:pull");

        assertThat(names(app().admin(), "")).containsExactly("catalog/open", "catalog/secret", "catalog-2/kit");
        assertThat(names(token(null, "registry:catalog:*"), "")).containsExactly("catalog/open");
        var nobody = callAs(null, "GET", "/v2/_catalog", null);
        assertRefused(nobody, 401, "UNAUTHORIZED");
        assertThat(nobody.header("WWW-Authenticate")).endsWith(",scope=\"registry:catalog:*\"");
        assertThat(names(stranger, "")).containsExactly("catalog/open", "listing-" + Math.abs(seed) + "/kit");
        assertThat(names(restricted, "")).containsExactly("catalog/open", "catalog/secret");
        for (String narrow : List.of(token, token(app().admin(), ""))) {
            var refused = callAs(narrow, "GET", "/v2/_catalog", null);
            assertRefused(refused, 401, "UNAUTHORIZED");
            assertThat(refused.header("WWW-Authenticate"))
                    .endsWith(",scope=\"registry:catalog:*\",error=\"insufficient_scope\"");
        }
        assertThat(names(token(app().admin(), "registry:catalog:*"), ""))
                .containsExactly("catalog/open", "catalog/secret", "catalog-2/kit");
        assertThat(names(token(restricted, "registry:catalog:*"), ""))
                .containsExactly("catalog/open", "catalog/secret");
        assertRefused(callAs(token, "GET", "/v2/token?scope=registry:catalog:*", null), 401, "UNAUTHORIZED");
        assertThat(callAs(token(app().admin(), "registry:catalog:*"), "GET", "/v2/catalog/secret/tags/list", null)
                        .status())
                .isEqualTo(401);
        assertRefused(callAs("nonsense", "GET", "/v2/_catalog", null), 401, "UNAUTHORIZED");
    }

    private String token(@Nullable String key, String scope) {
        return callAs(key, "GET", "/v2/token?scope=" + scope, null)
                .json()
                .get("token")
                .stringValue();
    }

    @Test
    void theListComesInPages() {
        for (int i = 0; i < 5; i++) {
            pushBlob("pages/kit-" + i, random(1));
        }

        var followed = new ArrayList<String>();
        for (String next = "/v2/_catalog?n=2&last=pages"; !next.isEmpty(); ) {
            var page = call("GET", next, null);
            page.json().get("repositories").forEach(name -> followed.add(name.stringValue()));
            String link = page.header("Link");
            next = link.isEmpty() ? "" : link.substring(1, link.indexOf('>'));
        }

        assertThat(followed).startsWith("pages/kit-0", "pages/kit-1", "pages/kit-2", "pages/kit-3", "pages/kit-4");
        assertThat(names(app().admin(), "?n=0")).isEmpty();
        assertThat(names(app().admin(), "?last=pages/kit-3&n=1")).containsExactly("pages/kit-4");
        assertThat(names(app().admin(), "?last=zzz/zzz")).isEmpty();
        for (String bad : List.of("n=-1", "n=abc", "n=1e3", "last=%00")) {
            assertRefused(call("GET", "/v2/_catalog?" + bad, null), 400, "UNSUPPORTED");
        }
    }
}
