package dev.sheaf.model;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// What parsers say when they refuse.
public final class Refusals {
    private Refusals() {}

    /// The one error of the validation that the call must fail with.
    public static Problem.FieldError refusal(ThrowingCallable parse) {
        var thrown = catchThrowableOfType(ProblemException.class, parse);
        Assertions.assertThat(thrown).as("a refusal").isNotNull();
        var errors = ((Problem.ValidationFailed) thrown.problem()).errors();
        Assertions.assertThat(errors).hasSize(1);
        return errors.getFirst();
    }
}
