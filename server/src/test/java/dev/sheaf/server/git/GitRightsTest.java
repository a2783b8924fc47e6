package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Reply;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Who may clone what (contract 1.4), as git and by hand.
class GitRightsTest extends GitScenario {
    private static final String REFS = "/info/refs?service=git-upload-pack";

    @Override
    public void prepare() {
        publish("rights/secret", "1.0.0", "private", Map.of("SKILL.md", "secret"));
        publish("rights/open", "1.0.0", Map.of("SKILL.md", "open"));
    }

    private Reply basic(String path, @Nullable String password) {
        var request = app().request("GET", path, null, null);
        if (password != null) {
            String pair = Base64.getEncoder().encodeToString(("me:" + password).getBytes(StandardCharsets.UTF_8));
            request.header("Authorization", "Basic " + pair);
        }
        return app().send(request);
    }

    /// Without what is another at each request.
    private static String shape(Reply reply) {
        var headers = new TreeMap<>(reply.response().headers().map());
        headers.keySet().removeIf(name -> name.matches("(?i)date|x-request-id|x-trace-id|ratelimit|traceparent"));
        return reply.status() + " " + headers + " " + reply.text();
    }

    /// git shows what is plain text. Nobody looks whether the bundle is there.
    @Test
    void withoutTheSuffixTheRightAddressIsSaid() {
        for (String name : List.of("rights/open", "rights/secret", "rights/none", "none/none")) {
            var told = basic("/" + name + REFS, null);

            assertThat(told.status()).isEqualTo(404);
            assertThat(told.header("Content-Type")).startsWith("text/plain");
            assertThat(told.text()).contains("clone a bundle from " + app().url() + "/" + name + ".git, ");
        }
        for (String odd : List.of("/rights/%1b%5b31m", "/rights/open.git/info", "/RIGHTS/open")) {
            assertThat(basic(odd + REFS, null).text()).doesNotContain(app().url());
        }
    }

    @Test
    void missingAndPrivateAreTheSame() {
        for (String rest : List.of("", REFS, "/info/refs", "/info/refs?service=git-receive-pack")) {
            var hidden = basic("/rights/secret.git" + rest, null);
            assertThat(hidden.status()).as(rest).isEqualTo(401);
            assertThat(hidden.header("WWW-Authenticate")).startsWith("Basic realm=");
            for (String missing : List.of("rights/none", "none/none", "Rights/SECRET", "..%2f..%2fetc/passwd")) {
                assertThat(shape(basic("/" + missing + ".git" + rest, null)))
                        .as(missing + rest)
                        .isEqualTo(shape(hidden));
            }
            String other = others();
            var unseen = basic("/rights/secret.git" + rest, other);
            assertThat(unseen.status()).isEqualTo(404);
            assertThat(shape(basic("/rights/none.git" + rest, other))).isEqualTo(shape(unseen));
        }
    }

    private @Nullable String others;

    private String others() {
        String known = others;
        if (known == null || app().get("/v1/me", known).status() != 200) {
            known = app().secondOrganization(
                            "others-" + UUID.randomUUID().toString().substring(0, 8));
            others = known;
        }
        return known;
    }

    @Test
    void aFetchOfWhatIsHiddenIsRefusedToo() {
        for (String name : List.of("rights/secret", "rights/none")) {
            var reply = app().send(app().request("POST", "/" + name + ".git/git-upload-pack", null, null)
                    .header("Content-Type", "application/x-git-upload-pack-request")
                    .POST(BodyPublishers.ofString("0014command=ls-refs\n0000")));
            assertThat(reply.status()).isEqualTo(401);
            assertThat(reply.text()).startsWith("this bundle does not exist or needs credentials");
        }
    }

    @Test
    void keysAndTokensArePasswords() {
        String key = app().key("git-reader", "read");
        var token = app().form(
                        "/v1/oauth/token",
                        null,
                        "grant_type",
                        "urn:ietf:params:oauth:grant-type:token-exchange",
                        "subject_token",
                        key,
                        "subject_token_type",
                        "urn:sheaf:params:oauth:token-type:api-key")
                .json()
                .get("access_token")
                .stringValue();
        String person = app().person("git@rights.test", "default", "reader");
        for (String password : List.of(key, token, person)) {
            assertThat(basic("/rights/secret.git" + REFS, password).status()).isEqualTo(200);
        }
        assertThat(app().get("/rights/secret.git" + REFS, key).status())
                .as("Bearer")
                .isEqualTo(200);
        var wrong = basic("/rights/secret.git" + REFS, "shf_wrong");
        assertThat(wrong.status()).isEqualTo(401);
        assertThat(wrong.header("WWW-Authenticate")).startsWith("Basic realm=");
        assertThat(basic("/rights/open.git" + REFS, "shf_wrong").status())
                .as("never silently anonymous")
                .isEqualTo(401);
    }

    @Test
    void aKeyThatIsRevokedEndsItAtOnce() {
        var made = app().post("/v1/organizations/default/api-keys", app().admin(), "{\"name\": \"short\"}")
                .json();
        String key = made.get("key").stringValue();
        assertThat(basic("/rights/secret.git" + REFS, key).status()).isEqualTo(200);

        app().send(
                        "DELETE",
                        "/v1/organizations/default/api-keys/" + made.get("id").stringValue(),
                        app().admin(),
                        null);

        assertThat(basic("/rights/secret.git" + REFS, key).status()).isEqualTo(401);
    }

    @Test
    void aBundleThatBecomesPrivateIsHiddenAtOnce() {
        publish("rights/turned", "1.0.0", Map.of("SKILL.md", "open"));
        assertThat(git().run("ls-remote", url("rights/turned"))).contains("main");

        app().send("PATCH", bundle("rights/turned"), app().admin(), "{\"visibility\": \"private\"}");

        assertThat(basic("/rights/turned.git" + REFS, null).status()).isEqualTo(401);
    }

    @Test
    void aHelperOpensWhatIsPrivate() throws IOException {
        var helper = Files.writeString(folder().resolve("helper"), """
                #!/bin/sh
                test "$1" = get && printf 'username=sheaf\\npassword=%s\\n'
                """.formatted(app().admin()));
        assertThat(helper.toFile().setExecutable(true)).isTrue();

        git().with("-c", "credential.helper=" + helper).run("clone", url("rights/secret"), "secret");

        assertThat(read("secret/SKILL.md")).isEqualTo("secret");
        var asked = git().with("-c", "core.askPass=true").end("", "clone", url("rights/secret"), "no");
        assertThat(asked.exit()).isNotZero();
    }

    @Test
    void aPushIsToldHowToPublish() throws IOException {
        clone("rights/open", "open");
        Files.writeString(folder().resolve("open/new.md"), "new");
        git("open").run("add", "new.md");
        git("open").run("commit", "-m", "new");

        var pushed = git("open").end("", "push", "origin", "main");

        assertThat(pushed.exit()).isNotZero();
        assertThat(pushed.output()).contains("this repository is read-only", "sheaf push");
        assertThat(app().post("/rights/open.git/git-receive-pack", app().admin(), "x")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void theAddressItselfSaysHowToClone() {
        var page = app().get("/rights/open.git", null);

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text()).contains("git clone " + app().url() + "/rights/open.git");
        assertThat(app().get("/rights/open.git/info/refs", null).text()).contains("only git's smart protocol");
        assertThat(app().get("/rights/open.git/HEAD", null).text()).contains("smart HTTP only");
        assertThat(app().get("/rights/open.git/objects/info/packs", null).status())
                .isEqualTo(404);
    }

    @Test
    void aCloneCountsAsADownload() {
        publish("rights/counted", "1.0.0", Map.of("SKILL.md", "a"));
        publish("rights/counted", "1.1.0", Map.of("SKILL.md", "b"));
        clone("rights/counted", "counted");
        clone("rights/counted", "again");
        app().countDownloads();

        assertThat(app().get("/v1/hub/bundles/rights/counted", null)
                        .json()
                        .findValue("downloadsTotal")
                        .intValue())
                .isEqualTo(1);
    }
}
