package dev.sheaf.server.identity.factor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is kept of an authenticator, and of the codes that stand in for it.
class RecoveryCodesTest {
    private static final UUID ADA = new UUID(1, 1);
    private static final UUID BOB = new UUID(1, 2);
    private static final MasterSecret MASTER = MasterSecret.parse(MasterSecret.generate());
    private static final MasterSecret OTHER = MasterSecret.parse(MasterSecret.generate());
    private static final Secret CODE = Secret.of("abcd-efgh-jkmn-pqrs-tuvw-xyz2-3456");

    private final RecoveryCodes codes = new RecoveryCodes(MASTER);
    private final SealedSeeds seeds = new SealedSeeds(MASTER);

    @Test
    void areTenOfTheirOwn() {
        assertThat(RecoveryCodes.generate())
                .hasSize(10)
                .doesNotHaveDuplicates()
                .allMatch(code -> code.expose().matches("([a-km-np-z2-9]{4}-){6}[a-km-np-z2-9]{4}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ABCD-EFGH-JKMN-PQRS-TUVW-XYZ2-3456",
                "abcdefghjkmnpqrstuvwxyz23456",
                " abcd efgh jkmn pqrs tuvw xyz2 3456\n"
            })
    void areGoodHoweverTheyAreTyped(String typed) {
        assertThat(codes.hash(ADA, Secret.of(typed))).isEqualTo(codes.hash(ADA, CODE));
    }

    @Test
    void areGoodForOneAccountOnly() {
        assertThat(codes.hash(BOB, CODE)).isNotEqualTo(codes.hash(ADA, CODE));
    }

    @Test
    void areHashedUnderTheMasterSecret() {
        assertThat(new RecoveryCodes(OTHER).hash(ADA, CODE)).isNotEqualTo(codes.hash(ADA, CODE));
    }

    @Test
    void aSeedIsReadAsItWasSealed() {
        byte[] seed = seeds.generate();

        assertThat(seeds.open(ADA, seeds.seal(ADA, seed)))
                .hasValueSatisfying(read -> assertThat(read).isEqualTo(seed).hasSize(TotpCodes.SEED));
    }

    @Test
    void aSeedIsNobodyElses() {
        assertThat(seeds.open(BOB, seeds.seal(ADA, seeds.generate()))).isEmpty();
    }

    @Test
    void aSeedIsNotReadUnderAnotherMasterSecret() {
        assertThat(new SealedSeeds(OTHER).open(ADA, seeds.seal(ADA, seeds.generate())))
                .isEmpty();
    }
}
