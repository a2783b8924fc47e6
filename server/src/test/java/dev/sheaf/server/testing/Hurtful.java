package dev.sheaf.server.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;

/// Texts that make parsers go quadratic, recurse, or grow what they were given: families, each of any length.
public final class Hurtful {
    private static final List<String> PIECES = List.of(
            "a*b_c~~d ",
            "*a ",
            "**a",
            "*a **b ",
            "a**bc*",
            "_a*",
            "*_~[`",
            "~~a ~",
            "[*a](b)*",
            "*[a*](b)",
            "**a *",
            "[",
            "![",
            "[a](",
            "![a](",
            "[a](b ",
            "]",
            "[a]",
            "[[a]",
            " [a](<b",
            "[a][",
            "[a\n",
            "[a]:\n",
            "[a]: <b\n",
            "[a]:b 'c\n",
            "[a]:b (c\n",
            "[^",
            "<",
            "<a ",
            "<a x=",
            "<b x='",
            "<!--",
            "<?",
            "<!A ",
            "<![CDATA[",
            "</",
            "<a href=\"",
            "<div>",
            "<div>\n",
            "<b><i>",
            "<table>",
            "<td>",
            "<li>",
            "<ul><li>",
            "<p>",
            "</b>",
            "<details>\n\n",
            "<style>",
            "<svg>",
            "<select>",
            "`",
            "`a",
            "`a``",
            "`\n",
            "\\",
            "\\\n",
            "&",
            "&#",
            "&amp;",
            "&#x41;",
            "> ",
            ">>> a\n",
            "> a\nb\n",
            "a\n> b\n",
            "- ",
            "- a\n  - b\n",
            "- a\n\n  b\n",
            "* a\n",
            "* a\n  ",
            "1. ",
            "1) a\n",
            "# a\n",
            "a\n===\n",
            "|a|b|\n",
            "a|b\n-|-\n",
            "|",
            "```\n",
            "    a\n",
            "\n",
            "\t",
            "\r",
            "a  \n",
            "a\n\n",
            "a@",
            "a@b.c ",
            "www.",
            "http://a.b/(",
            "https://a.b.",
            "\"'(",
            "\0",
            "\uFFFD",
            "\uD83D\uDE00",
            "\u200B",
            "\u0301",
            "-----BEGIN PRIVATE KEY",
            "-----BEGIN PRIVATE KEY-----\nAAAA",
            "AKIA",
            "ghp_aaaa",
            "shf_",
            "{",
            "[1,",
            "{\"a\":",
            "a ");

    private Hurtful() {}

    /// All families by name; the argument is about how many characters to make.
    public static Map<String, IntFunction<String>> texts() {
        var families = new LinkedHashMap<String, IntFunction<String>>();
        for (String piece : PIECES) {
            families.put("repeated: " + piece, length -> repeated(piece, length));
        }
        families.put("in and out: *", length -> repeated("*", length / 2) + "a" + repeated("*", length / 2));
        families.put("in and out: *a", length -> repeated("*a ", length / 2) + "b" + repeated(" a*", length / 2));
        families.put("in and out: [", length -> repeated("[", length / 4) + "a" + repeated("](b)", 3 * length / 4));
        families.put("in and out: ![", length -> repeated("![", length / 4) + "a" + repeated("](b)", 3 * length / 4));
        families.put("in and out: <div>", length -> repeated("<div>", length / 2) + repeated("</div>", length / 2));
        families.put("crossed tags", length -> repeated("<b>", length / 2) + repeated("</i>", length / 2));
        families.put("ticks of all lengths", length -> counted(length, i -> "`".repeat(i + 1) + "a"));
        families.put("links defined", length -> counted(length, i -> "[a" + i + "]: b\n"));
        families.put(
                "a long link used often",
                length -> "[a]: " + repeated("b", length / 2) + "\n\n" + repeated("[a] ", length / 2));
        families.put("attributes", length -> "<a " + counted(length, i -> "a" + i + "=b ") + ">");
        families.put("one attribute", length -> "<a " + repeated("href=b ", length) + ">");
        families.put("a long path", length -> "<a href=\"" + repeated("a/../", length) + "\">x</a>");
        families.put("a wide table", length -> repeated("|a", length / 2) + "\n" + repeated("|-", length / 2) + "\n");
        families.put(
                "a wide table of short rows",
                length -> repeated("|a", length / 4) + "\n" + repeated("|-", length / 4) + "\n"
                        + repeated("|\n", length / 2));
        families.put("a long table", length -> "|a|\n|-|\n" + repeated("|a\n", length));
        families.put("a paragraph before a table", length -> repeated("a|b\n", length) + "-|-\n");
        return families;
    }

    /// The same pieces in paragraphs that have just as many marks, or lines, as one may have.
    public static Map<String, IntFunction<String>> paragraphs(int marks) {
        var families = new LinkedHashMap<String, IntFunction<String>>();
        for (String piece : PIECES) {
            long each = Math.max(
                    1,
                    piece.chars().filter(c -> "*_~[]!<&`\\\n@:".indexOf(c) >= 0).count());
            String paragraph = piece.repeat((int) ((marks - 10) / each)) + "\n\n";
            families.put("in paragraphs: " + piece, length -> repeated(paragraph, length));
        }
        return families;
    }

    /// Some pieces in a row, repeated, chosen by the seed.
    public static IntFunction<String> mixed(long seed) {
        var random = new Random(seed);
        var row = new ArrayList<String>();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            row.add(PIECES.get(random.nextInt(PIECES.size())).repeat(random.nextInt(1, 4)));
        }
        String piece = String.join("", row);
        return length -> repeated(piece, length);
    }

    private static String repeated(String piece, int length) {
        return piece.repeat(Math.max(1, length / piece.length()));
    }

    private static String counted(int length, IntFunction<String> piece) {
        var text = new StringBuilder();
        for (int i = 0; text.length() < length; i++) {
            text.append(piece.apply(i));
        }
        return text.toString();
    }
}
