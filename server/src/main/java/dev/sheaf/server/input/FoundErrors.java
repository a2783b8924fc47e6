package dev.sheaf.server.input;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// All errors of a document, one for a place: what is no text needs no second error for being no tag.
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
