package dev.sheaf.server.maintenance;

import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.server.auth.secret.PepperRing;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.org.key.KeyLookup;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The tasks `rotate-pepper` and `retire-pepper`. They report how many usable keys are stored under each
/// pepper.
public final class PepperTasks {
    private static final int NAMED = 20; // keys

    private final ApiKeys keys;
    private final KeyLookup lookup;
    private final PepperRing peppers;

    public PepperTasks(ApiKeys keys, KeyLookup lookup, PepperRing peppers) {
        this.keys = keys;
        this.lookup = lookup;
        this.peppers = peppers;
    }

    /// Makes the next pepper. Each key moves to it at its next use, and works as before.
    public AdminTask rotation() {
        return new AdminTask(
                TaskKind.ROTATE_PEPPER,
                () -> List.of(
                        counted(counts().values().stream().mapToLong(n -> n).sum(), "key moves", "keys move")
                                + " to the new pepper, each at its next use. None ends."),
                this::rotate);
    }

    private void rotate(TaskRun run) {
        if (!run.isDryRun()) {
            peppers.rotate();
        }
        run.count("peppersMade", 1);
        run.find("a new pepper", "in half a minute keys begin to move to it, each at its next use");
        run.find(
                "retire-pepper",
                "wait until the keys that matter were used once after that; keys without a use end with it");
        tell(run, "moves to the new pepper at its next use");
    }

    /// Ends the older peppers and the keys that are still stored under them.
    public AdminTask retirement() {
        return new AdminTask(TaskKind.RETIRE_PEPPER, this::ending, this::retire);
    }

    private List<String> ending() {
        var counts = counts();
        long all = counts.values().stream().mapToLong(n -> n).sum();
        long behind = behind(counts);
        var lines = new ArrayList<String>();
        lines.add(
                behind == 0
                        ? "No key ends: all " + all
                                + " that work were used or made since the newest pepper took effect."
                        : counted(behind, "key was", "keys were") + " not used since the newest pepper took effect and "
                                + (behind == 1 ? "ends" : "end") + " at once, of " + all
                                + " that work, in all organizations.");
        var named = keys.behind(peppers.current(), NAMED);
        named.forEach(key -> lines.add(PepperTasks.name(key) + ", " + use(key) + "."));
        if (behind > named.size()) {
            lines.add("And " + counted(behind - named.size(), "more key.", "more keys."));
        }
        lines.add("An ended key never works again; its holder needs a new one.");
        lines.add(
                "Other nodes store every ten seconds which keys were used, so uses of the last ten seconds may not count"
                        + " yet.");
        return List.copyOf(lines);
    }

    private static String name(ApiKeys.Behind key) {
        return "key " + Quoted.of(key.name()) + " of " + Quoted.of(key.organization());
    }

    private static String use(ApiKeys.Behind key) {
        var last = key.lastUsedAt();
        return last == null ? "never used" : "last used " + last.truncatedTo(ChronoUnit.SECONDS);
    }

    private void retire(TaskRun run) {
        long behind = tell(run, "ends with its pepper; create a new key if it is still needed");
        keys.behind(peppers.current(), NAMED).forEach(key -> run.find(name(key), use(key)));
        if (behind > NAMED) {
            run.find("other keys", (behind - NAMED) + " more");
        }
        if (run.isDryRun()) {
            run.count("keysEnded", behind);
            return;
        }
        run.count("keysEnded", keys.endBefore(peppers.current(), run::checkpoint));
        run.count("peppersRetired", peppers.retire());
    }

    /// Ends the keys under peppers that were retired before: earlier versions left such keys as they were.
    public void endRetired() {
        keys.endBefore(peppers.oldest(), () -> {});
    }

    private long tell(TaskRun run, String fate) {
        var counts = counts();
        long current = peppers.current();
        counts.forEach((pepper, n) -> run.find(
                "pepper " + pepper,
                counted(n, "key is", "keys are") + " stored under it"
                        + (pepper == current ? ", the one in use" : "; each " + fate)));
        return behind(counts);
    }

    private long behind(Map<Long, Long> counts) {
        long current = peppers.current();
        return counts.entrySet().stream()
                .filter(pepper -> pepper.getKey() < current)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /// Counts the keys under each pepper, after this node has stored which keys moved in the last seconds. What other
    /// nodes have yet to store is missing.
    private Map<Long, Long> counts() {
        lookup.flush();
        return keys.byPepper();
    }

    private static String counted(long n, String one, String many) {
        return String.format(Locale.ROOT, "%,d %s", n, n == 1 ? one : many);
    }
}
