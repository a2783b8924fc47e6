package dev.sheaf.server.auth;

import static dev.sheaf.server.testing.Refusals.fault;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jwt.SignedJWT;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.server.auth.jwk.JwkSet;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import dev.sheaf.server.testing.Together;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// The keys of access tokens, over the years.
@SuppressWarnings("NullAway") // set by JUnit
@ParameterizedClass
@EnumSource(Databases.Kind.class)
class SigningKeysTest {
    private static final MasterSecret MASTER = MasterSecret.parse(MasterSecret.generate());
    private static final Grant.Limited NOTHING = new Grant.Limited(Map.of());
    private static final Duration NOTICE = Duration.ofMinutes(10);
    /// Between the test's clock and that of the database, and from one reading of it to the next.
    private static final Duration CLOCKS_DIFFER_AT_MOST = Duration.ofSeconds(5);
    private static final Duration QUARTER = Duration.ofDays(90);

    @Parameter
    private Databases.Kind kind;

    private final SettableClock clock = new SettableClock();
    private Database database;
    private SigningKeys keys;
    private AccessTokens tokens;

    @BeforeEach
    void open(@TempDir Path folder) {
        database = kind.open(folder, clock);
        keys = new SigningKeys(database, MASTER);
        tokens = new AccessTokens(keys);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private String token() {
        return tokens.issue(null, NOTHING, database.now()).expose();
    }

    private boolean isGood(String token) {
        return tokens.verify(token, database.now()).subject() == null;
    }

    private String kid(String token) throws Exception {
        return SignedJWT.parse(token).getHeader().getKeyID();
    }

    private List<String> published() {
        return keys.published().keys().stream().map(JwkSet.Key::kid).toList();
    }

    @Test
    void aNewKeyIsPublishedBeforeItSignsAndTheOldOneStaysGoodForItsTokens() throws Exception {
        String old = kid(token());
        assertThat(published()).containsExactly(old);

        keys.rotate();

        assertThat(published()).hasSize(2).startsWith(old);
        clock.advance(NOTICE.minus(CLOCKS_DIFFER_AT_MOST));
        String last = token();
        assertThat(kid(last)).as("just before the change").isEqualTo(old);

        clock.advance(CLOCKS_DIFFER_AT_MOST.multipliedBy(2));
        String first = token();

        assertThat(kid(first)).isEqualTo(published().getLast()).isNotEqualTo(old);
        assertThat(isGood(first) && isGood(last)).isTrue();
        clock.advance(AccessTokens.LIFETIME.minus(CLOCKS_DIFFER_AT_MOST.multipliedBy(3)));
        assertThat(isGood(last)).as("until it expires").isTrue();
    }

    @Test
    void aRetiredKeyIsRefusedThoughItsSignatureIsGood() throws Exception {
        var old = keys.signer(database.now());
        keys.rotate();
        clock.advance(NOTICE.plus(AccessTokens.LONGEST_CLAIM).plus(CLOCKS_DIFFER_AT_MOST));
        var good = SignedJWT.parse(token());
        var forged = new SignedJWT(
                new JWSHeader.Builder(good.getHeader()).keyID(old.id()).build(), good.getJWTClaimsSet());
        forged.sign(old);
        assertThat(isGood(forged.serialize())).as("in its last minute").isTrue();

        clock.advance(Duration.ofMinutes(1));

        assertThat(fault(() -> isGood(forged.serialize()))).isEqualTo(CredentialFault.EXPIRED);
        var again = new SignedJWT(forged.getHeader(), SignedJWT.parse(token()).getJWTClaimsSet());
        again.sign(old);
        assertThat(fault(() -> isGood(again.serialize())))
                .as("never seen before")
                .isEqualTo(CredentialFault.EXPIRED);
        assertThat(published()).doesNotContain(old.id()).hasSize(1);
    }

    @Test
    void aReplacedKeyEndsEveryTokenAtOnce() {
        String before = token();
        keys.rotate();

        keys.replace();
        clock.advance(CLOCKS_DIFFER_AT_MOST);

        assertThat(fault(() -> isGood(before))).isEqualTo(CredentialFault.EXPIRED);
        assertThat(isGood(token())).isTrue();
        assertThat(published()).hasSize(1);
    }

    @Test
    void aKeyIsRotatedByItselfOnceItIsOld() throws Exception {
        keys.rotateAfter(QUARTER);
        clock.advance(QUARTER.minus(CLOCKS_DIFFER_AT_MOST));
        keys.rotateAfter(QUARTER);
        assertThat(published()).hasSize(1);

        clock.advance(CLOCKS_DIFFER_AT_MOST.multipliedBy(2));
        var many = Together.run(8, i -> () -> {
            keys.rotateAfter(QUARTER);
            return i;
        });

        assertThat(many).hasSize(8);
        assertThat(published()).as("one new key, whoever asked").hasSize(2);
    }

    @Test
    void everyPublishedKeyIsAJwkThatVerifies() throws Exception {
        var token = SignedJWT.parse(token());

        var jwk = keys.published().keys().getFirst();

        assertThat(jwk.kid()).isEqualTo(token.getHeader().getKeyID());
        var read = OctetKeyPair.parse(Map.of("kty", jwk.kty(), "crv", jwk.crv(), "x", jwk.x()));
        assertThat(HexFormat.of().formatHex(read.getDecodedX())).hasSize(64);
        assertThat(Ed25519.verifies(read.getDecodedX(), token)).isTrue();
    }

    @Test
    void nodesThatShareADatabaseAgree() throws Exception {
        var nodes = new ArrayList<SigningKeys>(List.of(keys));
        nodes.addAll(Together.run(4, i -> () -> new SigningKeys(database, MASTER)));
        for (int round = 0; round < 2; round++) {
            for (var one : nodes) {
                String token = new AccessTokens(one)
                        .issue(null, NOTHING, database.now())
                        .expose();
                for (var other : nodes) {
                    assertThat(new AccessTokens(other)
                                    .verify(token, database.now())
                                    .subject())
                            .isNull();
                    assertThat(other.published()).isEqualTo(one.published());
                }
            }
            keys.rotate();
            clock.advance(NOTICE.plus(CLOCKS_DIFFER_AT_MOST));
        }
    }

    /// A node that has not heard of a key looks once before it refuses what the key signed.
    @Test
    void aTokenOfAnotherNodeIsGoodFromTheFirstMomentOn() {
        var settings = Databases.postgres();
        var clock = new SettableClock();
        try (var here = new PostgresDatabase(settings, clock);
                var there = new PostgresDatabase(settings, clock)) {
            var ours = new SigningKeys(here, MASTER);
            var theirs = new AccessTokens(new SigningKeys(there, MASTER));
            String before =
                    new AccessTokens(ours).issue(null, NOTHING, here.now()).expose();
            theirs.verify(before, there.now());

            ours.replace();
            clock.advance(CLOCKS_DIFFER_AT_MOST);
            String after =
                    new AccessTokens(ours).issue(null, NOTHING, here.now()).expose();

            assertThat(theirs.verify(after, there.now()).subject()).isNull();
            assertThat(fault(() -> theirs.verify(before, there.now()))).isEqualTo(CredentialFault.EXPIRED);
        }
    }

    /// As somebody checks a signature who has nothing but the published key.
    private static final class Ed25519 {
        static boolean verifies(byte[] x, SignedJWT token) throws Exception {
            var prefix = HexFormat.of().parseHex("302a300506032b6570032100"); // RFC 8410, section 4
            var encoded = new byte[prefix.length + x.length];
            System.arraycopy(prefix, 0, encoded, 0, prefix.length);
            System.arraycopy(x, 0, encoded, prefix.length, x.length);
            var key = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
            var signature = Signature.getInstance("Ed25519");
            signature.initVerify(key);
            signature.update(token.getSigningInput());
            return signature.verify(token.getSignature().decode());
        }
    }
}
