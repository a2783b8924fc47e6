package dev.sheaf.server.maintenance.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.admin.AuditRecord;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// The audit log over HTTP.
class AuditApiTest extends OnEveryStack {
    private static final String LOG = "/v1/organizations/default/audit-log";

    private List<AuditRecord> entries(String query) {
        var reply = app().get(LOG + "?" + query, app().admin());
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.list(AuditRecord.class);
    }

    @Test
    void tellsWhoDidWhatWhenAndFromWhere() {
        String key = app().key("release", "write");
        var reply = app().send(app().request("POST", "/v1/namespaces/audited/bundles/kit:push", key, """
                {"name": "Kit", "visibility": "private", "version": "1.0.0",
                 "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "# Kit"}]}""")
                .header("X-Request-Id", "audited-1"));
        assertThat(reply.status()).isEqualTo(201);

        var entry = entries("subject=audited/kit:1.0.0&action=version.publish").getFirst();

        assertThat(entry.outcome()).isEqualTo("success");
        assertThat(entry.actor().type()).isEqualTo("key");
        assertThat(entry.actor().name()).startsWith("release (shf_…").endsWith(key.substring(key.length() - 4) + ")");
        assertThat(entry.address()).isEqualTo("127.0.0.1");
        assertThat(entry.requestId()).isEqualTo("audited-1");
        assertThat(entries("requestId=audited-1"))
                .extracting(AuditRecord::action)
                .contains("namespace.claim", "bundle.create", "version.publish");
    }

    @Test
    void tellsOfRefusalsAndCountsThoseThatAreAlike() {
        String reader = app().key("curious", "read");
        for (int i = 0; i < 3; i++) {
            assertThat(app().get(LOG, reader).status()).isEqualTo(403);
        }
        app().writeRefusals();

        var found = entries("outcome=denied&subject=GET%20" + LOG);
        long times = 0;
        for (var one : found) {
            boolean hers = one.actor().name().startsWith("curious (");
            times += hers ? one.count() : 0;
        }

        assertThat(times).as("the timer may have come in between").isEqualTo(3);
        assertThat(found).extracting(AuditRecord::action).containsOnly("call.refused");
        assertThat(found).extracting(AuditRecord::detail).containsOnly("API key requires 'admin' scope");
    }

    @Test
    void tellsOfAKeyThatIsUsedAfterItsEnd() {
        var created = app().newKey("""
                {"name": "brief", "scopes": ["write"], "expiresIn": "PT1M"}""");
        pass(Duration.ofMinutes(2));
        String key = created.key();
        assertThat(app().post("/v1/namespaces/late/bundles/kit:push", key, "{}").status())
                .isEqualTo(401);
        app().writeRefusals();

        var entry = entries("actor=key:" + created.id()).getFirst();

        assertThat(entry.outcome()).isEqualTo("denied");
        assertThat(entry.detail()).contains("expired");
        assertThat(entry.subject()).isEqualTo("POST /v1/namespaces/late/bundles/kit:push");
    }

    @Test
    void publicRequestsAreNotLoggedAsDenied() {
        String reader = app().key("reads", "read");
        assertThat(app().get("/v1/namespaces/no/bundles/thing:resolve", reader).status())
                .isEqualTo(404);
        app().writeRefusals();

        assertThat(entries("outcome=denied&subject=GET%20/v1/namespaces/no/*")).isEmpty();
    }

    @Test
    void isForAdminsOfTheOrganizationAlone() {
        String writer = app().key("writes", "write");
        String stranger = app().secondOrganization("stranger");

        assertThat(app().get(LOG, null).status()).isEqualTo(401);
        assertThat(app().get(LOG, writer).status()).isEqualTo(403);
        assertThat(app().get(LOG, stranger).status()).isEqualTo(404);
        assertThat(app().get("/v1/admin/audit-log", stranger).status()).isEqualTo(403);
        var own = app().get("/v1/organizations/stranger/audit-log", stranger);
        assertThat(own.list(AuditRecord.class)).extracting(AuditRecord::subject).contains("stranger");
        assertThat(own.text()).doesNotContain("default/");
    }

    @Test
    void theInstallationsLogHoldsThatOfEveryOrganization() {
        app().secondOrganization("another");

        var reply = app().get("/v1/admin/audit-log?action=organization.create&subject=another", app().admin())
                .list(AuditRecord.class);

        assertThat(reply).hasSize(1);
    }

    @Test
    void goesPageByPageAndByTime() {
        for (int i = 0; i < 5; i++) {
            app().key("paged-" + i, "read");
        }
        var first = app().get(LOG + "?action=api_key.*&limit=2", app().admin());
        String cursor = first.nextCursor();
        var next = app().get(LOG + "?action=api_key.*&limit=2&cursor=" + cursor, app().admin())
                .list(AuditRecord.class);

        assertThat(next).hasSize(2);
        assertThat(next).doesNotContainAnyElementsOf(first.list(AuditRecord.class));
        var at = first.list(AuditRecord.class).getFirst().at();
        pass(Duration.ofMinutes(1));
        app().key("paged-later", "read");
        assertThat(entries("action=api_key.create&until=" + at))
                .allMatch(entry -> entry.at().isBefore(at));
        assertThat(app().get(LOG + "?action=api_key.*&cursor=" + cursor + "&outcome=denied", app().admin())
                        .status())
                .as("a cursor of other filters")
                .isEqualTo(400);
    }

    @Test
    void rejectsMalformedFilters() {
        for (String wrong : List.of(
                "outcome=maybe",
                "since=yesterday",
                "until=1",
                "until=-999999999-01-01T00:00:00Z",
                "since=%2B999999999-12-31T00:00:00Z",
                "actor=")) {
            Reply reply = app().get(LOG + "?" + wrong, app().admin());
            assertThat(reply.status()).as(wrong).isEqualTo(422);
            assertThat(reply.problem().errors().getFirst().field()).isEqualTo(wrong.substring(0, wrong.indexOf('=')));
        }
    }

    @Test
    void isExportedAsLinesFromTheFirstOn() {
        app().key("exported", "read");
        var reply = app().send(app().request("GET", LOG, app().admin(), null).header("Accept", "application/jsonl"));

        assertThat(reply.header("Content-Type")).isEqualTo("application/jsonl");
        var lines = reply.text().lines().map(JsonMapper.shared()::readTree).toList();
        assertThat(lines).anyMatch(line -> line.get("action").stringValue().equals("organization.create"));
        assertThat(lines)
                .hasSizeGreaterThan(2)
                .isSortedAccordingTo((a, b) ->
                        a.get("id").stringValue().compareTo(b.get("id").stringValue()));
    }

    @Test
    void aTaskProvesThatNothingWasTakenOut() {
        String whole = run();
        assertThat(whole).contains("\"state\":\"succeeded\"").contains("the chain's end");

        app().database()
                .write(tx -> tx.handle()
                        .execute("UPDATE setting SET value = '9999:" + "0".repeat(64)
                                + ":x' WHERE name = 'audit-head'"));
        assertThat(run()).contains("\"state\":\"failed\"").contains("tampered");
    }

    private String run() {
        var id = app().post("/v1/admin/tasks", app().admin(), "{\"task\": \"audit-verify\"}")
                .as(TaskRecord.class)
                .id();
        return app().ended(id.toString()).text();
    }
}
