package dev.sheaf.server.maintenance.fsck;

import dev.sheaf.model.Problem;
import dev.sheaf.server.audit.AuditChain;
import dev.sheaf.server.work.Task;
import dev.sheaf.server.work.TaskRun;

/// Proves that nothing was altered in the audit log or taken out of it; fails where something was.
public final class AuditCheck implements Task {
    private final AuditChain chain;

    public AuditCheck(AuditChain chain) {
        this.chain = chain;
    }

    @Override
    public void run(TaskRun run) {
        chain.seal(); // or there would be more than is expected
        run.expect(chain.end().seq(), "entries");
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
