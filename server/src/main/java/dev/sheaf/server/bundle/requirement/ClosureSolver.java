package dev.sheaf.server.bundle.requirement;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Chooses one version of each bundle that a version needs, so that all fit together.
///
/// It decides on one bundle after the other: breadth-first from the root, the requirements of a version by name. It
/// tries the highest version first, an optional bundle last without any, and goes back to the last decision when
/// nothing fits. So the result is the highest one in the order of the decisions. Cycles are allowed. Limits count
/// steps, never time. One object solves once; [Effort] counts comparisons of all that are made for one request.
final class ClosureSolver {
    static final int MOST_BUNDLES = 500;
    static final int MOST_EDGES = 2_000;
    static final int MOST_TRIALS = 5_000;
    static final int MOST_DEPTH = 50;
    static final int MOST_CHECKS = 1_000_000; // of ranges; without a choice there are few of them
    private static final int PART = 16; // characters of a range, about

    /// A version that may be chosen.
    record Candidate(RepositoryName bundle, UUID id, Version version) {}

    /// A requirement of a candidate.
    ///
    /// @param changedOwner whether the namespace has another owner than when it was published
    record Edge(RepositoryName bundle, String range, VersionRange parsed, boolean optional, boolean changedOwner) {}

    /// The candidates as far as they are known.
    interface Candidates {
        /// Returns the versions of a bundle, highest first; null if they are not known yet. A bundle that the caller
        /// may not read has none.
        @Nullable
        List<Candidate> of(RepositoryName bundle);

        /// Returns the requirements of a version by name; null if they are not known yet.
        @Nullable
        List<Edge> requires(Candidate candidate);
    }

    /// The result.
    sealed interface Outcome permits Solution, NoSolution, TooLarge, Unknown {}

    /// A bundle of the closure.
    ///
    /// @param requiredBy by name
    /// @param range that of the first which required it
    record Member(Candidate candidate, List<RepositoryName> requiredBy, String range) {}

    /// A requirement of a version.
    record Demand(Candidate by, Edge edge) {}

    /// @param members without the root, in the order of the decisions
    /// @param skipped the optional requirements that are not met
    /// @param changed the requirements whose namespaces have another owner now
    record Solution(List<Member> members, List<Demand> skipped, List<Demand> changed) implements Outcome {}

    /// @param demands the requirements of one bundle that no version of it meets, where the search came furthest
    record NoSolution(List<Demand> demands) implements Outcome {}

    /// @param what the limit, as a word of many
    record TooLarge(int limit, String what) implements Outcome {}

    /// Something must be read first.
    ///
    /// @param bundle a bundle whose versions are not known; null if `candidate` is what is missing
    /// @param candidate a version whose requirements are not known
    record Unknown(
            @Nullable RepositoryName bundle, @Nullable Candidate candidate) implements Outcome {}

    private static final class Stop extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Outcome outcome;

        Stop(Outcome outcome) {
            super(null, null, false, false);
            this.outcome = outcome;
        }
    }

    private static final Comparator<RepositoryName> BY_NAME = Comparator.comparing(RepositoryName::toString);

    private record Chosen(Candidate candidate, List<Edge> edges, int depth) {}

    /// The comparisons of a request, which begins again whenever something must be read first.
    static final class Effort {
        private final Runnable step;
        private int checks;

        /// @param step is run often, and may end the work by throwing
        Effort(Runnable step) {
            this.step = step;
        }

        private void add(int more) {
            checks += more;
            step.run();
            if (checks > MOST_CHECKS) {
                throw new Stop(new TooLarge(MOST_CHECKS, "comparisons"));
            }
        }
    }

    private final Candidates candidates;
    private final Effort effort;
    private final List<Chosen> chosen = new ArrayList<>();
    private final Map<RepositoryName, Candidate> byName = new HashMap<>();
    private final Map<RepositoryName, List<Demand>> demands = new HashMap<>(); // without optional ones
    private int edges;
    private int trials;
    private int furthest = -1;
    private List<Demand> conflict = List.of();

    ClosureSolver(Candidates candidates, Effort effort) {
        this.candidates = candidates;
        this.effort = effort;
    }

    Outcome solve(Candidate root) {
        try {
            choose(root, requires(root), 0);
            return decideAll() ? solution() : new NoSolution(conflict);
        } catch (Stop stop) {
            return stop.outcome;
        }
    }

    /// A bundle to decide on.
    private static final class Decision {
        private final Chosen requirer;
        private final Edge edge;
        private final int place; // of the requirer among those chosen
        private final int next; // the requirement after this one
        private final Iterator<Candidate> untried;
        private List<Demand> clash; // why nothing fits
        private boolean isChosen;
        private boolean isSkipped;

        Decision(Chosen requirer, Edge edge, int place, int next, Iterator<Candidate> untried, List<Demand> clash) {
            this.requirer = requirer;
            this.edge = edge;
            this.place = place;
            this.next = next;
            this.untried = untried;
            this.clash = clash;
        }
    }

    /// Decides on one bundle after the other; returns false if nothing fits. Not recursive, because the stack of a
    /// thread is small.
    private boolean decideAll() {
        var decided = new ArrayDeque<Decision>();
        var now = next(0, 0);
        while (now != null) {
            if (decide(now)) {
                decided.push(now);
                now = next(now.place, now.next);
                continue;
            }
            if (!now.edge.optional() && chosen.size() > furthest) {
                furthest = chosen.size();
                conflict = List.copyOf(now.clash);
            }
            if (decided.isEmpty()) {
                return false;
            }
            now = decided.pop();
            if (now.isChosen) {
                unchoose();
                now.isChosen = false;
            }
        }
        return true;
    }

    /// Returns the next bundle to decide on, from a requirement on; null if there is none.
    private @Nullable Decision next(int from, int requirement) {
        int next = requirement;
        for (int place = from; place < chosen.size(); place++) {
            var requirer = chosen.get(place);
            while (next < requirer.edges().size()) {
                var edge = requirer.edges().get(next++);
                effort.add(1);
                if (!byName.containsKey(edge.bundle())) { // one that is chosen fits, or it is optional
                    var clash = demands.getOrDefault(edge.bundle(), List.of());
                    var untried = versions(edge.bundle()).iterator();
                    return new Decision(requirer, edge, place, next, untried, List.copyOf(clash));
                }
            }
            next = 0;
        }
        return null;
    }

    /// Chooses the next version that fits, and at last none if the bundle is optional.
    private boolean decide(Decision now) {
        while (now.untried.hasNext()) {
            var candidate = now.untried.next();
            if (!admits(now.edge, candidate) || !isWanted(candidate)) {
                continue;
            }
            if (++trials > MOST_TRIALS) {
                throw new Stop(new TooLarge(MOST_TRIALS, "trials"));
            }
            var required = requires(candidate);
            var unmet = unmet(candidate, required);
            if (unmet == null) {
                choose(candidate, required, now.requirer.depth() + 1);
                now.isChosen = true;
                return true;
            }
            var clash = new ArrayList<>(demands.getOrDefault(unmet.bundle(), List.of()));
            clash.add(new Demand(candidate, unmet));
            now.clash = clash;
        }
        boolean skips = now.edge.optional() && !now.isSkipped;
        now.isSkipped = true;
        return skips;
    }

    /// Returns whether all versions that are chosen and require the bundle accept the candidate.
    private boolean isWanted(Candidate candidate) {
        return demands.getOrDefault(candidate.bundle(), List.of()).stream()
                .allMatch(demand -> admits(demand.edge(), candidate));
    }

    /// Returns a requirement of the candidate that the chosen versions do not meet; null if there is none.
    private @Nullable Edge unmet(Candidate candidate, List<Edge> required) {
        for (var edge : required) {
            var there = edge.bundle().equals(candidate.bundle()) ? candidate : byName.get(edge.bundle());
            if (!edge.optional() && there != null && !admits(edge, there)) {
                return edge;
            }
        }
        return null;
    }

    /// A long range has many parts, each of which is compared.
    private boolean admits(Edge edge, Candidate candidate) {
        effort.add(1 + edge.range().length() / PART);
        return edge.parsed().contains(candidate.version());
    }

    private void choose(Candidate candidate, List<Edge> required, int depth) {
        edges += required.size();
        if (edges > MOST_EDGES) {
            throw new Stop(new TooLarge(MOST_EDGES, "requirements"));
        }
        if (depth > MOST_DEPTH) {
            throw new Stop(new TooLarge(MOST_DEPTH, "levels"));
        }
        if (chosen.size() > MOST_BUNDLES) { // the root is not one of them
            throw new Stop(new TooLarge(MOST_BUNDLES, "bundles"));
        }
        chosen.add(new Chosen(candidate, required, depth));
        byName.put(candidate.bundle(), candidate);
        for (var edge : required) {
            if (!edge.optional()) {
                demands.computeIfAbsent(edge.bundle(), name -> new ArrayList<>())
                        .add(new Demand(candidate, edge));
            }
        }
    }

    private void unchoose() {
        var last = chosen.removeLast();
        edges -= last.edges().size();
        byName.remove(last.candidate().bundle());
        for (var edge : last.edges()) {
            var of = demands.get(edge.bundle());
            if (!edge.optional() && of != null) {
                of.removeLast();
            }
        }
    }

    private List<Candidate> versions(RepositoryName bundle) {
        var known = candidates.of(bundle);
        if (known == null) {
            throw new Stop(new Unknown(bundle, null));
        }
        return known;
    }

    private List<Edge> requires(Candidate candidate) {
        var known = candidates.requires(candidate);
        if (known == null) {
            throw new Stop(new Unknown(null, candidate));
        }
        return known;
    }

    private Solution solution() {
        var requiredBy = new HashMap<RepositoryName, TreeSet<RepositoryName>>();
        var ranges = new HashMap<RepositoryName, String>();
        var skipped = new ArrayList<Demand>();
        var changed = new ArrayList<Demand>();
        for (var one : chosen) {
            for (var edge : one.edges()) {
                var demand = new Demand(one.candidate(), edge);
                var there = byName.get(edge.bundle());
                if (there == null || !admits(edge, there)) {
                    skipped.add(demand);
                    continue;
                }
                requiredBy
                        .computeIfAbsent(edge.bundle(), name -> new TreeSet<>(BY_NAME))
                        .add(one.candidate().bundle());
                ranges.putIfAbsent(edge.bundle(), edge.range());
                if (edge.changedOwner()) {
                    changed.add(demand);
                }
            }
        }
        var members = chosen.stream()
                .skip(1)
                .map(one -> one.candidate())
                .map(one -> new Member(
                        one,
                        List.copyOf(requiredBy.getOrDefault(one.bundle(), new TreeSet<>(BY_NAME))),
                        ranges.getOrDefault(one.bundle(), "")))
                .toList();
        return new Solution(members, List.copyOf(skipped), List.copyOf(changed));
    }
}
