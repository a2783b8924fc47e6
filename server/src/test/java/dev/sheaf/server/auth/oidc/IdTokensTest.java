package dev.sheaf.server.auth.oidc;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.sheaf.model.Problem;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What has been tried on those who verify JWTs (RFC 8725), with a provider whose keys the test has.
@SuppressWarnings("NullAway") // set by JUnit
class IdTokensTest {
    private static final String AUDIENCE = "bundles.example";
    private static final Instant NOW = Instant.now();
    private static final List<String> ASKED = Collections.synchronizedList(new ArrayList<>());

    private static HttpServer provider;
    private static String issuer;
    private static RSAKey key;
    private static RSAKey encrypts;
    private static RSAKey evil;
    private static ECKey curve;
    private static IdTokens tokens;

    @BeforeAll
    static void start() throws Exception {
        key = new RSAKeyGenerator(2048).keyID("one").keyUse(KeyUse.SIGNATURE).generate();
        encrypts =
                new RSAKeyGenerator(2048).keyID("enc").keyUse(KeyUse.ENCRYPTION).generate();
        evil = new RSAKeyGenerator(2048).keyID("one").generate();
        curve = new ECKeyGenerator(Curve.P_256).keyID("curve").generate();
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer = "http://127.0.0.1:" + provider.getAddress().getPort() + "/trusted";
        String evilKeys = new JWKSet(evil).toString();
        String keys = new JWKSet(List.of(key, encrypts, curve)).toString();
        provider.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            ASKED.add(path);
            String body = switch (path) {
                case "/trusted/.well-known/openid-configuration" ->
                    "{\"issuer\": \"" + issuer + "\", \"jwks_uri\": \"" + issuer + "/keys\"}";
                case "/trusted/keys" -> keys;
                case "/trusted/broken/.well-known/openid-configuration" ->
                    "{\"issuer\": \"" + issuer + "/broken\", \"jwks_uri\": \"" + issuer + "/broken/keys\"}";
                case "/trusted/broken/keys" -> "{\"keys\": 1";
                case "/trusted/keyless/.well-known/openid-configuration" -> "{\"issuer\": \"" + issuer + "/keyless\"}";
                default -> evilKeys;
            };
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        provider.start();
        tokens = new IdTokens(List.of(issuer));
    }

    @AfterAll
    static void stop() {
        provider.stop(0);
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience(AUDIENCE)
                .jwtID(UUID.randomUUID().toString())
                .issueTime(Date.from(NOW))
                .expirationTime(Date.from(NOW.plusSeconds(300)));
    }

    private static JWSHeader.Builder header(JWSAlgorithm algorithm) {
        return new JWSHeader.Builder(algorithm).keyID("one").type(JOSEObjectType.JWT);
    }

    private static String signed(JWSHeader header, JWTClaimsSet claims, JWSSigner signer) throws Exception {
        var jwt = new SignedJWT(header, claims);
        jwt.sign(signer);
        return jwt.serialize();
    }

    private static String good(UnaryOperator<JWTClaimsSet.Builder> change) throws Exception {
        return signed(header(JWSAlgorithm.RS256).build(), change.apply(claims()).build(), new RSASSASigner(key));
    }

    private static IdToken verify(String text) {
        return tokens.verify(text, Set.of(AUDIENCE), NOW);
    }

    private static void assertRefused(String text, String because) {
        assertThat(refusal(() -> verify(text)).detail()).as(text).contains(because);
    }

    private static String encoded(String json) {
        return Base64URL.encode(json).toString();
    }

    @Test
    void aTokenOfTheProviderIsRead() throws Exception {
        assertThat(verify(good(claims -> claims)).issuer()).isEqualTo(issuer);
        assertThat(verify(signed(
                                new JWSHeader.Builder(JWSAlgorithm.ES256)
                                        .keyID("curve")
                                        .build(),
                                claims().build(),
                                new ECDSASigner(curve)))
                        .issuer())
                .isEqualTo(issuer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "None", "NONE", "nOnE", ""})
    void tokensWithoutSignatureAreNone(String algorithm) throws Exception {
        String body = good(claims -> claims).split("\\.")[1];
        String header = encoded("{\"alg\":\"" + algorithm + "\",\"kid\":\"one\"}");
        for (String signature : List.of("", "AAAA", good(claims -> claims).split("\\.")[2])) {
            assertRefused(header + "." + body + "." + signature, "");
        }
        assertRefused(new PlainJWT(claims().build()).serialize(), "not a signed JWT");
    }

    @Test
    void aPublicKeyIsNoSharedSecret() throws Exception {
        var der = key.toRSAPublicKey().getEncoded();
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END PUBLIC KEY-----\n";
        for (byte[] secret : List.of(
                der,
                pem.getBytes(StandardCharsets.US_ASCII),
                key.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8),
                key.getModulus().decode())) {
            assertRefused(
                    signed(header(JWSAlgorithm.HS256).build(), claims().build(), new MACSigner(secret)), "header alg");
        }
    }

    @Test
    void keysThatATokenBringsOrPointsAtAreNotLookedAt() throws Exception {
        ASKED.clear();
        var place = URI.create(issuer.replace("/trusted", "/evil"));
        var signer = new RSASSASigner(evil);
        var headers = List.of(
                header(JWSAlgorithm.RS256),
                header(JWSAlgorithm.RS256).keyID(null),
                header(JWSAlgorithm.RS256).jwk(evil.toPublicJWK()),
                header(JWSAlgorithm.RS256).jwk(evil.toPublicJWK()).keyID("evil"),
                header(JWSAlgorithm.RS256).jwkURL(place),
                header(JWSAlgorithm.RS256).x509CertURL(place));
        for (var header : headers) {
            assertRefused(signed(header.build(), claims().build(), signer), "not signed with a key of its issuer");
        }
        assertThat(ASKED).noneMatch(path -> path.startsWith("/evil"));
    }

    /// Each may be a key that the provider has changed to a moment ago.
    @Test
    void manyKeysThatNobodyHasAreAskedForOnlyNowAndThen() throws Exception {
        var fresh = new IdTokens(List.of(issuer));
        var signer = new RSASSASigner(evil);
        var texts = new ArrayList<String>();
        for (int i = 0; i < 200; i++) {
            var header =
                    new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("none-" + i).build();
            texts.add(signed(header, claims().build(), signer));
        }
        ASKED.clear();

        try (var pool = Executors.newFixedThreadPool(16)) {
            for (String text : texts) {
                pool.submit(() -> refusal(() -> fresh.verify(text, Set.of(AUDIENCE), NOW)));
            }
        }

        assertThat(Collections.frequency(ASKED, "/trusted/keys")).isBetween(1, 3);
        assertThat(fresh.verify(good(claims -> claims), Set.of(AUDIENCE), NOW)).isNotNull();
    }

    /// The issuer is at fault, not the token, however often it is shown.
    @Test
    void aTokenIsNotBlamedForKeysThatCannotBeRead() throws Exception {
        var broken = new IdTokens(List.of(issuer + "/broken", issuer + "/keyless"));
        for (String path : List.of("/broken", "/keyless")) {
            String text = good(claims -> claims.issuer(issuer + path));
            for (int i = 0; i < 5; i++) {
                assertThat(refusal(() -> broken.verify(text, Set.of(AUDIENCE), NOW)))
                        .as("%s %d", path, i)
                        .isInstanceOf(Problem.Unavailable.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "../../../../dev/null",
                "/dev/null",
                "one' OR '1'='1",
                "one\u0000",
                "One",
                "one\n",
                "enc",
                "curve",
                "http://127.0.0.1:9/keys",
                "|id"
            })
    void theIdOfAKeyIsOnlyCompared(String id) throws Exception {
        var header = header(JWSAlgorithm.RS256).keyID(id).build();

        assertRefused(signed(header, claims().build(), new RSASSASigner(key)), "not signed with a key of its issuer");
        assertRefused(
                signed(header, claims().build(), new RSASSASigner(encrypts)), "not signed with a key of its issuer");
    }

    @Test
    void signaturesThatWouldFitAnythingFitNothing() throws Exception { // CVE-2022-21449
        String header = encoded("{\"alg\":\"ES256\",\"kid\":\"curve\"}");
        String body = encoded(claims().build().toString());

        assertRefused(
                header + "." + body + "." + Base64URL.encode(new byte[64]), "not signed with a key of its issuer");
    }

    @Test
    void anExtensionThatMustBeUnderstoodIsNot() throws Exception { // RFC 7515, section 4.1.11
        var header = header(JWSAlgorithm.RS256)
                .criticalParams(Set.of("exp"))
                .customParam("exp", 1)
                .build();

        assertRefused(signed(header, claims().build(), new RSASSASigner(key)), "not signed with a key of its issuer");
    }

    @Test
    void onlyTheIssuerToTheLetterIsTrusted() throws Exception {
        for (String other : List.of(
                issuer + "/",
                issuer.replace("http", "HTTP"),
                issuer + "?",
                issuer + "#",
                issuer.replace("127.0.0.1", "127.0.0.1@evil.test"),
                issuer.replace("trusted", "trusted/../evil"),
                issuer.replace('e', '\u0435'), // Cyrillic
                issuer.replace("/trusted", "/evil"))) {
            assertRefused(good(claims -> claims.issuer(other)), "the claim iss");
        }
        assertRefused(good(claims -> claims.issuer(null)), "the claim iss");
    }

    @Test
    void theAudienceIsThisServiceAlone() throws Exception {
        for (String other : List.of(
                "", AUDIENCE + ".evil.test", "evil." + AUDIENCE, AUDIENCE.toUpperCase(Locale.ROOT), " " + AUDIENCE)) {
            assertRefused(good(claims -> claims.audience(other)), "the claim aud");
        }
        assertRefused(good(claims -> claims.audience(List.of(AUDIENCE, "evil.test"))), "the claim aud");
        assertRefused(good(claims -> claims.audience(List.of())), "the claim aud");
    }

    @Test
    void timesAndAnIdMustBeThere() throws Exception {
        assertRefused(good(claims -> claims.expirationTime(null)), "the claim exp");
        assertRefused(good(claims -> claims.expirationTime(Date.from(NOW.minusSeconds(61)))), "the claim exp");
        assertRefused(good(claims -> claims.issueTime(null)), "the claim iat");
        assertRefused(good(claims -> claims.issueTime(Date.from(NOW.plusSeconds(70)))), "the claim iat");
        assertRefused(good(claims -> claims.jwtID(null)), "the claim jti");
        for (String time : List.of("\"tomorrow\"", "[]", "{}", "1e400")) {
            String text = claims().build().toString().replaceFirst("\"exp\":\\d+", "\"exp\":" + time);
            var jws = new JWSObject(header(JWSAlgorithm.RS256).build(), new Payload(text));
            jws.sign(new RSASSASigner(key));
            assertRefused(jws.serialize(), "");
        }
        // seconds that are more than Java's milliseconds hold
        for (String claim : List.of("exp", "iat", "nbf")) {
            for (String time :
                    List.of("4611686018427387904", "9223372036854775807", "-9223372036854775808", "1e308", "-1")) {
                String text = claims().notBeforeTime(Date.from(NOW))
                        .build()
                        .toString()
                        .replaceFirst("\"" + claim + "\":\\d+", "\"" + claim + "\":" + time);
                var jws = new JWSObject(header(JWSAlgorithm.RS256).build(), new Payload(text));
                jws.sign(new RSASSASigner(key));
                assertRefused(jws.serialize(), "the claim " + claim);
            }
        }
    }

    @Test
    void whatIsNoTokenIsRefused() throws Exception {
        String good = good(claims -> claims);
        String deep = encoded("{\"alg\":" + "[".repeat(10_000));
        for (String text : List.of(
                "",
                ".",
                "..",
                "....",
                good + ".x",
                good + "\n" + good,
                good.substring(0, good.length() - 4),
                good.replace('.', '~'),
                deep + ".e30.AAAA",
                "A".repeat(40_000))) {
            assertRefused(text, "");
        }
    }
}
