package dev.sheaf.server.identity.api.oauth;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.model.wire.account.Me;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.model.wire.hub.HubPage;
import dev.sheaf.model.wire.key.Identity;
import dev.sheaf.model.wire.org.TrustedPublisher;
import dev.sheaf.server.testing.Together;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs of workflows elsewhere publish by the id_tokens of their providers (contract 5.3).
class TrustedPublishingTest extends TrustedPublishingScenario {
    @Test
    void aRunPublishesABundleThatDoesNotExistYet() {
        String id = trustGithub("Acme/Notes", "runs/notes", ", \"workflow\": \"release.yml\"");
        var pending = app().get(PUBLISHERS + "/" + id, app().admin()).as(TrustedPublisher.class);
        assertThat(pending.state()).isEqualTo("pending");
        assertThat(pending.pending()).containsExactly("runs/notes");
        assertThat(pending.repositoryId()).isNull();

        var reply = buy(idToken("github", github("Acme/Notes")), "organization", "default");

        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.json().get("expires_in").intValue()).isEqualTo(900);
        assertThat(reply.json().get("scope").stringValue()).isEqualTo("write");
        String token = reply.json().get("access_token").stringValue();
        assertThat(push(token, "runs/notes", "1.0.0").status()).isEqualTo(201);
        assertThat(push(token, "runs/other", "1.0.0").status()).isEqualTo(404);
        var active = app().get(PUBLISHERS + "/" + id, app().admin()).as(TrustedPublisher.class);
        assertThat(active.state()).isEqualTo("active");
        assertThat(active.repositoryId()).as("learned").isEqualTo("4711");
        assertThat(active.repositoryOwnerId()).isEqualTo("42");
        var me = app().get("/v1/publisher/me", token).as(Identity.class);
        assertThat(me.credentialType()).isEqualTo("trusted_publisher");
        assertThat(me.credentialName()).isEqualTo("Acme/Notes run 1001.1 of Release at refs/heads/main abc1234");
        assertThat(app().database()
                        .<String>read(tx -> tx.handle()
                                .createQuery(
                                        "SELECT detail FROM audit WHERE action = 'trusted_publisher.run' AND actor = :actor")
                                .bind("actor", "publisher:" + id)
                                .mapTo(String.class)
                                .one()))
                .startsWith("Acme/Notes run 1001.1");
        assertThat(app().post("/v1/organizations/default/api-keys", token, "{\"name\": \"x\"}")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void whatARunPublishedIsFoundAsFromAWorkflow() {
        trustGithub("Acme/Listed", "listed/kit", "");
        String token = bought(idToken("github", github("Acme/Listed")), "organization", "default");
        assertThat(push(token, "listed/kit", "1.0.0").status()).isEqualTo(201);
        String search = "/v1/hub/bundles?namespace=listed&facets=true&workflow=true";
        assertThat(app().get(search, null).as(HubPage.class).total())
                .as("of a private bundle")
                .isZero();

        app().send("PATCH", "/v1/namespaces/listed/bundles/kit", app().admin(), "{\"visibility\": \"public\"}");

        var found = app().get(search, null).as(HubPage.class);
        assertThat(found.data()).extracting(HubBundle::slug).containsExactly("kit");
        assertThat(requireNonNull(found.facets()).workflow()).isEqualTo(1);
        app().push("listed/kit", "1.1.0", "public", "# By a key");
        assertThat(app().get(search, null).as(HubPage.class).total()).isZero();
    }

    private static final String[] NAMED = {"organization", "default", "bundles", "runs/named"};

    private void trustNamed() {
        trustGithub("acme/named", "runs/named", """
                , "repositoryId": "4711", "repositoryOwnerId": "42", "workflow": "release.yml",
                "environment": "production", "claims": [
                  {"claim": "ref", "in": ["refs/heads/main", "refs/heads/next"]},
                  {"claim": "run_id", "matches": "1*1"}, {"claim": "sha", "equals": "abc1234"}]""");
    }

    @Test
    void everyRefusalNamesTheClaim() {
        trustNamed();
        assertThat(buy(idToken("github", github("acme/named")), NAMED).status()).isEqualTo(200);

        assertNames(buy(idToken("github", github("evil/named")), NAMED), "repository", "'evil/named'", "acme/named");
        for (var wrong : List.of(
                List.of("repository_id", "1", "4711"),
                List.of("repository_owner_id", "1", "42"),
                List.of("workflow_ref", "acme/named/.github/workflows/test.yml@refs/heads/main", "release.yml"),
                List.of("workflow_ref", "evil/named/.github/workflows/release.yml@refs/heads/main", "release.yml"),
                List.of("workflow_ref", "acme/named/.github/workflows/x/release.yml@refs/heads/main", "release.yml"),
                List.of("environment", "test", "production"),
                List.of("ref", "refs/heads/evil", "refs/heads/main, refs/heads/next"),
                List.of("run_id", "2001", "1*1"),
                List.of("sha", "abc", "abc1234"),
                List.of("event_name", "pull_request_target", "outsiders"))) {
            var claims = github("acme/named", wrong.get(0), wrong.get(1));
            assertNames(buy(idToken("github", claims), NAMED), wrong.get(0), "'" + wrong.get(1) + "'", wrong.get(2));
        }
    }

    @Test
    void whatIsMissingOrForOthersIsNamedToo() {
        trustNamed();
        var missing = github("acme/named");
        missing.remove("environment");
        assertNames(buy(idToken("github", missing), NAMED), "environment", "missing", "production");
        assertNames(
                buy(idToken("github", List.of("other.example"), github("acme/named"), 300), NAMED),
                "aud",
                "other.example",
                "bundles.example");
        assertNames(
                buy(idToken("github", List.of("bundles.example", "other.example"), github("acme/named"), 300), NAMED),
                "aud");
        assertNames(buy(idToken("untrusted", github("acme/named")), NAMED), "iss", "untrusted");
        assertRefused(buy(idToken("github", github("acme/named")), "scope", "admin"), 400, "invalid_scope");
        assertRefused(buy(idToken("github", github("acme/named")), "bundles", "runs/elsewhere"), 400, "invalid_target");
        assertRefused(buy(idToken("github", github("acme/named")), "organization", "nobody"), 400, "invalid_target");
        assertRefused(buy(idToken("own", Map.of("team", "x"))), 400, "invalid_grant", "no trusted publisher");
    }

    /// To name another's bundle gained nothing, but made the owner's own exchange ambiguous.
    @Test
    void nobodyTrustsAPublisherForAnothersNamespace() {
        trustGithub("acme/owned", "owned/kit", "");
        assertThat(push(app().admin(), "owned/kit", "0.1.0").status()).isEqualTo(201);
        String stranger = app().secondOrganization("stranger");
        String json = """
                {"provider": "github", "issuer": "%s", "repository": "acme/owned", "bundles": ["%s/kit"]}""";

        var refused =
                app().post("/v1/organizations/stranger/trusted-publishers", stranger, json.formatted(issuer, "owned"));

        assertThat(refused.status()).as(refused.text()).isEqualTo(404);
        assertThat(refused.text()).contains("namespace owned of this organization");
    }

    /// The namespace was free when the stranger named it, so the publisher was made.
    @Test
    void aPublisherForWhatSomebodyElseClaimedIsPassedOver() {
        trustGithub("acme/raced", "raced/kit", "");
        String stranger = app().secondOrganization("racer");
        var early = app().post("/v1/organizations/racer/trusted-publishers", stranger, """
                {"provider": "github", "issuer": "%s", "repository": "acme/raced",
                 "bundles": ["raced/kit", "racer-own/kit"]}""".formatted(issuer));
        assertThat(early.status()).as(early.text()).isEqualTo(201);
        assertThat(push(app().admin(), "raced/kit", "0.1.0").status()).isEqualTo(201);

        String token = bought(idToken("github", github("acme/raced")), "bundles", "raced/kit");

        assertThat(push(token, "raced/kit", "1.0.0").status()).isEqualTo(201);
        String theirs = bought(idToken("github", github("acme/raced")), "organization", "racer");
        assertThat(push(theirs, "raced/kit", "2.0.0").status()).isEqualTo(404);
        assertThat(push(theirs, "racer-own/kit", "2.0.0").status()).isEqualTo(201);
    }

    /// To take the oldest would be to guess: it may be a stranger's.
    @Test
    void whatSeveralOrganizationsTrustSaysForWhichItIs() {
        trustGithub("acme/shared", "shared-one/kit", "");
        String second = app().secondOrganization("shares");
        var theirs = app().post("/v1/organizations/shares/trusted-publishers", second, """
                {"provider": "github", "issuer": "%s", "repository": "acme/shared", "bundles": ["shared-two/kit"]}""".formatted(issuer));
        assertThat(theirs.status()).as(theirs.text()).isEqualTo(201);
        var idToken = idToken("github", github("acme/shared"));

        assertRefused(buy(idToken), 400, "invalid_request", "several organizations", "organization=");

        String ours = bought(idToken, "organization", "default"); // it was not used up
        assertThat(push(ours, "shared-one/kit", "1.0.0").status()).isEqualTo(201);
        for (var named : List.of(List.of("organization", "shares"), List.of("bundles", "shared-two/kit"))) {
            String token = bought(idToken("github", github("acme/shared")), named.get(0), named.get(1));
            assertThat(requireNonNull(app().get("/v1/me", token).as(Me.class).organization())
                            .name())
                    .isEqualTo("shares");
        }
    }

    @Test
    void otherAudiencesAreThoseOfTheSettings() {
        trustGithub("acme/audience", "runs/audience", "");

        bought(idToken("github", List.of("old.example"), github("acme/audience"), 300), "bundles", "runs/audience");
        assertNames(
                buy(
                        idToken("github", List.of("older.example"), github("acme/audience"), 300),
                        "bundles",
                        "runs/audience"),
                "aud",
                "old.example");
    }

    @Test
    void anIdTokenThatHasExpiredIsRefused() {
        trustGithub("acme/late", "runs/late", "");
        String token = idToken("github", List.of(SITE), github("acme/late"), 5);
        String early = idToken("github", List.of(SITE), github("acme/late", "nbf", inSeconds(3_600)), 7_200);

        assertNames(buy(early), "nbf");
        pass(Duration.ofSeconds(120));
        assertNames(buy(token), "exp");
        String good = idToken("github", List.of(SITE), github("acme/late"), 300);
        assertThat(buy(good).status()).isEqualTo(200);
    }

    private static long inSeconds(long seconds) {
        return System.currentTimeMillis() / 1_000 + seconds;
    }

    @Test
    void anIdTokenBuysOneToken() {
        trustGithub("acme/once", "runs/once", "");
        String token = idToken("github", github("acme/once"));
        bought(token);

        assertNames(buy(token), "jti", "used before");
        var claims = github("acme/once", "jti", "chosen");
        bought(idToken("github", claims));
        assertNames(buy(idToken("github", claims)), "jti", "chosen");
    }

    @Test
    void anIdTokenBuysOneTokenOnWhicheverNode(@TempDir Path folder) throws Exception {
        trustGithub("acme/nodes", "runs/nodes", "");
        String token = idToken("github", github("acme/nodes"));
        if (app().database().dialect() == SqlDialect.SQLITE) {
            var bought = Together.run(4, i -> () -> buy(token).status());
            assertThat(bought).containsOnlyOnce(200).contains(400);
            return;
        }
        try (var other = app().another(folder, this::instant)) {
            var bought = Together.run(
                    4, i -> () -> buy(i % 2 == 0 ? app() : other, token).status());

            assertThat(bought).containsOnlyOnce(200).contains(400);
            assertNames(buy(other, token), "jti", "used before");
            assertNames(buy(token), "jti", "used before");
        }
    }

    @Test
    void theFirstRunPinsTheRepository() {
        trustGithub("acme/pins", "runs/pins", "");
        bought(idToken("github", github("acme/pins")));

        assertNames(buy(idToken("github", github("acme/pins", "repository_id", "9"))), "repository_id", "'9'", "4711");
        assertNames(
                buy(idToken("github", github("acme/pins", "repository_owner_id", "9"))), "repository_owner_id", "42");
    }

    @Test
    void aPublisherHasManyBundlesAndABundleManyPublishers() {
        trust("""
                {"provider": "github", "issuer": "%s", "repository": "acme/many", "bundles": ["runs/many-*", "runs/lone"]}""".formatted(issuer));
        trust("""
                {"provider": "gitlab", "issuer": "%s", "repository": "acme/lab", "workflow": ".gitlab-ci.yml",
                 "bundles": ["runs/lone"]}""".formatted(issuer("gitlab")));
        String token = bought(idToken("github", github("acme/many")));
        String narrow = bought(idToken("github", github("acme/many")), "bundles", "runs/many-one");
        String lab = bought(idToken(
                "gitlab",
                Map.of(
                        "project_path",
                        "Acme/Lab",
                        "project_id",
                        7,
                        "namespace_id",
                        "8",
                        "ci_config_ref_uri",
                        "gitlab.com/Acme/Lab//.gitlab-ci.yml@refs/heads/main")));

        assertThat(push(token, "runs/many-one", "1.0.0").status()).isEqualTo(201);
        assertThat(push(token, "runs/lone", "1.0.0").status()).isEqualTo(201);
        assertThat(push(lab, "runs/lone", "1.1.0").status()).isEqualTo(201);
        assertThat(push(lab, "runs/many-one", "1.1.0").status()).isEqualTo(404);
        assertThat(push(narrow, "runs/many-one", "1.1.0").status()).isEqualTo(201);
        assertThat(push(narrow, "runs/many-two", "1.0.0").status()).isEqualTo(404);
    }

    @Test
    void anyIssuerIsKnownByItsClaims() {
        trust("""
                {"provider": "oidc", "issuer": "%s", "claims": [{"claim": "groups", "equals": "deploy"}],
                 "bundles": ["runs/own"]}""".formatted(issuer("own")));

        String token = bought(idToken("own", Map.of("groups", List.of("all", "deploy"))));

        assertThat(push(token, "runs/own", "1.0.0").status()).isEqualTo(201);
        assertNames(buy(idToken("own", Map.of("groups", List.of("all")))), "groups", "all", "deploy");
    }

    @Test
    void tokensEndWithTheirPublisher() {
        String id = trustGithub("acme/ends", "runs/ends", "");
        String token = bought(idToken("github", github("acme/ends")));
        assertThat(push(token, "runs/ends", "1.0.0").status()).isEqualTo(201);

        assertThat(app().send("DELETE", PUBLISHERS + "/" + id, app().admin(), null)
                        .status())
                .isEqualTo(204);

        var refused = push(token, "runs/ends", "1.1.0");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.text()).contains("the trusted publisher of this access token was deleted");
        assertThat(app().get(PUBLISHERS + "/" + id, app().admin()).status()).isEqualTo(404);
    }
}
