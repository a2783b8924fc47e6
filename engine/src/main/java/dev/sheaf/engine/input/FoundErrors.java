package dev.sheaf.engine.input;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Collects all errors of a document, but only the first one for each place. For example, a value that is not a
/// string gets no second error for not being a tag.
final class FoundErrors {
    final List<FieldError> errors = new ArrayList<>();
    private final Set<String> places = new HashSet<>();

    void add(FieldError error) {
        if (places.add(error.pointer())) {
            errors.add(error);
        }
    }

    void refuse() {
        if (!errors.isEmpty()) {
            throw new Problem.ValidationFailed(errors).raise();
        }
    }
}
