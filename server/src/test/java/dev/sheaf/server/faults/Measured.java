package dev.sheaf.server.faults;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// What a fault did to clients.
///
/// @param healed when the fault ended, by [System#nanoTime]
/// @param acknowledged how many writes
record Measured(String name, List<Outcome> outcomes, long healed, int acknowledged, List<String> lost) {
    private static final long SLOW = 1_000_000_000;
    static final String HEAD = """
            | Fault | Requests | 503 with `Retry-After` | Other failures | Longest read, s | Longest write, s | Longest push, s | Recovery, s | Writes acknowledged | Lost |
            |---|--:|--:|---|--:|--:|--:|--:|--:|--:|
            """;

    /// Those that are neither answered nor refused as the API says, by kind.
    Map<String, Long> failures() {
        return outcomes.stream()
                .filter(one -> !one.isWell() && !one.isRefused())
                .collect(Collectors.groupingBy(
                        one -> one.kind() + ": " + one.result(), TreeMap::new, Collectors.counting()));
    }

    private Map<String, Long> results() {
        return outcomes.stream()
                .filter(one -> !one.isWell() && !one.isRefused())
                .collect(Collectors.groupingBy(Outcome::result, TreeMap::new, Collectors.counting()));
    }

    long refused() {
        return outcomes.stream().filter(Outcome::isRefused).count();
    }

    double longest(Predicate<Outcome> which) {
        return outcomes.stream().filter(which).mapToLong(Outcome::nanos).max().orElse(0) / 1e9;
    }

    /// From the end of the fault until no request any more fails or takes longer than a second.
    double recovery() {
        return outcomes.stream()
                        .filter(one -> one.due() > healed && (!one.isWell() || one.nanos() > SLOW))
                        .mapToLong(one -> one.due() - healed)
                        .max()
                        .orElse(0)
                / 1e9;
    }

    String row() {
        String others = results().entrySet().stream()
                .map(one -> one.getValue() + " × " + one.getKey())
                .collect(Collectors.joining(", "));
        return "| %s | %,d | %,d | %s | %.1f | %.1f | %.1f | %.1f | %,d | %d |"
                .formatted(
                        name,
                        outcomes.size(),
                        refused(),
                        others.isEmpty() ? "0" : others,
                        longest(one -> !one.writes()),
                        longest(one -> one.writes() && !one.pushes()),
                        longest(Outcome::pushes),
                        recovery(),
                        acknowledged,
                        lost.size());
    }
}
