package dev.sheaf.model;

import java.util.regex.Pattern;

/// The one grammar of namespaces, bundle slugs and organization handles (contract 2):
/// `^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`, at most 100 characters.
final class Names {
    static final int MAX_LENGTH = 100;
    private static final Pattern GRAMMAR = Pattern.compile("[a-z0-9](?:[a-z0-9-]*[a-z0-9])?");

    private Names() {}

    static String check(String field, String value) {
        if (value.isEmpty()) {
            throw Problem.invalid("required", "the " + field + " is empty; it needs 1 to 100 characters");
        }
        if (value.length() > MAX_LENGTH) {
            throw Problem.invalid(
                    "too-long", "the " + field + " has " + value.length() + " characters; at most " + MAX_LENGTH);
        }
        if (!GRAMMAR.matcher(value).matches()) {
            throw Problem.invalid(
                    "format",
                    "the " + field + " " + Quoted.of(value)
                            + " may hold lower-case letters, digits and inner hyphens only, such as \"java-kit\"");
        }
        return value;
    }
}
