package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;
import java.util.regex.Pattern;

/// The common grammar of namespaces, bundle slugs and organization handles (contract 2):
/// `^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`, at most 100 characters.
final class NameGrammar {
    static final int MAX_LENGTH = 100;
    /// A component of a repository name (distribution-spec, "Pulling manifests").
    private static final Pattern COMPONENT = Pattern.compile("[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*");

    private NameGrammar() {}

    static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean isInner = i > 0 && i < value.length() - 1;
            if (!(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' && isInner)) {
                return false;
            }
        }
        return !value.isEmpty();
    }

    /// Checks a component of a repository name. The suffixes `.git` and `.json` are refused because they select
    /// another form of a bundle in URLs.
    static String checkComponent(String field, String value) {
        if (isPlain(value) || value.length() > MAX_LENGTH || value.isEmpty()) {
            return check(field, value);
        }
        if (!COMPONENT.matcher(value).matches()) {
            throw Problem.invalid(
                    "format",
                    "the " + field + " " + Quoted.of(value)
                            + " may contain only lower-case letters and digits, with \"-\", \".\", \"_\" or \"__\" between"
                            + " them, such as \"java-kit\"");
        }
        if (value.endsWith(".git") || value.endsWith(".json")) {
            throw Problem.invalid("format", "the " + field + " " + Quoted.of(value) + " must not end in .git or .json");
        }
        return value;
    }

    static String check(String field, String value) {
        if (value.isEmpty()) {
            throw Problem.invalid("required", "the " + field + " is empty; it needs 1 to 100 characters");
        }
        if (value.length() > MAX_LENGTH) {
            throw Problem.invalid(
                    "too-long", "the " + field + " has " + value.length() + " characters; at most " + MAX_LENGTH);
        }
        if (!isPlain(value)) {
            throw Problem.invalid(
                    "format",
                    "the " + field + " " + Quoted.of(value)
                            + " may contain only lower-case letters, digits and inner hyphens, such as \"java-kit\"");
        }
        return value;
    }
}
