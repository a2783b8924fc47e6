package dev.sheaf.server.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A problem as the service sends it (RFC 9457), without the members that only its kind has.
///
/// @param code "" for a 401 and for the 403 of a missing scope, which have none
/// @param errors of a 422; else empty
@JsonIgnoreProperties(ignoreUnknown = true)
public record ProblemBody(String type, String title, String detail, String code, List<Finding> errors) {
    public ProblemBody {
        code = Objects.requireNonNullElse(code, "");
        errors = Objects.requireNonNullElse(errors, List.of());
    }

    /// @param field the same as `pointer`, or the name of a query parameter, as `parameter` then too
    public record Finding(
            String pointer, String field, @Nullable String parameter, String detail, String message, String code) {}
}
