package dev.sheaf.model;

/// Carries a [Problem] up to whoever answers the caller. Cheap to throw: it has no stack trace, since a refusal is
/// an answer and not a defect.
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    public ProblemException(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
