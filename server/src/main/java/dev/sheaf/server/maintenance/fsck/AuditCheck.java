package dev.sheaf.server.maintenance.fsck;

import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Problem;
import dev.sheaf.server.audit.AuditChain;

/// Checks that no entry of the audit log was changed or removed, and fails otherwise.
public final class AuditCheck implements Task {
    private final AuditChain chain;

    public AuditCheck(AuditChain chain) {
        this.chain = chain;
    }

    @Override
    public void run(TaskRun run) {
        chain.seal(); // otherwise there would be more entries than expected
        run.expect(chain.end().seq() - chain.start().seq(), "entries");
        var end = chain.verify(
                null,
                entries -> {
                    run.advance(entries);
                    run.count("entriesVerified", entries);
                    run.checkpoint();
                },
                (what, why) -> {
                    run.count("broken", 1);
                    run.find(what, why);
                });
        run.find("the chain's end", end.toString());
        if (run.report().counts().containsKey("broken")) {
            throw new Problem.Conflict("the audit log was tampered with: the findings say where").raise();
        }
    }
}
