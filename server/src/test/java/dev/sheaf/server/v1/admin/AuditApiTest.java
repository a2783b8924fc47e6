package dev.sheaf.server.v1.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The audit log over HTTP.
class AuditApiTest extends OnEveryStack {
    private static final String LOG = "/v1/organizations/default/audit-log";

    private JsonNode entries(String query) {
        var reply = app().get(LOG + "?" + query, app().admin());
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json().get("data");
    }

    private static List<String> texts(JsonNode entries, String member) {
        var texts = new ArrayList<String>();
        entries.forEach(entry -> texts.add(entry.get(member).stringValue()));
        return texts;
    }

    @Test
    void tellsWhoDidWhatWhenAndFromWhere() {
        String key = app().key("release", "write");
        var reply = app().send(app().request("POST", "/v1/namespaces/audited/bundles/kit:push", key, """
                {"name": "Kit", "visibility": "private", "version": "1.0.0",
                 "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "# Kit"}]}""")
                .header("X-Request-Id", "audited-1"));
        assertThat(reply.status()).isEqualTo(201);

        var entry = entries("subject=audited/kit:1.0.0&action=version.publish").get(0);

        assertThat(entry.get("outcome").stringValue()).isEqualTo("success");
        assertThat(entry.get("actor").get("type").stringValue()).isEqualTo("key");
        assertThat(entry.get("actor").get("name").stringValue())
                .startsWith("release (shf_…")
                .endsWith(key.substring(key.length() - 4) + ")");
        assertThat(entry.get("address").stringValue()).isEqualTo("127.0.0.1");
        assertThat(entry.get("requestId").stringValue()).isEqualTo("audited-1");
        assertThat(entry.get("at").stringValue()).endsWith("Z");
        assertThat(texts(entries("requestId=audited-1"), "action"))
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
            boolean hers = one.get("actor").get("name").stringValue().startsWith("curious (");
            times += hers ? one.get("count").longValue() : 0;
        }

        assertThat(times).as("the timer may have come in between").isEqualTo(3);
        assertThat(texts(found, "action")).containsOnly("call.refused");
        assertThat(texts(found, "detail")).containsOnly("API key requires 'admin' scope");
    }

    @Test
    void tellsOfAKeyThatIsUsedAfterItsEnd() {
        var created = app().post("/v1/organizations/default/api-keys", app().admin(), """
                {"name": "brief", "scopes": ["write"], "expiresIn": "PT1M"}""")
                .json();
        pass(Duration.ofMinutes(2));
        var key = created.get("key").stringValue();
        assertThat(app().post("/v1/namespaces/late/bundles/kit:push", key, "{}").status())
                .isEqualTo(401);
        app().writeRefusals();

        var entry = entries("actor=key:" + created.get("id").stringValue()).get(0);

        assertThat(entry.get("outcome").stringValue()).isEqualTo("denied");
        assertThat(entry.get("detail").stringValue()).contains("expired");
        assertThat(entry.get("subject").stringValue()).isEqualTo("POST /v1/namespaces/late/bundles/kit:push");
    }

    @Test
    void whatAnyoneMayAskForIsNoPrivilege() {
        String reader = app().key("reads", "read");
        assertThat(app().get("/v1/namespaces/no/bundles/thing:resolve", reader).status())
                .isEqualTo(404);
        app().writeRefusals();

        assertThat(texts(entries("outcome=denied&subject=GET%20/v1/namespaces/no/*"), "subject"))
                .isEmpty();
    }

    @Test
    void isForAdminsOfTheOrganizationAlone() {
        String writer = app().key("writes", "write");
        String stranger = app().secondOrganization("stranger");

        assertThat(app().get(LOG, null).status()).isEqualTo(401);
        assertThat(app().get(LOG, writer).status()).isEqualTo(403);
        assertThat(app().get(LOG, stranger).status()).isEqualTo(404);
        assertThat(app().get("/v1/admin/audit-log", stranger).status()).isEqualTo(403);
        var own = app().get("/v1/organizations/stranger/audit-log", stranger)
                .json()
                .get("data");
        assertThat(texts(own, "subject")).contains("stranger");
        assertThat(own.toString()).doesNotContain("default/");
    }

    @Test
    void theInstallationsLogHoldsThatOfEveryOrganization() {
        app().secondOrganization("another");

        var reply = app().get("/v1/admin/audit-log?action=organization.create&subject=another", app().admin());

        assertThat(reply.json().get("data")).hasSize(1);
    }

    @Test
    void goesPageByPageAndByTime() {
        for (int i = 0; i < 5; i++) {
            app().key("paged-" + i, "read");
        }
        var first = app().get(LOG + "?action=api_key.*&limit=2", app().admin());
        String cursor = first.json().get("meta").get("nextCursor").stringValue();
        var next = app().get(LOG + "?action=api_key.*&limit=2&cursor=" + cursor, app().admin());

        assertThat(next.json().get("data")).hasSize(2);
        assertThat(texts(next.json().get("data"), "id"))
                .doesNotContainAnyElementsOf(texts(first.json().get("data"), "id"));
        String at = first.json().get("data").get(0).get("at").stringValue();
        pass(Duration.ofMinutes(1));
        app().key("paged-later", "read");
        assertThat(texts(entries("action=api_key.create&until=" + at), "at")).allMatch(time -> time.compareTo(at) < 0);
        assertThat(app().get(LOG + "?action=api_key.*&cursor=" + cursor + "&outcome=denied", app().admin())
                        .status())
                .as("a cursor of other filters")
                .isEqualTo(400);
    }

    @Test
    void refusesFiltersThatAreNone() {
        for (String wrong : List.of(
                "outcome=maybe",
                "since=yesterday",
                "until=1",
                "until=-999999999-01-01T00:00:00Z",
                "since=%2B999999999-12-31T00:00:00Z",
                "actor=")) {
            Reply reply = app().get(LOG + "?" + wrong, app().admin());
            assertThat(reply.status()).as(wrong).isEqualTo(422);
            assertThat(reply.json().get("errors").get(0).get("field").stringValue())
                    .isEqualTo(wrong.substring(0, wrong.indexOf('=')));
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
        String id = app().post("/v1/admin/tasks", app().admin(), "{\"task\": \"audit-verify\"}")
                .json()
                .get("id")
                .stringValue();
        return app().ended(id).text();
    }
}
