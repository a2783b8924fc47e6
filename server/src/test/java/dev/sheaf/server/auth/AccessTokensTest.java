package dev.sheaf.server.auth;

import static dev.sheaf.server.testing.Refusals.fault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Gen;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.auth.jwk.Ed25519Key;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.testing.Databases;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTokensTest {
    private static final Instant NOW = Instant.parse("2030-01-31T12:00:00Z");
    private static final UUID KEY = UUID.fromString("01234567-89ab-7def-8123-456789abcdef");
    private static final String PUBLIC_OF_ZERO_SEED =
            "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29";
    private static final TokenSubject SUBJECT = new TokenSubject.Key(KEY);
    private static final String MASTER = MasterSecret.generate();
    private static final Grant.Limited GRANT =
            new Grant.Limited(Map.of("acme/kit", Set.of(Grant.Action.PULL, Grant.Action.PUSH)));

    @TempDir
    private static Path folder;

    private final Database database = Databases.sqlite(folder.resolve("sheaf.db"), () -> NOW);
    private final SigningKeys keys = new SigningKeys(database, MasterSecret.parse(MASTER));
    private final AccessTokens tokens = new AccessTokens(keys);
    /// What the service itself signs with, for tokens that only it could have made.
    private final Ed25519Key signer = keys.signer(NOW);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void readsWhatItIssued() {
        String token = tokens.issue(SUBJECT, GRANT, NOW).expose();

        var read = tokens.verify(token, NOW);

        assertThat(read.subject()).isEqualTo(SUBJECT);
        assertThat(read.grant()).isEqualTo(GRANT);
        assertThat(read.expiresAt()).isEqualTo(NOW.plus(AccessTokens.LIFETIME));
    }

    @Test
    void namesTheInstallationAsIssuerAndAudience() throws Exception {
        var named = new AccessTokens(keys, "https://bundles.example.com");
        String token = named.issue(SUBJECT, GRANT, NOW).expose();

        var claims = SignedJWT.parse(token).getJWTClaimsSet();

        assertThat(claims.getIssuer()).isEqualTo("https://bundles.example.com");
        assertThat(claims.getAudience()).containsExactly("https://bundles.example.com");
        assertThat(named.verify(token, NOW).subject()).isEqualTo(SUBJECT);
        assertThat(named.verify(tokens.issue(SUBJECT, GRANT, NOW).expose(), NOW).subject())
                .as("from before the address was set")
                .isEqualTo(SUBJECT);
        assertThatThrownBy(() -> new AccessTokens(keys, "https://other.example.com").verify(token, NOW))
                .isInstanceOf(ProblemException.class);
    }

    @Test
    void readsWhatAnotherNodeIssued() {
        String token = tokensOf(MASTER).issue(null, GRANT, NOW).expose();

        assertThat(tokens.verify(token, NOW).subject()).isNull();
    }

    /// A key may have thousands of tokens a minute, each as long as a header may be.
    @Test
    void longTokensTakeNoMoreMemoryThanManyShortOnes() {
        var wide = new Grant.Limited(IntStream.range(0, 40)
                .boxed()
                .collect(Collectors.toMap(i -> "n".repeat(60) + i + "/kit", i -> Set.of(Grant.Action.PULL))));
        long most = HeapShare.ACCESS_TOKENS.bytes();
        long seen = 0;
        for (int i = 0; 4 * seen < most + (1 << 20); i++) {
            String token = tokens.issue(new TokenSubject.Key(new UUID(0, i)), wide, NOW)
                    .expose();
            assertThat(tokens.verify(token, NOW).grant()).isEqualTo(wide);
            seen += token.length();
        }

        assertThat(tokens.remembered()).isBetween(1L, most);
    }

    @Test
    void allowsWhatWasGrantedAndNothingElse() {
        var grant =
                tokens.verify(tokens.issue(SUBJECT, GRANT, NOW).expose(), NOW).grant();

        assertThat(grant.allows(RepositoryName.parse("acme/kit"), Grant.Action.PUSH))
                .isTrue();
        assertThat(grant.allows(RepositoryName.parse("acme/kit"), Grant.Action.DELETE))
                .isFalse();
        assertThat(grant.allows(RepositoryName.parse("acme/other"), Grant.Action.PULL))
                .isFalse();
    }

    @Test
    void expiresToTheMillisecond() {
        String token = tokens.issue(SUBJECT, GRANT, NOW).expose();
        var end = NOW.plus(AccessTokens.LIFETIME);

        assertThat(tokens.verify(token, end.minusMillis(1)).subject()).isEqualTo(SUBJECT);
        assertThat(fault(() -> tokens.verify(token, end))).isEqualTo(CredentialFault.EXPIRED);
    }

    @Test
    void isNotValidBeforeItsTimeButForgivesAMinute() {
        String token = tokens.issue(SUBJECT, GRANT, NOW).expose();

        assertThat(tokens.verify(token, NOW.minusSeconds(60)).subject()).isEqualTo(SUBJECT);
        assertThat(fault(() -> tokens.verify(token, NOW.minusSeconds(61)))).isEqualTo(CredentialFault.MALFORMED);
    }

    @Test
    void refusesATokenOfAnotherInstallation() {
        String token =
                tokensOf(MasterSecret.generate()).issue(SUBJECT, GRANT, NOW).expose();

        assertThat(fault(() -> tokens.verify(token, NOW))).isEqualTo(CredentialFault.MALFORMED);
    }

    @Test
    void refusesTokensMadeForSomethingElseThoughTheSignatureIsGood() throws Exception {
        assertThat(fault(() -> tokens.verify(signed(claims().audience("other")), NOW)))
                .isEqualTo(CredentialFault.MALFORMED);
        assertThat(fault(() -> tokens.verify(signed(claims().audience(List.of("sheaf", "other"))), NOW)))
                .isEqualTo(CredentialFault.MALFORMED);
        assertThat(fault(() -> tokens.verify(signed(claims().issuer("other")), NOW)))
                .isEqualTo(CredentialFault.MALFORMED);
        assertThat(tokens.verify(signed(claims()), NOW).subject())
                .as("these claims as they are")
                .isEqualTo(SUBJECT);
    }

    @Test
    void refusesGoodSignaturesOverClaimsThatLackSomething() throws Exception {
        assertThat(fault(() -> tokens.verify(signed(claims().expirationTime(null)), NOW)))
                .isEqualTo(CredentialFault.MALFORMED);
        assertThat(fault(() -> tokens.verify(signed(claims().notBeforeTime(null)), NOW)))
                .isEqualTo(CredentialFault.MALFORMED);
        assertThat(fault(() -> tokens.verify(signed(claims().subject("no uuid")), NOW)))
                .isEqualTo(CredentialFault.MALFORMED);
    }

    @Test
    void refusesOtherAlgorithmsAndKeys() throws Exception {
        String good = signed(claims());
        var hmac = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(signer.id()).build(), claims().build());
        hmac.sign(new MACSigner(MasterSecret.parse(MASTER).derive("registry-token/" + signer.id())));

        assertThat(fault(() -> tokens.verify(new PlainJWT(claims().build()).serialize(), NOW)))
                .isEqualTo(CredentialFault.MALFORMED);
        assertThat(fault(() -> tokens.verify(hmac.serialize(), NOW))).isEqualTo(CredentialFault.MALFORMED);
        for (String header : List.of(
                "{\"alg\":\"none\",\"kid\":\"" + signer.id() + "\"}",
                "{\"alg\":\"HS256\",\"kid\":\"" + signer.id() + "\"}",
                "{\"alg\":\"ES256\",\"kid\":\"" + signer.id() + "\"}")) {
            assertThat(fault(() -> tokens.verify(withHeader(header, good), NOW)))
                    .isEqualTo(CredentialFault.MALFORMED);
        }
    }

    @Test
    void refusesAnotherKeyIdThoughTheSignatureIsGood() throws Exception {
        for (String kid : new String[] {UUID.randomUUID().toString(), "", null}) {
            var jwt = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.EdDSA).keyID(kid).build(), claims().build());
            jwt.sign(signer);

            assertThat(fault(() -> tokens.verify(jwt.serialize(), NOW))).isEqualTo(CredentialFault.MALFORMED);
        }
    }

    @Test
    void ignoresAKeyThatTheTokenBringsAlong() throws Exception {
        var attacker = Ed25519Key.fromSeed(signer.id(), new byte[32]);
        var jwk = OctetKeyPair.parse("{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\""
                + Base64URL.encode(HexFormat.of().parseHex(PUBLIC_OF_ZERO_SEED)) + "\"}");
        var elsewhere = URI.create("http://127.0.0.1:1/keys");
        for (var header : List.of(
                new JWSHeader.Builder(JWSAlgorithm.EdDSA).jwk(jwk),
                new JWSHeader.Builder(JWSAlgorithm.EdDSA).jwkURL(elsewhere),
                new JWSHeader.Builder(JWSAlgorithm.EdDSA).x509CertURL(elsewhere),
                new JWSHeader.Builder(JWSAlgorithm.EdDSA)
                        .x509CertChain(List.of(com.nimbusds.jose.util.Base64.encode("certificate"))))) {
            var forged = new SignedJWT(header.keyID(signer.id()).build(), claims().build());
            var own = new SignedJWT(header.keyID(signer.id()).build(), claims().build());
            forged.sign(attacker);
            own.sign(signer);

            assertThat(fault(() -> tokens.verify(forged.serialize(), NOW))).isEqualTo(CredentialFault.MALFORMED);
            assertThat(tokens.verify(own.serialize(), NOW).subject()).isEqualTo(SUBJECT);
        }
    }

    /// Of the signature's last character only two bits count, so it stays as it is.
    @Test
    void refusesEveryChangeOfACharacter() {
        String token = tokens.issue(SUBJECT, GRANT, NOW).expose();

        Gen.forAll(500, gen -> {
            int i = gen.number(0, token.length() - 2);
            char other = gen.text("ABCabc019-_.", 1, 1).charAt(0);
            if (other != token.charAt(i)) {
                String changed = token.substring(0, i) + other + token.substring(i + 1);
                assertThat(fault(() -> tokens.verify(changed, NOW))).isEqualTo(CredentialFault.MALFORMED);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "...",
                "a",
                "a.b.c",
                "e30.e30.e30",
                "eyJhbGciOiJFZDI1NTE5In0..",
                "😀.😀.😀",
                "\u0000"
            })
    void refusesGarbage(String text) {
        assertThat(fault(() -> tokens.verify(text, NOW))).isEqualTo(CredentialFault.MALFORMED);
    }

    @Test
    void refusesRandomGarbage() {
        Gen.forAll(2_000, gen -> {
            String text = gen.chance(0.5)
                    ? gen.anyText(0, 60)
                    : base64(gen.anyText(0, 40)) + "." + base64(gen.anyText(0, 40)) + "." + gen.text("aZ0-_", 0, 90);
            assertThat(fault(() -> tokens.verify(text, NOW))).isEqualTo(CredentialFault.MALFORMED);
        });
    }

    @Test
    void refusesHeadersThatAreHugeOrDeep() {
        String good = tokens.issue(SUBJECT, GRANT, NOW).expose();

        assertThat(fault(() -> tokens.verify(good + "A".repeat(8 << 10), NOW))).isEqualTo(CredentialFault.MALFORMED);
        assertThat(fault(() -> tokens.verify("A".repeat(10 << 20), NOW))).isEqualTo(CredentialFault.MALFORMED);
        for (String open : List.of("[", "{\"a\":")) {
            String deep = "{\"alg\":" + open.repeat(5_000 / open.length());
            assertThat(fault(() -> tokens.verify(withHeader(deep, good), NOW))).isEqualTo(CredentialFault.MALFORMED);
        }
    }

    // --- made by hand ---

    /// Those of a node that shares the database.
    private AccessTokens tokensOf(String master) {
        return new AccessTokens(new SigningKeys(database, MasterSecret.parse(master)));
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer("sheaf")
                .audience("sheaf")
                .subject("key:" + KEY)
                .notBeforeTime(Date.from(NOW))
                .expirationTime(Date.from(NOW.plus(Duration.ofMinutes(5))));
    }

    private String signed(JWTClaimsSet.Builder claims) throws Exception {
        var jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.EdDSA).keyID(signer.id()).build(), claims.build());
        jwt.sign(signer);
        return jwt.serialize();
    }

    private static String withHeader(String header, String token) {
        return base64(header) + token.substring(token.indexOf('.'));
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
