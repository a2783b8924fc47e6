package dev.sheaf.server.console.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.cpu.Budget;
import dev.sheaf.server.testing.Cost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HighlighterTest {
    /// The pieces of a text that have the style.
    private static List<String> pieces(String text, Language language, Style style) {
        byte[] styles = Highlighter.styles(text, language, budget());
        var pieces = new ArrayList<String>();
        int from = -1;
        for (int i = 0; i <= styles.length; i++) {
            boolean has = i < styles.length && styles[i] == style.ordinal();
            if (has && from < 0) {
                from = i;
            } else if (!has && from >= 0) {
                pieces.add(text.substring(from, i));
                from = -1;
            }
        }
        return pieces;
    }

    private static Budget budget() {
        return Budget.of(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "PYTHON; x = 'a'  # why; COMMENT; # why",
                "PYTHON; def f(): return 12; NUMBER; 12",
                "JAVA; int i = 1 /* a b */ + 2; COMMENT; /* a b */",
                "JAVA; String s = \"a \\\" // b\"; STRING; \"a \\\" // b\"",
                "JAVASCRIPT; let a = `x ${y}`; STRING; `x ${y}`",
                "SHELL; echo \"$x\" $HOME; NUMBER; $HOME",
                "YAML; - run: ls # why; COMMENT; # why",
                "YAML; - run: ls; KEYWORD; run",
                "YAML; url: http://x#y; KEYWORD; url",
                "TOML; [a.b]; HEADING; [a.b]",
                "TOML; name = 'x'; STRING; 'x'",
                "XML; <a b='c'>d; STRING; 'c'",
                "XML; a <!-- b -->; COMMENT; <!-- b -->",
                "MARKDOWN; ## A `b`; HEADING; ## A `b`",
                "MARKDOWN; a ``b ` c`` d; STRING; ``b ` c``",
            })
    void findsWhatALanguageHas(Language language, String text, Style style, String piece) {
        assertThat(pieces(text, language, style)).containsExactly(piece);
    }

    @Test
    void namesInJsonAreNoStrings() {
        String text = "{\"a\": [\"b\", 1, true]}";

        assertThat(pieces(text, Language.JSON, Style.STRING)).containsExactly("\"b\"");
        assertThat(pieces(text, Language.JSON, Style.KEYWORD)).containsExactly("\"a\"", "true");
    }

    @Test
    void blocksOfCodeInMarkdownHaveTheirOwnLanguage() {
        String text = "---\nname: x\n---\n# A\n```py\n# not a heading\n```\n# B\n";

        assertThat(pieces(text, Language.MARKDOWN, Style.KEYWORD)).containsExactly("name");
        assertThat(pieces(text, Language.MARKDOWN, Style.HEADING)).containsExactly("# A", "# B");
        assertThat(pieces(text, Language.MARKDOWN, Style.COMMENT)).contains("# not a heading");
    }

    @Test
    void aFileIsKnownByItsEndingOrItsFirstLine() {
        assertThat(Language.of("a/b.PY", "")).isEqualTo(Language.PYTHON);
        assertThat(Language.of("run", "#!/usr/bin/env python3\n")).isEqualTo(Language.PYTHON);
        assertThat(Language.of("run", "#!/bin/sh\n")).isEqualTo(Language.SHELL);
        assertThat(Language.of("LICENSE", "text")).isEqualTo(Language.PLAIN);
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void takesTimeInProportionWhateverIsThere(Language language) {
        for (String piece : List.of(
                "\"", "'", "`", "``` ` ", "<", "<a ", "<a b=\"", "<!--", "/*", "*/ /*", "#", "- ", "[", "a: ", "a=",
                "\\", "${{", "$", "\n", "```\n", "\"\"\"", "'''", "a", "1.", " ", "\n---", "-")) {
            Cost.growsAtMostWithItsInput(
                    language + " of " + piece,
                    1 << 15,
                    1 << 18,
                    length -> ("---\n" + piece.repeat(length / piece.length() + 1)).substring(0, length),
                    text -> Highlighter.styles(text, language, budget()));
        }
    }

    /// No text may lead outside of itself.
    @ParameterizedTest
    @EnumSource(Language.class)
    void endsWhereTheTextEnds(Language language) {
        var parts = List.of(
                "\"", "'", "`", "\\", "\n", "<", "<!--", "/*", "#", "-", " ", "${", "```", "'''", ":", "=", "[", "a",
                "1", "---\n");
        for (String a : parts) {
            for (String b : parts) {
                for (String c : parts) {
                    String text = a + b + c;
                    assertThat(Highlighter.styles(text, language, budget())).hasSize(text.length());
                }
            }
        }
    }
}
