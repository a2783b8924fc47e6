package dev.sheaf.server.db;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;

/// Nobody knows whether a transaction was committed: its answer was lost, and it may even happen later. What it names
/// must stay; the sweeps of upkeep find what it did not come to name.
public final class AnswerLostException extends ProblemException {
    private static final long serialVersionUID = 1;

    AnswerLostException(Problem problem) {
        super(problem);
    }
}
