package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.bundle.UsageRow;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.bundle.ClientKind;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a bundle is used with and by whom, and who is told; and what of an organization's bundles is of no use.
class UsageApiTest extends OnEveryStack {
    private void pull(String repository, String version, @Nullable String key, String agent) {
        var request =
                app().request("GET", bundle(repository) + "/versions/" + version + ":pull", key, null);
        assertThat(app().send(request.header("User-Agent", agent)).status()).isEqualTo(200);
    }

    private void pull(String repository, String version, @Nullable String key) {
        pull(repository, version, key, "tool/1");
    }

    /// Has that many strangers pull a version, each from an address of its own.
    private void strangers(String repository, String version, ClientKind kind, int first, int count)
            throws UnknownHostException {
        record Ids(long repositoryId, long manifestId) {}
        var name = RepositoryName.parse(repository);
        var ids = app().database()
                .read(tx -> tx.find(
                        """
                        SELECT r.id AS repository_id, v.manifest_id FROM repository r JOIN bundle b ON b.repository_id = r.id
                        JOIN version v ON v.bundle_id = b.id
                        WHERE r.namespace = :namespace AND r.name = :name AND v.version = :version
                        """,
                        Ids.class,
                        "namespace",
                        name.namespace().value(),
                        "name",
                        name.bundle().value(),
                        "version",
                        version))
                .orElseThrow();
        var counts = new PullCounts(app().database(), MasterSecret.parse(MasterSecret.generate()));
        var pulled = new Repository(ids.repositoryId(), name, UUID.randomUUID(), Visibility.PUBLIC);
        for (int i = 0; i < count; i++) {
            counts.pulled(
                    Caller.ANONYMOUS, InetAddress.getByName("192.0.2." + (first + i)), kind, pulled, ids.manifestId());
        }
        counts.flush();
    }

    private Reply usage(String repository, String query, @Nullable String key) {
        app().countDownloads();
        return app().get(bundle(repository) + "/usage" + query, key);
    }

    private List<UsageRow> rows(String repository, String query, @Nullable String key) {
        var reply = usage(repository, query, key);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.list(UsageRow.class);
    }

    private static List<String> texts(List<UsageRow> rows) {
        return rows.stream()
                .map(row -> row.version() + " " + row.client() + " " + row.pulls() + "/" + row.own() + "/"
                        + row.outsideBelow())
                .sorted()
                .toList();
    }

    @Test
    void eachWayOfPullingIsAKindOfClient() {
        String text = "---\\nname: kit\\ndescription: Use it for tests.\\n---\\nx";
        for (String repository : List.of("kinds/a", "kinds/b", "kinds/c", "kinds/d", "kinds/e", "kinds/f")) {
            assertThat(app().post(
                                    "/v1/namespaces/kinds/bundles/"
                                            + repository.substring(6) + "/versions/1.0.0:push",
                                    app().admin(),
                                    "{\"visibility\": \"public\", \"assets\": [{\"logicalPath\": \"SKILL.md\","
                                            + " \"contentText\": \"" + text + "\"}]}")
                            .status())
                    .isLessThan(300);
        }
        String key = app().key("kinds", "read");

        pull("kinds/a", "1.0.0", key, "sheaf/9");
        pull("kinds/b", "1.0.0", key, "Mozilla/5.0 (X11)");
        pull("kinds/c", "1.0.0", key, "curl/8");
        assertThat(app().get("/v2/kinds/d/manifests/1.0.0", key).status()).isEqualTo(200);
        var ours = app().request("GET", "/v2/kinds/e/manifests/1.0.0", key, null);
        assertThat(app().send(ours.header("User-Agent", "sheaf/9")).status()).isEqualTo(200);
        assertThat(app().get("/kinds/f/.well-known/agent-skills/kit.zip", key).status())
                .isEqualTo(200);

        var seen = new ArrayList<String>();
        for (String bundle : List.of("a", "b", "c", "d", "e", "f")) {
            rows("kinds/" + bundle, "", app().admin()).forEach(row -> seen.add(row.client()));
        }
        assertThat(seen).containsExactly("sheaf", "browser", "other", "oci", "sheaf", "skills");
    }

    @Test
    void theOrganizationSeesItsOwnPullsAndFewOfOthersOnlyAsFew() throws Exception {
        app().push("few/kit", "1.0.0", "public", "# 1");
        app().push("few/kit", "1.1.0", "public", "# 2");
        pull("few/kit", "1.0.0", app().key("few-one", "read"));
        pull("few/kit", "1.0.0", app().key("few-two", "read"));
        strangers("few/kit", "1.0.0", ClientKind.OTHER, 1, 4);
        strangers("few/kit", "1.0.0", ClientKind.GIT, 10, 6);
        strangers("few/kit", "1.0.0", ClientKind.APM, 30, 3);
        strangers("few/kit", "1.1.0", ClientKind.OCI, 50, 5);

        assertThat(texts(rows("few/kit", "", app().admin())))
                .containsExactly("1.0.0 git 6/0/null", "1.0.0 other null/2/5", "1.1.0 oci 5/0/null");
        for (String key : new String[] {null, app().secondOrganization("few-others")}) {
            assertThat(texts(rows("few/kit", "", key)))
                    .containsExactly("1.0.0 git 6/null/null", "1.1.0 oci 5/null/null");
        }
        assertThat(texts(rows("few/kit", "?version=1.1.0", null))).containsExactly("1.1.0 oci 5/null/null");
        strangers("few/kit", "1.0.0", ClientKind.OTHER, 5, 1);
        assertThat(texts(rows("few/kit", "?version=1.0.0", app().admin())))
                .containsExactly("1.0.0 git 6/0/null", "1.0.0 other 7/2/null");
    }

    @Test
    void theOnlyKindBelowTheLimitCannotBeFoundByTakingAwayTheOthers() throws Exception {
        app().push("rest/kit", "1.0.0", "public", "# 1");
        int first = 1;
        for (var kind : ClientKind.values()) {
            strangers("rest/kit", "1.0.0", kind, first, kind == ClientKind.APM ? 2 : 5);
            first += 10;
        }

        assertThat(rows("rest/kit", "", null)).isEmpty();
        strangers("rest/kit", "1.0.0", ClientKind.APM, 200, 3);
        assertThat(rows("rest/kit", "", null)).hasSize(ClientKind.values().length);
    }

    @Test
    void aClientThatComesInSeveralWaysCountsOnce() {
        app().push("once/kit", "1.0.0", "public", "# 1");
        String key = app().key("once", "read");
        pull("once/kit", "1.0.0", key, "sheaf/9");
        app().countDownloads();
        assertThat(app().get("/v2/once/kit/manifests/1.0.0", key).status()).isEqualTo(200);
        for (int i = 0; i < 5; i++) {
            pull("once/kit", "1.0.0", key, "tool-" + i + "/1");
        }

        assertThat(texts(rows("once/kit", "", app().admin()))).containsExactly("1.0.0 sheaf null/1/5");
    }

    @Test
    void onlyAdminsOfTheOrganizationSeeItsKeys() {
        app().push("keyed/kit", "1.0.0", "public", "# 1");
        String stranger = app().secondOrganization("keyed-others");
        var made = app().newKey("{\"name\": \"the pipeline\", \"scopes\": [\"read\"]}");
        var gone = app().newKey("{\"name\": \"gone\", \"scopes\": [\"read\"]}");
        pull("keyed/kit", "1.0.0", made.key());
        pull("keyed/kit", "1.0.0", gone.key());
        pull("keyed/kit", "1.0.0", stranger);
        pull("keyed/kit", "1.0.0", null);

        var rows = rows("keyed/kit", "?by=credential", app().admin());
        assertThat(rows).extracting(UsageRow::credentialName).containsExactlyInAnyOrder("the pipeline", "gone");
        assertThat(rows).extracting(UsageRow::credential).contains("key:" + made.id());
        assertThat(rows).extracting(UsageRow::pulls).containsOnly(1L);

        usage("keyed/kit", "?by=credential", stranger).assertRefused("403 not-owner");
        usage("keyed/kit", "?by=credential", app().key("keyed-writer", "write"))
                .assertRefused("403 insufficient-scope");
        usage("keyed/kit", "?by=credential", null).assertRefused("401 unauthenticated");
    }
}
