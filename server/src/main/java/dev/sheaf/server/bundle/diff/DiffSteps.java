package dev.sheaf.server.bundle.diff;

import com.github.difflib.algorithm.DiffAlgorithmListener;
import dev.sheaf.engine.cpu.Budget;

/// Checks a budget at each step of the diff library.
public record DiffSteps(Budget budget) implements DiffAlgorithmListener {
    @Override
    public void diffStart() {
        budget.check();
    }

    @Override
    public void diffStep(int value, int max) {
        budget.check();
    }

    @Override
    public void diffEnd() {
        budget.check();
    }
}
