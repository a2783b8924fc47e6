package dev.sheaf.server.identity.api.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.sheaf.server.testing.Reply;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/// What cannot be trusted: forged id_tokens, and publishers that are none.
class TrustedPublishersTest extends TrustedPublishingScenario {
    @Test
    void aForgedIdTokenIsRefused() throws Exception {
        trustGithub("acme/forged", "runs/forged", "");
        var good = SignedJWT.parse(idToken("github", github("acme/forged")));
        var claims = new JWTClaimsSet.Builder(good.getJWTClaimsSet())
                .jwtID(UUID.randomUUID().toString())
                .build();
        var own = new RSAKeyGenerator(2048).keyID(good.getHeader().getKeyID()).generate();
        var forged = List.of(
                signed(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(own.getKeyID()), claims, own),
                signed(new JWSHeader.Builder(JWSAlgorithm.RS256).jwk(own.toPublicJWK()), claims, own),
                signed(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("../../etc/passwd"), claims, own),
                signed(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("' OR 1=1 --"), claims, own),
                signed(
                        new JWSHeader.Builder(JWSAlgorithm.RS256)
                                .keyID(own.getKeyID())
                                .jwkURL(URI.create("http://127.0.0.1:1/keys")),
                        claims,
                        own));
        for (String token : forged) {
            assertRefused(buy(token), 400, "invalid_grant", "not signed");
        }
    }

    @Test
    void whatIsNoSignedIdTokenIsRefused() throws Exception {
        trustGithub("acme/unsigned", "runs/unsigned", "");
        var good = SignedJWT.parse(idToken("github", github("acme/unsigned")));
        var claims = good.getJWTClaimsSet();
        var own = new RSAKeyGenerator(2048).generate();
        var hmac = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256)
                        .keyID(good.getHeader().getKeyID())
                        .build(),
                claims);
        hmac.sign(new MACSigner("0".repeat(64)));
        assertRefused(buy(hmac.serialize()), 400, "invalid_grant", "alg", "HS256");
        String[] parts = good.serialize().split("\\.");
        for (String token : List.of(
                new PlainJWT(claims).serialize(),
                parts[0] + "." + parts[1] + ".",
                parts[0] + "." + parts[1],
                "e30.e30.e30",
                "x".repeat(40_000),
                "{}")) {
            assertRefused(buy(token), 400, "invalid_grant");
        }
        var dead = new JWTClaimsSet.Builder(claims)
                .issuer("http://127.0.0.1:9/dead")
                .build();
        var away = buy(signed(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k"), dead, own));
        assertRefused(away, 503, "temporarily_unavailable");
        assertThat(buy(good.serialize()).status()).isEqualTo(200);
    }

    private static String signed(JWSHeader.Builder header, JWTClaimsSet claims, RSAKey key) throws Exception {
        var jwt = new SignedJWT(header.build(), claims);
        jwt.sign(new RSASSASigner(key));
        return jwt.serialize();
    }

    @Test
    void whatIsWrongWithAPublisherIsSaidAtOnce() {
        for (String wrong : List.of(
                "{}",
                "{\"provider\": \"svn\", \"bundles\": [\"a/b\"]}",
                "{\"provider\": \"github\", \"bundles\": [\"a/b\"]}",
                "{\"provider\": \"github\", \"repository\": \"acme\", \"bundles\": [\"a/b\"]}",
                "{\"provider\": \"github\", \"repository\": \"a/b\"}",
                "{\"provider\": \"github\", \"repository\": \"a/b\", \"bundles\": []}",
                "{\"provider\": \"github\", \"repository\": \"a/b\", \"bundles\": [\"*\"]}",
                "{\"provider\": \"github\", \"repository\": \"a/b\", \"bundles\": [\"a/b\"], \"branch\": \"x\"}",
                "{\"provider\": \"github\", \"repository\": \"a/b\", \"bundles\": [\"a/b\"], \"issuer\": \"https://x\"}",
                "{\"provider\": \"oidc\", \"issuer\": \"" + issuer("own") + "\", \"bundles\": [\"a/b\"]}",
                "{\"provider\": \"oidc\", \"issuer\": \"" + issuer("own") + "\", \"bundles\": [\"a/b\"],"
                        + " \"claims\": [{\"claim\": \"a\", \"equals\": \"b\", \"matches\": \"*\"}]}",
                "{\"provider\": \"oidc\", \"issuer\": \"" + issuer("own") + "\", \"bundles\": [\"a/b\"],"
                        + " \"claims\": [{\"claim\": \"a\", \"equals\": \"b\\nequals c d\"}]}")) {
            var reply = app().post(PUBLISHERS, app().admin(), wrong);

            assertThat(reply.status()).as(wrong + reply.text()).isEqualTo(422);
        }
        String narrow = secret("narrow", "admin", ", \"restrictions\": {\"bundles\": [\"runs/mine\"]}");
        var reply = app().post(PUBLISHERS, narrow, """
                {"provider": "github", "issuer": "%s", "repository": "a/b", "bundles": ["runs/yours"]}""".formatted(issuer));
        assertThat(reply.status()).isEqualTo(422);
        assertThat(app().post(PUBLISHERS, token(app().admin()), """
                {"provider": "github", "issuer": "%s", "repository": "a/b", "bundles": ["a/b"]}""".formatted(issuer))
                        .status())
                .isEqualTo(403);
        assertThat(app().get(PUBLISHERS, app().secondOrganization("elsewhere-" + System.nanoTime()))
                        .status())
                .isEqualTo(404);
    }

    /// As with API keys: what it could not have made is not there for it.
    @Test
    void aRestrictedKeySeesAndEndsThePublishersOfItsPartAlone() {
        String mine = trustGithub("acme/part", "part/mine", "");
        String yours = trustGithub("acme/part", "part/yours", "");
        String both = trust("""
                {"provider": "github", "issuer": "%s", "repository": "acme/part", "bundles": ["part/mine", "part/yours"]}""".formatted(issuer));
        String narrow = secret("part", "admin", ", \"restrictions\": {\"bundles\": [\"part/mine\"]}");
        String here = secret("here", "admin", ", \"restrictions\": {\"cidrs\": [\"127.0.0.0/8\"]}");

        assertThat(ids(app().get(PUBLISHERS, narrow))).containsExactly(mine);
        assertThat(ids(app().get(PUBLISHERS, here)))
                .as("a run may come from anywhere")
                .isEmpty();
        assertThat(ids(app().get(PUBLISHERS + "?limit=100", app().admin()))).contains(mine, yours, both);
        for (String wider : List.of(yours, both)) {
            var missing = app().get(PUBLISHERS + "/" + wider, narrow);
            assertThat(missing.status()).isEqualTo(404);
            assertThat(app().send("DELETE", PUBLISHERS + "/" + wider, narrow, null)
                            .status())
                    .isEqualTo(404);
            assertThat(missing.text().replace(wider, "ID").replaceAll("\"requestId\":\"[^\"]*\"", ""))
                    .as("as what never was")
                    .isEqualTo(none(narrow));
        }
        assertThat(app().send("DELETE", PUBLISHERS + "/" + mine, narrow, null).status())
                .isEqualTo(204);
    }

    private String none(String key) {
        String id = UUID.randomUUID().toString();
        return app().get(PUBLISHERS + "/" + id, key)
                .text()
                .replace(id, "ID")
                .replaceAll("\"requestId\":\"[^\"]*\"", "");
    }

    private static List<String> ids(Reply list) {
        assertThat(list.status()).isEqualTo(200);
        return StreamSupport.stream(list.json().get("data").spliterator(), false)
                .map(one -> one.get("id").stringValue())
                .toList();
    }
}
