package dev.sheaf.engine.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FiltersTest {
    private static final List<String> VALUES = List.of(
            "input",
            "input.list",
            "input.objects",
            "input.nested",
            "input.none",
            "input.text",
            "input.empty",
            "true",
            "0",
            "-1",
            "9223372036854775807",
            "-9223372036854775808",
            "1.5",
            "0.0",
            "\"\"",
            "\" \"",
            "\"😀é\"",
            "\"%\"",
            "\"%-09Y\"",
            "\"2026-02-30\"",
            "(1..3)",
            "(3..1)",
            "nil",
            "empty");

    private static Map<String, Object> input() {
        var input = new HashMap<String, Object>(Map.of("list", List.of("b", 1, 2.5), "text", "a\n<b>&amp;%zz"));
        input.put("objects", List.of(Map.of("a", 1), Map.of()));
        input.put("nested", List.of(List.of(1, List.of(2)), List.of()));
        input.put("none", null);
        input.put("empty", List.of());
        return input;
    }

    /// Each filter with each kind of value, and of arguments: it gives text, or says what is wrong.
    @Test
    void noFilterBreaks() {
        var variables = Map.of("input", input());
        int rendered = 0;

        for (String filter : Filters.names()) {
            for (String value : VALUES) {
                for (String argument : VALUES) {
                    for (String more : List.of("", ": " + argument, ": " + argument + ", " + argument)) {
                        String template = "{{ " + value + " | " + filter + more + " }}";
                        try {
                            Golden.rendered(template, variables);
                            rendered++;
                        } catch (TemplateException e) {
                            assertThat(e).as(template).hasMessageStartingWith("line 1: ");
                        }
                    }
                }
            }
        }

        assertThat(rendered).isGreaterThan(10_000);
    }
}
