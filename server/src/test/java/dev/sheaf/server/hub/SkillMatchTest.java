package dev.sheaf.server.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Which skills of a collection a search means, and that hostile ones cost little.
class SkillMatchTest {
    private static final String BUNDLE = "acme/otter-kit Otter kit";

    private static HubSkillRows.Found skill(String name, String description) {
        return new HubSkillRows.Found(7, name, description, "", "", "skills/" + name + "/SKILL.md", 1);
    }

    private static long found(SkillMatch match, List<HubSkillRows.Found> skills) {
        return skills.stream().filter(skill -> match.is(BUNDLE, skill)).count();
    }

    @Test
    void aSkillHasAtLeastOneTermAndTheBundleMayHaveTheOthers() {
        var match = new SkillMatch(List.of("otter", "sort"));
        assertThat(match.is(BUNDLE, skill("a", "Sorts things."))).isTrue();
        assertThat(match.is(BUNDLE, skill("a", "Resorts things."))).isFalse();
        assertThat(match.is(BUNDLE, skill("a", "Draws."))).isFalse();
        assertThat(match.is(BUNDLE, skill("a", "S\u00F3rts."))).isTrue();
    }

    @Test
    void onlySomeTextsAreSplitAndPlainOnesThatCannotMatchAreNot() {
        var plain = IntStream.range(0, 1_280)
                .mapToObj(i -> skill("a" + i, "Draws."))
                .toList();
        var hostile = IntStream.range(0, 1_280)
                .mapToObj(i -> skill("b" + i, "sort \uFDFA".repeat(100)))
                .toList();
        var match = new SkillMatch(List.of("otter", "sort"));

        assertThat(found(match, plain)).isZero();
        assertThat(match.is(BUNDLE, skill("c", "Sorts."))).isTrue();
        assertThat(found(match, hostile)).isLessThan(200);
    }

    @Test
    void aLetterThatIsASentenceIsNotReadAsOne() {
        assertThat(SearchWords.of("\uFDFA".repeat(1_000)).toString()).hasSizeLessThan(5_000);
        assertThat(SearchMarks.of("otter").in("\uFDFA".repeat(1_000))).hasSize(1);
    }
}
