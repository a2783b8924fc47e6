package dev.sheaf.model.passport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The page on the rules has the severities of `rules.yaml`.
class RulesPageTest {
    private static final Path PAGE = Path.of("../docs/scanning-rules.md");

    @Test
    void thePageHasARowForEachRuleWithAFinding() throws IOException {
        var rows = PassportRules.all().stream()
                .filter(rule -> rule.severity() != null)
                .map(RulesPageTest::row)
                .collect(Collectors.toList());
        var onPage = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();
        assertThat(onPage)
                .as("the rows of docs/scanning-rules.md, which should be:\n%s", String.join("\n", rows))
                .containsExactlyElementsOf(rows);
    }

    private static String row(PassportRule rule) {
        String quoted = rule.isQuotedIgnored() ? "none" : shown(rule.quoted());
        return "| "
                + String.join(
                        " | ",
                        List.of(
                                "`" + rule.id() + "`",
                                shown(rule.severity()),
                                quoted,
                                shown(rule.described()),
                                rule.text()))
                + " |";
    }

    private static String shown(@Nullable Severity severity) {
        return severity == null ? "" : severity.toString();
    }
}
