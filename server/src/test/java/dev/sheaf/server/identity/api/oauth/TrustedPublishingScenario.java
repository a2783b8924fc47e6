package dev.sheaf.server.identity.api.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.org.TrustedPublisher;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.OAuthScenario;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;

/// Scenarios with id_tokens of workflows, whose providers a server plays.
public abstract class TrustedPublishingScenario extends OAuthScenario {
    public static final String PUBLISHERS = "/v1/organizations/default/trusted-publishers";
    public static final String ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";
    public static final String SITE = "https://bundles.example";
    public static final MockOAuth2Server PROVIDER = started(); // ends with the JVM

    public String issuer = "";

    private static MockOAuth2Server started() {
        var server = new MockOAuth2Server();
        server.start();
        return server;
    }

    @Override
    public Map<String, String> settings() {
        issuer = issuer("github");
        return Map.of(
                "master-key",
                MasterSecret.generate(),
                "public-url",
                SITE,
                "trusted-audiences",
                "old.example",
                "trusted-issuers",
                String.join(" ", issuer("github"), issuer("gitlab"), issuer("own"), "http://127.0.0.1:9/dead"));
    }

    public static String issuer(String name) {
        return PROVIDER.issuerUrl(name).toString();
    }

    public static Map<String, Object> github(String repository, Object... more) {
        var claims = new LinkedHashMap<String, Object>();
        claims.put("repository", repository);
        claims.put("repository_id", "4711");
        claims.put("repository_owner_id", "42");
        claims.put("workflow_ref", repository + "/.github/workflows/release.yml@refs/heads/main");
        claims.put("workflow", "Release");
        claims.put("environment", "production");
        claims.put("event_name", "push");
        claims.put("ref", "refs/heads/main");
        claims.put("run_id", "1001");
        claims.put("run_attempt", "1");
        claims.put("sha", "abc1234");
        for (int i = 0; i < more.length; i += 2) {
            claims.put(more[i].toString(), more[i + 1]);
        }
        return claims;
    }

    public static String idToken(String name, Map<String, Object> claims) {
        return idToken(name, List.of("bundles.example"), claims, 300);
    }

    public static String idToken(String name, List<String> audience, Map<String, Object> claims, long seconds) {
        return PROVIDER.issueToken(
                        name,
                        "client",
                        new DefaultOAuth2TokenCallback(name, "repo:x", "JWT", audience, claims, seconds))
                .serialize();
    }

    final String trust(String json) {
        var reply = app().post(PUBLISHERS, app().admin(), json);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.as(TrustedPublisher.class).id().toString();
    }

    final String trustGithub(String repository, String bundle, String more) {
        return trust("""
                {"provider": "github", "issuer": "%s", "repository": "%s", "bundles": ["%s"]%s}""".formatted(issuer, repository, bundle, more));
    }

    public final Reply buy(String idToken, String... more) {
        return buy(app(), idToken, more);
    }

    public static Reply buy(TestApp node, String idToken, String... more) {
        var fields = new ArrayList<>(
                List.of("grant_type", EXCHANGE, "subject_token", idToken, "subject_token_type", ID_TOKEN));
        fields.addAll(List.of(more));
        return node.form("/v1/oauth/token", null, fields.toArray(String[]::new));
    }

    final String bought(String idToken, String... more) {
        var reply = buy(idToken, more);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json().get("access_token").stringValue();
    }

    final Reply push(String token, String bundle, String version) {
        var names = bundle.split("/");
        return app().post(
                        "/v1/namespaces/" + names[0] + "/bundles/" + names[1] + ":push", token, """
                {"name": "Test", "visibility": "private", "version": "%s",
                 "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "x"}]}""".formatted(version));
    }

    final void assertNames(Reply reply, String claim, String... words) {
        assertRefused(reply, 400, "invalid_grant", words);
        assertThat(reply.json().get("error_description").stringValue()).startsWith("the claim " + claim + " ");
    }
}
