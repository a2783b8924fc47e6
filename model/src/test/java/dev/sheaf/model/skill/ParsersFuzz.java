package dev.sheaf.model.skill;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.sheaf.model.LogicalPath;
import java.nio.charset.StandardCharsets;

/// A SKILL.md of any bytes: it is parsed, or refused with the line; the rules never fail on it.
class ParsersFuzz {
    private static final LogicalPath PATH = new LogicalPath("skills/fuzz/SKILL.md");

    @FuzzTest
    void skill(byte[] data) {
        boolean isRead = true;
        try {
            var text = SkillText.parse(data);
            assertThat(text.frontMatter()).hasSizeLessThan(2_001);
            assertThat(text.keywords()).noneMatch(String::isBlank);
            assertThat(!SkillRules.isListed(text) || text.description().isPresent())
                    .isTrue();
        } catch (SkillText.Wrong e) {
            assertThat(e.getMessage()).isNotBlank();
            assertThat(e.line()).isNotNegative();
            isRead = false;
        }
        var notes = SkillRules.ofDocument("kit", PATH, data);
        assertThat(isRead || notes.getFirst().level() == SkillNote.Level.ERROR).isTrue();
        assertThat(notes).allMatch(note -> note.line() >= 0 && !note.message().isBlank());
    }

    @FuzzTest
    void settings(byte[] data) {
        AgentSettings.of(".mcp.json", new String(data, StandardCharsets.UTF_8))
                .ifPresent(started -> assertThat(started)
                        .allMatch(one -> one.line() > 0 && !one.words().isBlank()));
    }
}
