package dev.sheaf.server.maintenance;

import dev.sheaf.server.auth.secret.Peppers;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.work.Task;
import dev.sheaf.server.work.TaskRun;
import java.util.Map;

/// The tasks `rotate-pepper` and `retire-pepper`. They report how many usable keys are stored under each
/// pepper.
public final class PepperTasks {
    private final ApiKeys keys;
    private final Peppers peppers;

    public PepperTasks(ApiKeys keys, Peppers peppers) {
        this.keys = keys;
        this.peppers = peppers;
    }

    /// Makes the next pepper. Each key moves to it at its next use, and works as before.
    public Task rotation() {
        return run -> {
            if (!run.isDryRun()) {
                peppers.rotate();
            }
            run.count("peppersMade", 1);
            run.find("a new pepper", "in half a minute keys begin to move to it, each at its next use");
            tell(run, "moves to the new pepper at its next use");
        };
    }

    /// Ends the older peppers and the keys that are still stored under them.
    public Task retirement() {
        return run -> {
            long behind = tell(run, "stops working once its pepper is retired; create a new key if it is still needed");
            run.count("keysEnded", behind);
            if (!run.isDryRun()) {
                run.count("peppersRetired", peppers.retire());
            }
        };
    }

    private long tell(TaskRun run, String fate) {
        Map<Long, Long> counts = keys.byPepper();
        long current = peppers.current();
        long behind = 0;
        for (var pepper : counts.entrySet()) {
            boolean isCurrent = pepper.getKey() == current;
            behind += isCurrent ? 0 : pepper.getValue();
            run.find(
                    "pepper " + pepper.getKey(),
                    pepper.getValue() + " keys are stored under it"
                            + (isCurrent ? ", the one in use" : "; each " + fate));
        }
        return behind;
    }
}
