package dev.sheaf.server.bundle.pages.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.model.wire.bundle.VersionDiff;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a comparison warns of, and the work for it.
class AddedFindingsTest {
    private static List<AddedFindings> of(String diff) {
        var change = new VersionDiff.Change("changed", "a.md", null, null, null, diff, null);
        return AddedFindings.of(List.of(change), Budget.of(Duration.ofSeconds(1)));
    }

    @Test
    void namesTheLineOfTheFirstOfEachAddedCharacter() {
        assertThat(of("@@ -4,2 +4,3 @@\n-\u200B\n+a\n+\u200B\u200B\n+\u00AD\u200B\n"))
                .containsExactly(
                        new AddedFindings("a.md", 5, "U+200B (zero width space)"),
                        new AddedFindings("a.md", 6, "U+00AD (soft hyphen)"));
    }

    @Test
    void aLineOfHiddenCharactersTakesTimeInProportionToItsLength() {
        String line = "\u0001".repeat(1 << 20);

        assertThat(of("@@ -1 +1 @@\n-" + line + "\n+" + line + "\u200B\n"))
                .containsExactly(new AddedFindings("a.md", 1, "U+200B (zero width space)"));
    }
}
