package dev.sheaf.server.console;

import dev.sheaf.model.Problem;
import dev.sheaf.server.http.message.ProblemJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What was wrong with a form: an error beside its field, or about the whole.
///
/// @param fields by the first part of the pointer, such as `name` for `/name`
/// @param problem why the API refused; null: the page itself found them
public record FormErrors(
        Map<String, String> fields,
        List<String> others,
        @Nullable Problem problem) {
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

    /// @param shown the fields that the form has; an error of any other is about the whole
    public static FormErrors of(Problem problem, List<String> shown) {
        if (!(problem instanceof Problem.ValidationFailed failed)) {
            return new FormErrors(Map.of(), List.of(problem.detail()), problem);
        }
        var fields = new LinkedHashMap<String, String>();
        var others = new ArrayList<String>();
        for (var error : failed.errors()) {
            String field = name(error.pointer());
            if (shown.contains(field)) {
                fields.putIfAbsent(field, error.detail());
            } else {
                others.add(field.isEmpty() ? error.detail() : error.pointer() + ": " + error.detail());
            }
        }
        return new FormErrors(fields, others, problem);
    }

    public static FormErrors of(String field, String error) {
        return new FormErrors(Map.of(field, error), List.of());
    }

    /// The same in answer to a refusal of the API.
    public FormErrors because(Problem why) {
        return new FormErrors(fields, others, why);
    }

    /// The status of the page that shows the form.
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

    /// The error of a field; null: it has none.
    public @Nullable String of(String field) {
        return fields.get(field);
    }

    public boolean isEmpty() {
        return fields.isEmpty() && others.isEmpty();
    }
}
