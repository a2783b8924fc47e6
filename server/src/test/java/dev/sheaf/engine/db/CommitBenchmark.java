package dev.sheaf.engine.db;

import java.time.Duration;

/// How many transactions a second writers commit, those that announce a change and those that do not, where a commit
/// costs 5 ms; see bench/commit.
final class CommitBenchmark {
    private static final Duration TIME = Duration.ofSeconds(6);

    private CommitBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        System.out.println("| Writers | without a change | with a change | seen waiting for each other's commit |");
        System.out.println("|--:|--:|--:|--:|");
        for (int writers : new int[] {1, 8, 32}) {
            try (var load = new CommitLoad(writers)) {
                load.run(writers, TIME, true); // until all of it is compiled
                var without = load.run(writers, TIME, false);
                var with = load.run(writers, TIME, true);
                System.out.printf(
                        "| %d | %,d | %,d | %,d |%n", writers, without.perSecond(), with.perSecond(), with.lockWaits());
            }
        }
        System.exit(0);
    }
}
