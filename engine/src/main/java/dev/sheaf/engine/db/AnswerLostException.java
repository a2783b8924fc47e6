package dev.sheaf.engine.db;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;

/// Thrown if the answer to a commit was lost, so it is unknown whether the transaction was or will be
/// committed. The objects that it names must be kept; maintenance finds objects that no row names in the end.
public final class AnswerLostException extends ProblemException {
    private static final long serialVersionUID = 1;

    AnswerLostException(Problem problem) {
        super(problem);
    }
}
