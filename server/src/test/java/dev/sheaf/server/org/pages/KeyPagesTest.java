package dev.sheaf.server.org.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Eventually;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The pages of keys: what one is for, its secret, its rights, its end.
class KeyPagesTest extends OnConsole {
    private static final String KEYS = "/organizations/default/keys";
    private static final Pattern SECRET = Pattern.compile("<code class=\"u\">(shf_[A-Za-z0-9]+)</code>");

    private Browser owner = new Browser();
    private String foreign = "";

    @Override
    public void prepare() {
        owner.close();
        owner = person("keys@acme.test", "default", "owner");
        foreign = app().secondOrganization("others");
    }

    private Browser.Page make(Map<String, String> wanted) {
        var fields = new HashMap<>(Map.of("scope", "read", "uses", "", "expiry", "P30D"));
        fields.putAll(wanted);
        return owner.submit(owner.open(at(KEYS + "/new/service")), "/keys\"", fields);
    }

    private String id(String name) {
        for (var key : app().get("/v1/organizations/default/api-keys", app().admin())
                .json()
                .get("data")) {
            if (key.get("name").stringValue().equals(name)) {
                return key.get("id").stringValue();
            }
        }
        throw new IllegalStateException("no key " + name);
    }

    private String state(String id) {
        return app().get("/v1/organizations/default/api-keys/" + id, app().admin())
                .json()
                .get("state")
                .stringValue();
    }

    private static String secret(Browser.Page page) {
        var found = SECRET.matcher(page.html());
        assertThat(found.find()).as(page.html()).isTrue();
        return found.group(1);
    }

    @Test
    void firstAsksWhatItIsFor() {
        var page = owner.open(at(KEYS + "/new"));

        assertThat(page.html())
                .contains("What is it for?", "href=\"/device\"", "/organizations/default/publishers/new\"")
                .contains("/keys/new/service\"");
    }

    @Test
    void readIsPreselected() {
        assertThat(owner.open(at(KEYS + "/new/service")).html())
                .contains("value=\"read\" checked")
                .doesNotContain("value=\"write\" checked", "value=\"admin\" checked");
    }

    @Test
    void theSecretIsShownOnce() {
        var made = make(Map.of("name", "once", "scope", "write", "bundles", "acme/docs-*, acme/notes"));

        String secret = secret(made);
        assertThat(made.status()).isEqualTo(200);
        assertThat(made.html())
                .contains("export SHEAF_URL=" + app().url() + " SHEAF_API_KEY=" + secret)
                .contains("sheaf login --url " + app().url() + " --key-stdin")
                .contains("once may write acme/docs-*, acme/notes");
        assertThat(app().get("/v1/organizations/default", secret).status()).isEqualTo(200);
        assertThat(owner.open(at(KEYS)).html()).contains("once").doesNotContain(secret);
        assertThat(owner.open(at(KEYS + "/" + id("once"))).html()).doesNotContain(secret);
    }

    @Test
    void badInputComesBackWithTheErrorBesideIt() {
        var shown = make(Map.of("name", "wide", "cidrs", "10.0.0.0/33", "bundles", "acme/x"));

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html())
                .contains("value=\"wide\"", "value=\"10.0.0.0/33\"", "value=\"acme/x\"")
                .containsPattern("(?s)id=\"error-cidrs\">.*?not an address block")
                .doesNotContain("error-bundles");
    }

    @Test
    void aNameIsTakenBesideItsField() {
        make(Map.of("name", "taken"));

        assertThat(make(Map.of("name", "taken")).html())
                .containsPattern("(?s)id=\"error-name\">.*?A working key already has this name");
    }

    @Test
    void keysThatTouchABundle() {
        make(Map.of("name", "docs-only", "bundles", "acme/docs-*"));

        assertThat(owner.open(at(KEYS + "?bundle=acme/docs-a")).html()).contains("docs-only");
        assertThat(owner.open(at(KEYS + "?bundle=acme/notes")).html()).doesNotContain("docs-only");
        var wrong = owner.open(at(KEYS + "?bundle=acme"));
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.html()).contains("value=\"acme\"", "id=\"error-bundle\"");
    }

    @Test
    void rotatesWithAnOverlap() {
        String old = secret(make(Map.of("name", "turning")));
        String id = id("turning");

        var made = owner.submit(owner.open(at(KEYS + "/" + id)), "/rotate\"", Map.of("overlap", "PT1H"));

        assertThat(made.html()).contains("It replaces", "turning is rotated", "which still works until ");
        assertThat(state(id)).isEqualTo("retiring");
        assertThat(app().get("/v1/organizations/default", secret(made)).status())
                .isEqualTo(200);
        assertThat(app().get("/v1/organizations/default", old).status()).isEqualTo(200);
    }

    @Test
    void disablesAndEnables() {
        make(Map.of("name", "pausing"));
        String id = id("pausing");

        owner.submit(owner.open(at(KEYS + "/" + id)), "/disable\"", Map.of());
        assertThat(state(id)).isEqualTo("disabled");

        var shown = owner.submit(owner.open(at(KEYS + "/" + id)), "/enable\"", Map.of());
        assertThat(state(id)).isEqualTo("active");
        assertThat(shown.html()).contains("The key works again.");
    }

    @Test
    void describesItAnew() {
        make(Map.of("name", "before"));
        String id = id("before");

        owner.submit(
                owner.open(at(KEYS + "/" + id)), "/edit\"", Map.of("name", "after", "description", "For the mirror"));

        assertThat(owner.open(at(KEYS + "/" + id)).html()).contains("<h1 class=\"u\">after</h1>", "For the mirror");
    }

    @Test
    void revokingSaysWhatBreaks() {
        make(Map.of("name", "ending", "scope", "write"));
        String id = id("ending");

        var asked = owner.open(at(KEYS + "/" + id + "/revoke"));
        assertThat(asked.html())
                .contains("Revoke ending?", "What breaks", "for good")
                .doesNotContain("Type the name");
        var shown = owner.submit(asked, Map.of());

        assertThat(state(id)).isEqualTo("revoked");
        assertThat(shown.place().getPath()).isEqualTo(KEYS);
        assertThat(shown.html()).contains("ending", "is revoked.");
    }

    @Test
    void revokingSaysFromWhereItWasUsedLast() {
        String secret = secret(make(Map.of("name", "used")));
        app().get("/v1/organizations/default", secret);
        String id = id("used");
        Eventually.within(
                Duration.ofSeconds(30),
                () -> owner.open(at(KEYS + "/" + id + "/revoke")).html().contains("It was last used"));

        assertThat(owner.open(at(KEYS + "/" + id + "/revoke")).html())
                .containsPattern(
                        "It was last used [^<]* UTC from 127\\.0\\.0\\.1\\. Requests with it are then refused");
        assertThat(owner.open(at(KEYS + "/" + id)).html()).contains("<code class=\"u\">127.0.0.1</code>");
        assertThat(owner.open(at(KEYS)).html()).contains("from <code class=\"u\">127.0.0.1</code>");
    }

    @Test
    void theSettingsOfABundleLeadToItsKeys() {
        app().push("acme/docs-b", "1.0.0", "public", "# B");
        make(Map.of("name", "of docs", "scope", "write", "bundles", "acme/docs-*"));

        var settings = owner.open(at("/acme/docs-b/settings"));
        var keys = owner.follow(settings, "/keys?bundle=");

        assertThat(keys.html()).contains("of docs", "value=\"acme/docs-b\"", "there: write");
        try (var publisher = person("no-keys@acme.test", "default", "publisher")) {
            assertThat(publisher.open(at("/acme/docs-b/settings")).html())
                    .contains("Save the description")
                    .doesNotContain("/keys?bundle=");
        }
    }

    @Test
    void theLastAdminKeyWantsItsName() {
        String id = id("bootstrap");

        var asked = owner.open(at(KEYS + "/" + id + "/revoke"));
        assertThat(asked.html()).contains("last working admin key", "Type the name to continue");
        var again = owner.submit(asked, Map.of("name", "bootstra"));

        assertThat(again.status()).isEqualTo(422);
        assertThat(again.html()).contains("id=\"error-name\"");
        assertThat(state(id)).isEqualTo("active");
    }

    @Test
    void aKeyOfOthersIsNotThere() {
        String id = app().get("/v1/organizations/others/api-keys", foreign)
                .json()
                .get("data")
                .get(0)
                .get("id")
                .stringValue();

        assertThat(owner.open(at(KEYS + "/" + id)).status()).isEqualTo(404);
        assertThat(owner.open(at(KEYS + "/" + id + "/revoke")).status()).isEqualTo(404);
        assertThat(owner.open(at("/organizations/others/keys")).status()).isEqualTo(404);
        assertThat(owner.open(at("/organizations/nobody/keys")).status()).isEqualTo(404);
    }

    @Test
    void withoutItsTokenNothingIsMade() {
        assertThat(owner.post(at(KEYS), "name=forged&scope=admin").status()).isEqualTo(403);
        assertThat(owner.open(at(KEYS)).html()).doesNotContain("forged");
    }

    @Test
    void readersAreRefused() {
        try (var reader = person("reader-of-keys@acme.test", "default", "reader")) {
            assertThat(reader.open(at(KEYS)).status()).isEqualTo(403);
            assertThat(reader.open(at(KEYS + "/new")).status()).isEqualTo(403);
        }
    }

    @Test
    void whatPeopleWroteIsShownAsText() {
        make(Map.of("name", "<script>alert(1)</script>\u202e"));

        assertThat(owner.open(at(KEYS)).html())
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;\u2039U+202E\u203a")
                .doesNotContain("<script>alert", "\u202e");
        var long1 = make(Map.of("name", "x".repeat(2000)));
        assertThat(long1.status()).isEqualTo(422);
    }

    @Test
    void theShortestIsNoneWhereThePolicyHasALimit() {
        app().send(
                        "PUT",
                        "/v1/organizations/default/key-policy",
                        app().admin(),
                        "{\"defaultExpiry\": \"P20D\", \"maxExpiry\": \"P40D\"}");
        try {
            assertThat(owner.open(at(KEYS + "/new/service")).html())
                    .containsSubsequence("value=\"P20D\"", "20 days (usual here)", "value=\"P40D\"", "value=\"P7D\"")
                    .doesNotContain("value=\"P90D\"", "value=\"never\"");
        } finally {
            app().send("PUT", "/v1/organizations/default/key-policy", app().admin(), "{}");
        }
    }
}
