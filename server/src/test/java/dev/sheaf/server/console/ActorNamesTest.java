package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Browser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Members see who did something by name, others the namespace. A page asks for all names at once.
class ActorNamesTest extends OnConsole {
    private static final String ORG = "/organizations/default";
    private static final String NIGHTLY = ">nightly &lt;b&gt;</span> <span class=\"tag\">key<";
    private static final String API = "/v1" + ORG;

    private Browser member = new Browser();
    private String key = "";
    private String person = "";

    @Override
    public boolean isByHand() {
        return false;
    }

    @Override
    public void prepare() {
        key = app().key("nightly <b>", "write");
        person = app().person("ada@acme.test", "default", "publisher");
        member = person("looks@acme.test", "default", "owner");
        push(key, "1.0.0");
        push(person, "1.1.0");
        app().post(API + "/queues", app().admin(), "{\"name\": \"q\", \"slug\": \"named\"}");
    }

    private void push(String credential, String version) {
        var pushed = app().post("/v1/namespaces/acme/bundles/named:push", credential, """
                {"name": "Test", "visibility": "public", "version": "%s",
                 "manifest": [{"logicalPath": "a.md", "assetType": "context", "contentText": "x"}]}""".formatted(version));
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
    }

    private static final List<String> PAGES = List.of(
            "/acme/named",
            "/acme/named/versions",
            "/acme/named/versions/1.0.0",
            "/acme/named/tags",
            "/acme/named/tags/latest");

    @Test
    void membersSeeNames() {
        for (String path : PAGES) {
            assertThat(member.open(at(path)).html())
                    .as(path)
                    .containsAnyOf(">ada<", NIGHTLY)
                    .doesNotContain(">user:", ">key:", "nightly <b>", "ada@acme.test");
        }
        assertThat(member.open(at("/acme/named/versions")).html()).contains(">ada<", NIGHTLY);
    }

    /// People choose their names, so the kind stands outside.
    @Test
    void nobodyIsTakenForAKeyByName() {
        app().send("PATCH", "/v1/users/me", person, "{\"fullName\": \"deploy (key)\"}");

        assertThat(member.open(at("/acme/named/versions/1.1.0")).html())
                .contains(">deploy (key)</span>")
                .doesNotContain("<span class=\"tag\">key<");

        app().send("PATCH", "/v1/users/me", person, "{\"fullName\": null}");
    }

    @Test
    void othersSeeTheNamespace() {
        app().secondOrganization("elsewhere");
        try (var stranger = person("far@acme.test", "elsewhere", "owner");
                var nobody = browser()) {
            for (var browser : List.of(stranger, nobody)) {
                for (String path : PAGES) {
                    assertThat(browser.open(at(path)).html())
                            .as(path)
                            .contains(">acme</span>")
                            .doesNotContain(">ada<", "ada@acme.test", "nightly", "user:", "key:");
                }
            }
        }
    }

    @Test
    void jobsAndInstructionsNameWhoMadeThem() {
        String job = app().post(API + "/queues/named/jobs", person, "{}")
                .json()
                .get("id")
                .stringValue();
        String instruction = app().post(API + "/queues/named/instructions", key, """
                {"name": "n", "template": "x"}""")
                .json()
                .get("id")
                .stringValue();

        assertThat(member.open(at(ORG + "/jobs/" + job)).html()).contains(">ada<");
        for (String path : new String[] {"", "/" + instruction}) {
            assertThat(member.open(at(ORG + "/queues/named/instructions" + path))
                            .html())
                    .as(path)
                    .contains(NIGHTLY);
        }
        assertThat(member.open(at(ORG + "/audit?action=api_key.create")).html())
                .contains("<small class=\"u\">nightly &lt;b&gt;</small>");
    }

    @Test
    void whoIsUnknownIsShownByTheEndOfTheId() {
        var names = new PageFrame.Names(Map.of("user:01a21bb8-0000-7000-8000-000000000001", "Ada"));

        assertThat(names.of("user:01a21bb8-0000-7000-8000-000000000001")).isEqualTo("Ada");
        assertThat(names.of("key:01a21bb8-0000-7000-8000-000000abcdef")).isEqualTo("key …abcdef");
        assertThat(List.of(names.of("acme"), names.of("operator"), names.of(null)))
                .containsExactly("acme", "operator", "");
    }
}
