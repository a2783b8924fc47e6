package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import gg.jte.output.StringOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What templates print shows what it contains, without a word in the template.
class VisibleOutputTest {
    private static final Path TEMPLATES = Path.of("src/main/java/dev/sheaf/server");
    private static final Pattern FILLED = Pattern.compile("([a-z][a-z-]*)=\"[^\"<>]*?\\$\\{");

    /// The attributes that programs read: their values stay as they are.
    private static final Set<String> OF_PROGRAMS = Set.of(
            "action",
            "aria-busy",
            "aria-controls",
            "aria-current",
            "aria-describedby",
            "aria-disabled",
            "aria-expanded",
            "aria-invalid",
            "aria-labelledby",
            "aria-pressed",
            "autocomplete",
            "checked",
            "class",
            "d",
            "datetime",
            "disabled",
            "for",
            "formaction",
            "height",
            "href",
            "id",
            "list",
            "maxlength",
            "max",
            "min",
            "method",
            "name",
            "open",
            "readonly",
            "required",
            "rows",
            "selected",
            "src",
            "start",
            "type",
            "value",
            "width",
            "x",
            "y");

    private static String printed(String tag, String attribute, String text) {
        var out = new StringOutput();
        var visible = new VisibleOutput(out);
        visible.setContext(tag, attribute);
        visible.writeUserContent(text);
        return out.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "td, , a\u202Eb, a\u2039U+202E\u203ab",
        "a, title, a\u202Eb, a\u2039U+202E\u203ab",
        "p, , pay\u200Dpal, pay\u2039U+200D\u203apal",
        "p, , \u0645\u06CC\u200C\u062E, \u0645\u06CC\u200C\u062E",
        "p, , \uD83D\uDC68\u200D\uD83D\uDC69, \uD83D\uDC68\u200D\uD83D\uDC69",
        "textarea, , a\u202Eb, a\u202Eb",
        "input, value, a\u202Eb, a\u202Eb",
        "p, , <b>, &lt;b&gt;",
    })
    void writesHiddenCharactersOutWherePeopleRead(String tag, String attribute, String text, String shown) {
        assertThat(printed(tag, attribute, text)).isEqualTo(shown);
    }

    /// A new kind of attribute has to be known here, as one that people read or one that programs read; and nothing
    /// goes round the output.
    @Test
    void everyPlaceOfATemplateIsKnown() throws IOException {
        var faults = new ArrayList<String>();
        List<Path> all;
        try (var files = Files.walk(TEMPLATES)) {
            all = files.filter(file -> file.toString().endsWith(".jte")).toList();
        }
        for (Path file : all) {
            String template = Files.readString(file);
            if (template.contains("$unsafe")) {
                faults.add(file + ": $unsafe");
            }
            var filled = FILLED.matcher(template);
            while (filled.find()) {
                String name = filled.group(1);
                boolean isKnown = OF_PROGRAMS.contains(name)
                        || VisibleOutput.SHOWN.contains(name)
                        || name.startsWith("data-")
                        || name.startsWith("hx-")
                        || List.of("ox", "cx", "cy").contains(name);
                if (!isKnown) {
                    faults.add(file + ": " + name);
                }
            }
        }

        assertThat(all).hasSizeGreaterThan(80);
        assertThat(faults).isEmpty();
    }
}
