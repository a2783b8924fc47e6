package dev.sheaf.server.console.source;

import java.util.List;
import java.util.Set;

/// The words, comments and strings of a language.
///
/// @param comments the marks of comments that end with their line
/// @param blocks whether there are comments between slashes with stars
/// @param quotes the quotes of strings within one line
/// @param longQuotes the quotes of strings over several lines
/// @param keys the mark after a name at the beginning of a line; a space if the language has no such names
record Grammar(
        Set<String> keywords,
        List<String> comments,
        boolean blocks,
        String quotes,
        List<String> longQuotes,
        char keys) {
    private static final char NONE = ' ';
    private static final Set<String> VALUES = Set.of("true", "false", "null", "yes", "no", "on", "off");

    private static final Grammar YAML = new Grammar(VALUES, List.of("#"), false, "\"'", List.of(), ':');
    private static final Grammar TOML =
            new Grammar(Set.of("true", "false"), List.of("#"), false, "\"'", List.of("\"\"\"", "'''"), '=');
    private static final Grammar JSON =
            new Grammar(Set.of("true", "false", "null"), List.of("//"), true, "\"", List.of(), NONE);
    private static final Grammar PYTHON = new Grammar(
            words("False None True and as assert async await break case class continue def del elif else except finally"
                    + " for from global if import in is lambda match nonlocal not or pass raise return try while with"
                    + " yield"),
            List.of("#"),
            false,
            "\"'",
            List.of("\"\"\"", "'''"),
            NONE);
    private static final Grammar SHELL = new Grammar(
            words("if then elif else fi for in do done while until case esac function select return exit break continue"
                    + " export local readonly declare set unset shift source alias eval exec trap"),
            List.of("#"),
            false,
            "\"'`",
            List.of(),
            NONE);
    private static final Grammar JAVASCRIPT = new Grammar(
            words("abstract any as async await boolean break case catch class const continue debugger declare default"
                    + " delete do else enum export extends false finally for from function get if implements import in"
                    + " instanceof interface keyof let namespace never new null number of private protected public"
                    + " readonly return satisfies set static string super switch this throw true try type typeof"
                    + " undefined unknown var void while with yield"),
            List.of("//"),
            true,
            "\"'",
            List.of("`"),
            NONE);
    private static final Grammar JAVA = new Grammar(
            words("abstract assert boolean break byte case catch char class const continue default do double else enum"
                    + " extends false final finally float for if implements import instanceof int interface long native"
                    + " new null package permits private protected public record return sealed short static strictfp"
                    + " super switch synchronized this throw throws transient true try var void volatile while yield"),
            List.of("//"),
            true,
            "\"'",
            List.of("\"\"\""),
            NONE);

    private static Set<String> words(String words) {
        return Set.of(words.split(" "));
    }

    static Grammar of(Language language) {
        return switch (language) {
            case YAML -> YAML;
            case TOML -> TOML;
            case JSON -> JSON;
            case PYTHON -> PYTHON;
            case SHELL -> SHELL;
            case JAVASCRIPT -> JAVASCRIPT;
            case JAVA -> JAVA;
            case PLAIN, MARKDOWN, XML -> throw new IllegalArgumentException(language + " has a lexer of its own");
        };
    }
}
