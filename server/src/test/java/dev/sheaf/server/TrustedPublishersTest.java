package dev.sheaf.server;

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
import java.net.URI;
import java.util.List;
import java.util.UUID;
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
            assertRefused(buy(token), 400, "invalid_grant", "signature");
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
}
