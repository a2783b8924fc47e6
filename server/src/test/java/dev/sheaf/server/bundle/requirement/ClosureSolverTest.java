package dev.sheaf.server.bundle.requirement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The order in which the versions of a closure are chosen.
class ClosureSolverTest {
    private static final String ROOT = "root";

    /// A graph: the versions of each bundle, highest first, with what they require.
    private static final class Graph implements ClosureSolver.Candidates {
        private final Map<RepositoryName, List<ClosureSolver.Candidate>> versions = new HashMap<>();
        private final Map<UUID, List<ClosureSolver.Edge>> requires = new HashMap<>();

        /// @param edges such as `b ^1` and `c? *`
        Graph with(String bundle, String version, String... edges) {
            var candidate = new ClosureSolver.Candidate(name(bundle), UUID.randomUUID(), Version.parse(version));
            var all = versions.computeIfAbsent(name(bundle), none -> new ArrayList<>());
            all.add(candidate);
            all.sort((a, b) -> b.version().sortKey().compareTo(a.version().sortKey()));
            requires.put(
                    candidate.id(),
                    List.of(edges).stream()
                            .sorted()
                            .map(edge -> edge(edge.split(" ", 2)))
                            .toList());
            return this;
        }

        private static ClosureSolver.Edge edge(String[] parts) {
            return new ClosureSolver.Edge(
                    name(parts[0].replace("?", "")),
                    parts[1],
                    VersionRange.find(parts[1]).orElseThrow(),
                    parts[0].endsWith("?"),
                    false);
        }

        @Override
        public List<ClosureSolver.Candidate> of(RepositoryName bundle) {
            return versions.getOrDefault(bundle, List.of());
        }

        @Override
        public List<ClosureSolver.Edge> requires(ClosureSolver.Candidate candidate) {
            return Objects.requireNonNull(requires.get(candidate.id()));
        }

        ClosureSolver.Outcome solve() {
            return new ClosureSolver(this, new ClosureSolver.Effort(() -> {}))
                    .solve(of(name(ROOT)).getFirst());
        }
    }

    private static RepositoryName name(String bundle) {
        return RepositoryName.parse("acme/" + bundle);
    }

    private static List<String> shown(ClosureSolver.Outcome outcome) {
        return outcome instanceof ClosureSolver.Solution solution
                ? solution.members().stream()
                        .map(member -> member.candidate().bundle().bundle() + " "
                                + member.candidate().version())
                        .toList()
                : List.of(outcome.getClass().getSimpleName());
    }

    private static List<String> shown(List<ClosureSolver.Demand> demands) {
        return demands.stream()
                .map(demand -> demand.by().bundle().bundle() + " "
                        + demand.edge().bundle().bundle() + " "
                        + demand.edge().range())
                .toList();
    }

    @Test
    void takesTheHighestVersionsBreadthFirst() {
        var graph = new Graph()
                .with(ROOT, "1.0.0", "b ^1", "a ^1")
                .with("a", "1.0.0", "c ^1")
                .with("a", "1.1.0", "c ^1")
                .with("a", "2.0.0")
                .with("b", "1.0.0")
                .with("c", "1.9.0")
                .with("c", "1.10.0-rc.1");

        assertThat(shown(graph.solve())).containsExactly("a 1.1.0", "b 1.0.0", "c 1.9.0");
    }

    @Test
    void goesBackToALowerVersionIfTheHighestDoesNotFit() {
        var graph = new Graph()
                .with(ROOT, "1.0.0", "a *", "b *")
                .with("a", "2.0.0", "c ^2")
                .with("a", "1.0.0", "c ^1")
                .with("b", "1.0.0", "c ^1")
                .with("c", "1.0.0")
                .with("c", "2.0.0");

        assertThat(shown(graph.solve())).containsExactly("a 1.0.0", "b 1.0.0", "c 1.0.0");
    }

    @Test
    void allowsCyclesThatFit() {
        var graph = new Graph().with(ROOT, "1.0.0", "a *").with("a", "1.0.0", "root ^1");
        var bad = new Graph().with(ROOT, "1.0.0", "a *").with("a", "1.0.0", "root ^2");

        assertThat(shown(graph.solve())).containsExactly("a 1.0.0");
        assertThat(bad.solve())
                .isInstanceOfSatisfying(
                        ClosureSolver.NoSolution.class,
                        none -> assertThat(shown(none.demands())).containsExactly("a root ^2"));
    }

    @Test
    void skipsWhatIsOptionalAndCannotBeMet() {
        var graph = new Graph()
                .with(ROOT, "1.0.0", "a? *", "b *", "none? *")
                .with("a", "1.0.0", "b ^2")
                .with("b", "1.0.0");

        assertThat(graph.solve()).isInstanceOfSatisfying(ClosureSolver.Solution.class, solution -> {
            assertThat(shown(solution)).containsExactly("b 1.0.0");
            assertThat(shown(solution.skipped())).containsExactly("root a *", "root none *");
        });
    }

    @Test
    void namesTheRequirementsThatContradictEachOther() {
        var graph = new Graph()
                .with(ROOT, "1.0.0", "a *", "b *")
                .with("a", "1.0.0", "c ^1")
                .with("b", "1.0.0", "c ^2")
                .with("c", "1.0.0")
                .with("c", "2.0.0");

        assertThat(graph.solve())
                .isInstanceOfSatisfying(
                        ClosureSolver.NoSolution.class,
                        none -> assertThat(shown(none.demands())).containsExactly("a c ^1", "b c ^2"));
    }

    @Test
    void endsAtItsLimits() {
        var deep = new Graph().with(ROOT, "1.0.0", "n0 *");
        IntStream.range(0, 60).forEach(i -> deep.with("n" + i, "1.0.0", "n" + (i + 1) + " *"));
        var wide = new Graph();
        wide.with(
                ROOT,
                "1.0.0",
                IntStream.range(0, 501).mapToObj(i -> "n" + i + " *").toArray(String[]::new));
        IntStream.range(0, 501).forEach(i -> wide.with("n" + i, "1.0.0"));
        var dense = new Graph();
        var all = IntStream.range(0, 60).mapToObj(i -> "n" + i + " *").toArray(String[]::new);
        dense.with(ROOT, "1.0.0", all);
        IntStream.range(0, 60).forEach(i -> dense.with("n" + i, "1.0.0", all));
        var hard = new Graph()
                .with(
                        ROOT,
                        "1.0.0",
                        IntStream.range(0, 20)
                                .mapToObj(i -> "n%02d *".formatted(i))
                                .toArray(String[]::new));
        IntStream.range(0, 19)
                .forEach(i -> IntStream.range(0, 4).forEach(v -> hard.with("n%02d".formatted(i), v + ".0.0")));

        assertThat(deep.solve()).isEqualTo(new ClosureSolver.TooLarge(50, "levels"));
        assertThat(wide.solve()).isEqualTo(new ClosureSolver.TooLarge(500, "bundles"));
        assertThat(dense.solve()).isEqualTo(new ClosureSolver.TooLarge(2_000, "requirements"));
        assertThat(hard.solve()).isEqualTo(new ClosureSolver.TooLarge(5_000, "trials"));
    }

    @Test
    void manyOptionalBundlesNeedNoDeepStack() {
        var graph = new Graph();
        graph.with(
                ROOT,
                "1.0.0",
                IntStream.range(0, 400).mapToObj(i -> "n%03d? *".formatted(i)).toArray(String[]::new));
        IntStream.range(0, 400).forEach(i -> graph.with("n%03d".formatted(i), "1.0.0", "root ^2"));

        assertThat(shown(graph.solve())).isEmpty();
    }

    // --- against a naive solver ---

    /// Tries all choices in the same order, and checks each only when it is complete.
    private static Optional<Map<RepositoryName, ClosureSolver.Candidate>> naive(
            Graph graph, List<ClosureSolver.Candidate> chosen, List<RepositoryName> skipped) {
        var byName = new LinkedHashMap<RepositoryName, ClosureSolver.Candidate>();
        chosen.forEach(one -> byName.put(one.bundle(), one));
        for (var one : chosen) {
            for (var edge : graph.requires(one)) {
                if (byName.containsKey(edge.bundle()) || skipped.contains(key(one, edge))) {
                    continue;
                }
                return branch(graph, chosen, skipped, one, edge);
            }
        }
        return isValid(graph, byName, chosen) ? Optional.of(byName) : Optional.empty();
    }

    private static RepositoryName key(ClosureSolver.Candidate by, ClosureSolver.Edge edge) {
        return name(by.bundle().bundle() + "." + edge.bundle().bundle());
    }

    private static Optional<Map<RepositoryName, ClosureSolver.Candidate>> branch(
            Graph graph,
            List<ClosureSolver.Candidate> chosen,
            List<RepositoryName> skipped,
            ClosureSolver.Candidate by,
            ClosureSolver.Edge edge) {
        for (var candidate : graph.of(edge.bundle())) {
            if (edge.parsed().contains(candidate.version())) {
                var more = new ArrayList<>(chosen);
                more.add(candidate);
                var found = naive(graph, more, skipped);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        if (!edge.optional()) {
            return Optional.empty();
        }
        var more = new ArrayList<>(skipped);
        more.add(key(by, edge));
        return naive(graph, chosen, more);
    }

    private static boolean isValid(
            Graph graph, Map<RepositoryName, ClosureSolver.Candidate> byName, List<ClosureSolver.Candidate> chosen) {
        return chosen.stream()
                .flatMap(one -> graph.requires(one).stream())
                .filter(edge -> !edge.optional())
                .allMatch(edge -> edge.parsed()
                        .contains(Objects.requireNonNull(byName.get(edge.bundle()))
                                .version()));
    }

    private static Graph random(Random random) {
        var graph = new Graph();
        int bundles = 2 + random.nextInt(5);
        var ranges = List.of("*", "^1", "^2", ">=1.1.0", "<2.0.0", "1.0.0", "^3", "^1 || ^3", ">=2.0.0-rc.1");
        var numbers = List.of("1.0.0", "1.1.0", "2.0.0", "3.0.0", "2.0.0-rc.2");
        for (int i = -1; i < bundles; i++) {
            int versions = i < 0 ? 1 : 1 + random.nextInt(3);
            for (int v = 0; v < versions; v++) {
                var edges = new ArrayList<String>();
                for (int to = 0; to < bundles; to++) {
                    if (to != i && random.nextInt(3) == 0) {
                        String range = ranges.get(random.nextInt(ranges.size()));
                        edges.add("b" + to + (random.nextInt(4) == 0 ? "? " : " ") + range);
                    }
                }
                if (i >= 0 && random.nextInt(8) == 0) {
                    edges.add("root " + ranges.get(random.nextInt(2)));
                }
                graph.with(
                        i < 0 ? ROOT : "b" + i,
                        i < 0 ? "1.0.0" : numbers.get((v * 2 + random.nextInt(2)) % numbers.size()),
                        edges.toArray(String[]::new));
            }
        }
        return graph;
    }

    @Test
    void choosesAsANaiveSolverDoes() {
        int solved = 0;
        for (int seed = 0; seed < 5_000; seed++) {
            var graph = random(new Random(seed));
            var root = graph.of(name(ROOT)).getFirst();

            var found = graph.solve();

            var expected = naive(graph, List.of(root), List.of());
            if (expected.isEmpty()) {
                assertThat(found).as("graph %d", seed).isInstanceOf(ClosureSolver.NoSolution.class);
            } else {
                solved++;
                assertThat(shown(found))
                        .as("graph %d", seed)
                        .isEqualTo(expected.get().values().stream()
                                .skip(1)
                                .map(one -> one.bundle().bundle() + " " + one.version())
                                .toList());
            }
        }
        assertThat(solved).isBetween(1_000, 4_500); // both kinds occur often
    }
}
