package dev.sheaf.model;

import java.util.Optional;
import java.util.function.Supplier;

/// Carries a [Problem] up to the code that answers the caller. Cheap to throw: it has no stack trace, since a
/// refusal is an answer and not a defect.
public class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    /// Creates the exception for a problem.
    public ProblemException(Problem problem) {
        super(problem.detail(), null, true, false);
        this.problem = problem;
    }

    /// Returns the problem.
    public Problem problem() {
        return problem;
    }

    /// Returns whether work failed because something that it needs does not work now, such as the database. Where
    /// that was noticed it has been logged. Any other exception in work without a caller is a defect.
    public static boolean isUnavailable(Throwable e) {
        return e instanceof ProblemException refused && refused.problem() instanceof Problem.Unavailable;
    }

    /// Runs `look` and returns what it found; empty if that does not exist, or does not for callers without a
    /// credential.
    public static <T> Optional<T> ifThere(Supplier<T> look) {
        try {
            return Optional.of(look.get());
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Missing || e.problem() instanceof Problem.Unauthenticated) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// Runs `parse` and returns its validation error, with `pointer` as the field or parameter; empty if the
    /// value is valid.
    public static Optional<Problem.ValidationFailed> check(String pointer, Runnable parse) {
        try {
            parse.run();
            return Optional.empty();
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.ValidationFailed failed) {
                return Optional.of(failed.under(pointer));
            }
            throw e;
        }
    }
}
