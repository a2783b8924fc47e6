package dev.sheaf.model.skill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The expected fingerprints are those that ClawHub's client 0.23.3 computes.
class SkillFingerprintTest {
    private static Digest digest(String text) {
        return Digest.sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void sortsAsJavaScriptCompares() {
        var files = Map.of(
                "SKILL.md", digest("skill"),
                "a_b.md", digest("1"),
                "a-b.md", digest("2"),
                "A.md", digest("3"),
                "a.md", digest("4"),
                "a/b.md", digest("5"),
                "Z10.txt", digest("6"),
                "z9.txt", digest("7"));

        assertThat(SkillFingerprint.of(files))
                .contains("b9ca73fee123e158d0462a4113a2f5a9243cc5d26c0ad182cb1804f08291db45");
    }

    @Test
    void leavesOutWhatTheClientHides() {
        var alone = Map.of("SKILL.md", digest("skill"));
        var hidden = Map.of(
                "SKILL.md", digest("skill"),
                ".env", digest("1"),
                "docs/.keep", digest("2"),
                "node_modules/x/y.js", digest("3"));

        assertThat(SkillFingerprint.of(hidden))
                .isEqualTo(SkillFingerprint.of(alone))
                .isPresent();
    }

    @Test
    void isUnknownWhereTheClientMayDiffer() {
        var skill = digest("skill");
        assertThat(SkillFingerprint.of(Map.of("SKILL.md", skill, "ä.md", skill)))
                .isEmpty();
        assertThat(SkillFingerprint.of(Map.of("SKILL.md", skill, ".gitignore", skill)))
                .isEmpty();
        assertThat(SkillFingerprint.of(Map.of("SKILL.md", Digest.of(Digest.Algorithm.SHA512, new byte[0]))))
                .isEmpty();
        assertThat(SkillFingerprint.of(Map.of(".env", skill))).isEmpty();
    }
}
