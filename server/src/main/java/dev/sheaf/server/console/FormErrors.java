package dev.sheaf.server.console;

import dev.sheaf.model.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What was wrong with a form: an error beside its field, or about the whole.
///
/// @param fields by the first part of the pointer, such as `name` for `/name`
public record FormErrors(Map<String, String> fields, List<String> others) {
    public static final FormErrors NONE = new FormErrors(Map.of(), List.of());

    public FormErrors {
        fields = Map.copyOf(fields);
        others = List.copyOf(others);
    }

    /// @param shown the fields that the form has; an error of any other is about the whole
    public static FormErrors of(Problem problem, List<String> shown) {
        if (!(problem instanceof Problem.ValidationFailed failed)) {
            return new FormErrors(Map.of(), List.of(problem.detail()));
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
        return new FormErrors(fields, others);
    }

    public static FormErrors of(String field, String error) {
        return new FormErrors(Map.of(field, error), List.of());
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
