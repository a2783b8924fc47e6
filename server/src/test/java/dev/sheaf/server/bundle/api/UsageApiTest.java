package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.bundle.UsageRow;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.model.wire.org.UsageReportEntry;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.bundle.ClientKind;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.mcp.McpScenario;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a bundle is used with and by whom, and who is told; and what of an organization's bundles is of no use.
class UsageApiTest extends OnEveryStack {
    private void pull(String repository, String version, @Nullable String key, String agent) {
        var request = app().request("GET", bundle(repository) + "/versions/" + version + ":pull", key, null);
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
        String text = "---\\nname: %s\\ndescription: Use it for tests.\\n---\\nx";
        var bundles = Stream.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
                .map(letter -> "kind-" + letter)
                .toList();
        bundles.forEach(name -> app().push("kinds/" + name, "1.0.0", "public", text.formatted(name)));
        String key = app().key("kinds", "read");

        pull("kinds/kind-a", "1.0.0", key, "sheaf/9");
        pull("kinds/kind-b", "1.0.0", key, "Mozilla/5.0 (X11)");
        pull("kinds/kind-c", "1.0.0", key, "curl/8");
        got("/v2/kinds/kind-d/manifests/1.0.0", key);
        var ours = app().request("GET", "/v2/kinds/kind-e/manifests/1.0.0", key, null);
        assertThat(app().send(ours.header("User-Agent", "sheaf/9")).status()).isEqualTo(200);
        got("/kinds/kind-f/.well-known/agent-skills/kind-f.zip", key);
        got("/kinds/kind-g/plugin.zip", key);
        got("/apm/v1/packages/kinds/kind-h/versions/1.0.0/download", key);
        got("/api/v1/download?slug=kind-i&ownerHandle=kinds", key);
        new McpScenario(app()).tool(key, "read_file", Map.of("bundle", "kinds/kind-j", "path", "SKILL.md"));

        var seen = new ArrayList<String>();
        bundles.forEach(name -> rows("kinds/" + name, "", app().admin()).forEach(row -> seen.add(row.client())));
        assertThat(seen)
                .containsExactly(
                        "sheaf", "browser", "other", "oci", "sheaf", "skills", "plugins", "apm", "clawhub", "mcp");
    }

    private void got(String path, String key) {
        var reply = app().get(path, key);
        assertThat(reply.status()).as(path + reply.text()).isEqualTo(200);
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
        assertThat(usage("keyed/kit", "?by=credential", app().key("keyed-writer", "write"))
                        .status())
                .isEqualTo(403);
        usage("keyed/kit", "?by=credential", app().secret("""
                        {"name": "keyed-part", "scopes": ["admin"], "restrictions": {"namespaces": ["keyed"]}}""")).assertRefused("403 forbidden");
        app().push("keyed/shut", "1.0.0", "private", "# 1");
        usage("keyed/shut", "?by=credential", stranger).assertRefused("404 bundle-not-found");
        assertThat(usage("keyed/kit", "?by=credential", null).status()).isEqualTo(401);
    }

    @Test
    void peopleAreCountedButNeverListed() {
        app().push("person/kit", "1.0.0", "public", "# 1");
        String ada = app().person("ada@use.example", "default", "reader");
        pull("person/kit", "1.0.0", ada);

        assertThat(texts(rows("person/kit", "", app().admin()))).containsExactly("1.0.0 other null/1/5");
        assertThat(rows("person/kit", "?by=credential", app().admin())).isEmpty();
    }

    @Test
    void whoTakesOverANamespaceSeesNoKeyOfItsOldOwner() {
        app().push("moved/kit", "1.0.0", "public", "# 1");
        pull("moved/kit", "1.0.0", app().key("moved", "read"));
        assertThat(rows("moved/kit", "?by=credential", app().admin())).hasSize(1);
        String other = app().secondOrganization("moved-to");

        var offer = app().post(
                        "/v1/organizations/default/namespaces/moved:transfer",
                        app().admin(),
                        "{\"organization\": \"moved-to\"}")
                .as(Transfer.class);
        assertThat(app().post("/v1/organizations/moved-to/transfers/" + offer.id() + ":accept", other, "{}")
                        .status())
                .isEqualTo(200);

        assertThat(rows("moved/kit", "?by=credential", other)).isEmpty();
        usage("moved/kit", "?by=credential", app().admin()).assertRefused("403 not-owner");
        pull("moved/kit", "1.0.0", other);
        assertThat(report(other, "old-versions")).isEmpty();
    }

    @Test
    void daysAreAskedForWithinLimitsAndInPages() {
        app().push("paged/kit", "1.0.0", "public", "# 1");
        for (int i = 0; i < 3; i++) {
            pull("paged/kit", "1.0.0", app().admin());
            app().countDownloads();
            pass(Duration.ofDays(1));
        }

        var first = usage("paged/kit", "?limit=2", app().admin());
        assertThat(first.list(UsageRow.class)).hasSize(2);
        String cursor = first.json().at("/meta/nextCursor").stringValue();
        var second = rows("paged/kit", "?limit=2&cursor=" + cursor, app().admin());
        assertThat(second).hasSize(1);
        var oldest = second.getFirst().day();
        assertThat(rows("paged/kit", "?from=" + oldest + "&to=" + oldest, app().admin()))
                .containsExactly(second.getFirst());

        for (String wrong : List.of("?from=soon", "?from=2026-13-01", "?to=20260101", "?by=key", "?version=latest")) {
            usage("paged/kit", wrong, app().admin()).assertRefused("422 validation-failed");
        }
        usage("paged/kit", "?from=2026-05-01&to=2026-04-30", null).assertRefused("422 validation-failed");
        assertThat(usage("paged/kit", "?from=2026-01-01&to=2026-04-03", null)
                        .problem()
                        .detail())
                .contains("must be 2026-01-02 or later");
        assertThat(usage("paged/kit", "?from=2026-01-02&to=2026-04-03", null).status())
                .isEqualTo(200);
        usage("paged/kit", "?version=9.9.9", null).assertRefused("404 version-not-found");
    }

    @Test
    void aDeletedVersionTakesItsUseAlong() {
        app().push("gone/kit", "1.0.0", "public", "# 1");
        app().push("gone/kit", "1.1.0", "public", "# 2");
        pull("gone/kit", "1.0.0", app().admin());
        assertThat(rows("gone/kit", "?by=credential", app().admin())).hasSize(1);

        var deleted =
                app().send("DELETE", bundle("gone/kit") + "/versions/1.0.0", app().admin(), "{\"reason\": \"old\"}");
        assertThat(deleted.status()).as(deleted.text()).isLessThan(300);

        assertThat(rows("gone/kit", "", app().admin())).isEmpty();
        assertThat(rows("gone/kit", "?by=credential", app().admin())).isEmpty();
    }

    private List<UsageReportEntry> report(String key, String list) {
        app().countDownloads();
        String organization =
                app().get("/v1/organizations", key).json().at("/data/0/handle").stringValue();
        var reply = app().get("/v1/organizations/" + organization + "/usage-report?limit=100&list=" + list, key);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.list(UsageReportEntry.class);
    }

    private static List<String> names(List<UsageReportEntry> entries) {
        return entries.stream()
                .filter(entry -> entry.namespace().equals("report"))
                .map(entry -> entry.bundle() + " " + entry.version() + " " + entry.reasons())
                .toList();
    }

    @Test
    void theReportListsWhatNobodyUsesAndWhichOldVersionsSomebodyDoes() {
        app().push("report/unused", "1.0.0", "public", "# 1");
        app().push("report/used", "1.0.0", "public", "# 2");
        app().push("report/used", "1.1.0", "public", "# 3");
        app().push("report/used", "1.2.0", "public", "# 4");
        assertThat(names(report(app().admin(), "unused-bundles"))).isEmpty();
        pull("report/unused", "1.0.0", null);
        app().countDownloads();
        pass(Duration.ofDays(91));
        var key = app().newKey("{\"name\": \"old pipeline\", \"scopes\": [\"read\"]}");
        pull("report/used", "1.0.0", key.key());
        pull("report/used", "1.0.0", null);
        pull("report/used", "1.2.0", null);
        app().push("report/fresh", "1.0.0", "public", "# 5");

        assertThat(names(report(app().admin(), "unused-bundles"))).containsExactly("unused null []");
        assertThat(report(app().admin(), "unused-bundles"))
                .filteredOn(entry -> entry.bundle().equals("unused"))
                .allSatisfy(entry -> assertThat(entry.lastPulledOn()).isNotNull());
        assertThat(names(report(app().admin(), "unused-versions")))
                .containsExactly("unused 1.0.0 []", "used 1.1.0 [outdated]");
        var old = report(app().admin(), "old-versions").stream()
                .filter(entry -> entry.namespace().equals("report"))
                .toList();
        assertThat(names(old)).containsExactly("used 1.0.0 [outdated]");
        assertThat(old.getFirst().latest()).isEqualTo("1.2.0");
        assertThat(old.getFirst().pulls()).isEqualTo(2);
        assertThat(old.getFirst().own()).isEqualTo(1);
        assertThat(old.getFirst().credentials())
                .extracting(UsageReportEntry.Credential::name)
                .containsExactly("old pipeline");

        app().database().write(tx -> tx.change("DELETE FROM api_key WHERE id = :id", "id", key.id()));
        assertThat(report(app().admin(), "old-versions"))
                .filteredOn(entry -> entry.namespace().equals("report"))
                .flatExtracting(UsageReportEntry::credentials)
                .allSatisfy(one -> {
                    assertThat(one.name()).isNull();
                    assertThat(one.credential()).isEqualTo("key:" + key.id());
                });

        assertThat(app().post(bundle("report/used") + "/versions/1.2.0:yank", app().admin(), "{\"reason\": \"bad\"}")
                        .status())
                .isLessThan(300);
        assertThat(names(report(app().admin(), "old-versions")))
                .containsExactly("used 1.0.0 [outdated]", "used 1.2.0 [yanked]");
        assertThat(app().get("/v1/organizations/default/usage-report", app().key("report-writer", "write"))
                        .status())
                .isEqualTo(403);
        app().get("/v1/organizations/default/usage-report?list=all", app().admin())
                .assertRefused("422 validation-failed");
    }
}
