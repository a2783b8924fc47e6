package dev.sheaf.model;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// Errors of parsers.
public final class Refusals {
    private Refusals() {}

    /// Returns the only error of the validation with which the call must fail.
    public static Problem.FieldError refusal(ThrowingCallable parse) {
        var thrown = catchThrowableOfType(ProblemException.class, parse);
        Assertions.assertThat(thrown).as("a refusal").isNotNull();
        var errors = ((Problem.ValidationFailed) thrown.problem()).errors();
        Assertions.assertThat(errors).hasSize(1);
        return errors.getFirst();
    }
}
