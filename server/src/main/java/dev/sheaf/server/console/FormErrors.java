package dev.sheaf.server.console;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.http.message.ProblemJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The errors of a form: for a field, or for the whole form.
///
/// @param fields the errors by the first part of the JSON pointer, such as `name` for `/name`
/// @param problem the API's refusal; null if the page itself found the errors
public record FormErrors(
        Map<String, String> fields,
        List<String> others,
        @Nullable Problem problem) {
    private static final Pattern CAPITAL = Pattern.compile("[A-Z]");
    private static final Pattern PREDICATE =
            Pattern.compile("(?:is|are|must|has|may|can|cannot|needs|names|does|contains|lists) ");
    private static final int OK = 200;
    private static final int INVALID = 422;

    public static final FormErrors NONE = new FormErrors(Map.of(), List.of());

    public FormErrors {
        fields = Map.copyOf(fields);
        others = List.copyOf(others);
    }

    public FormErrors(Map<String, String> fields, List<String> others) {
        this(fields, others, null);
    }

    /// @param shown the fields of the form; an error of another field counts for the whole form
    public static FormErrors of(Problem problem, List<String> shown) {
        if (!(problem instanceof Problem.ValidationFailed failed)) {
            return new FormErrors(Map.of(), List.of(problem.detail()), problem);
        }
        var fields = new LinkedHashMap<String, String>();
        var others = new ArrayList<String>();
        for (var error : failed.errors()) {
            String field = name(error.pointer());
            if (shown.contains(field)) {
                fields.putIfAbsent(field, rule(field, error.detail()));
            } else {
                others.add(field.isEmpty() ? error.detail() : error.pointer() + ": " + error.detail());
            }
        }
        return new FormErrors(fields, others, problem);
    }

    public static FormErrors of(String field, String error) {
        return new FormErrors(Map.of(field, error), List.of());
    }

    /// Returns what is wrong with a field, without its name for programs, because the page shows the label of
    /// the field.
    private static String rule(String field, String detail) {
        String named = Quoted.of(field) + " ";
        return detail.startsWith(named) ? detail.substring(named.length()) : detail;
    }

    /// Returns the errors of fields as sentences that name the field, for a list above the form.
    public Map<String, String> named() {
        var all = new TreeMap<String, String>();
        fields.forEach((field, rule) -> all.put(field, named(field, rule)));
        return all;
    }

    private static String named(String field, String rule) {
        if (rule.isEmpty() || Character.isUpperCase(rule.codePointAt(0))) {
            return rule; // a sentence
        }
        return words(field) + (PREDICATE.matcher(rule).lookingAt() ? " " : ": ") + rule;
    }

    /// Returns `Max attempts` for `maxAttempts`.
    private static String words(String field) {
        String words = CAPITAL.matcher(field.replace('_', ' '))
                .replaceAll(found -> " " + found.group().toLowerCase(Locale.ROOT));
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    /// Returns the errors of a refusal by the API.
    public FormErrors because(Problem why) {
        return new FormErrors(fields, others, why);
    }

    /// Returns the status of the page that shows the form.
    public int status() {
        if (isEmpty()) {
            return OK;
        }
        return problem == null ? INVALID : ProblemJson.status(problem);
    }

    private static String name(String pointer) {
        String text = pointer.startsWith("/") ? pointer.substring(1) : pointer;
        int slash = text.indexOf('/');
        return slash < 0 ? text : text.substring(0, slash);
    }

    /// Returns the error of a field, or null.
    public @Nullable String of(String field) {
        return fields.get(field);
    }

    public boolean isEmpty() {
        return fields.isEmpty() && others.isEmpty();
    }
}
