package dev.sheaf.server.bundle.requirement;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.bundle.ResolvedRequirement;
import dev.sheaf.model.wire.bundle.SkippedRequirement;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/// Resolves a version together with all bundles that it needs, for a caller. Thread-safe.
public final class Closures {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Database database;
    private final CpuPool cpu;

    public Closures(Database database, CpuPool cpu) {
        this.database = database;
        this.cpu = cpu;
    }

    /// All that a version needs.
    public record Closure(List<ResolvedRequirement> members, List<SkippedRequirement> skipped) {
        public Closure {
            members = List.copyOf(members);
            skipped = List.copyOf(skipped);
        }
    }

    /// A request for a closure.
    ///
    /// @param minAge versions that were published later are not chosen; zero for no limit
    /// @param accepted namespaces whose owners may have changed since the versions were published
    /// @param approved whether only approved versions are chosen
    public record Wish(Duration minAge, Set<Namespace> accepted, boolean approved) {
        public Wish {
            accepted = Set.copyOf(accepted);
        }
    }

    /// @throws ProblemException unsatisfiable, owner-changed, closure-too-large
    public Closure of(Caller caller, BundleSnapshot bundle, VersionRow version, Wish wish) {
        var root = new ClosureSolver.Candidate(bundle.name(), version.id(), version.version());
        var until = wish.minAge().isZero() ? null : database.now().minus(wish.minAge());
        var known = new KnownCandidates(caller, bundle.name(), until, wish.approved());
        database.read(tx -> {
            known.warm(tx, root);
            return root;
        });
        var running = new AtomicReference<Runnable>(() -> {});
        var effort = new ClosureSolver.Effort(() -> running.get().run());
        while (true) {
            var outcome = cpu.run(LIMIT, budget -> {
                running.set(budget::check);
                return new ClosureSolver(known, effort).solve(root);
            });
            switch (outcome) {
                case ClosureSolver.Solution solution -> {
                    return closure(bundle, solution, wish);
                }
                case ClosureSolver.NoSolution none ->
                    throw new Problem.Unsatisfiable(
                                    bundle.name(),
                                    none.demands().stream()
                                            .map(Closures::demand)
                                            .toList())
                            .raise();
                case ClosureSolver.TooLarge large ->
                    throw new Problem.ClosureTooLarge(bundle.name(), large.limit(), large.what()).raise();
                case ClosureSolver.Unknown unknown ->
                    database.read(tx -> {
                        known.read(tx, unknown);
                        return root;
                    });
            }
        }
    }

    private Closure closure(BundleSnapshot bundle, ClosureSolver.Solution solution, Wish wish) {
        var changed = solution.changed().stream()
                .filter(demand ->
                        !wish.accepted().contains(demand.edge().bundle().namespace()))
                .map(Closures::demand)
                .toList();
        if (!changed.isEmpty()) {
            throw new Problem.OwnerChanged(bundle.name(), changed).raise();
        }
        var ids = solution.members().stream()
                .map(member -> member.candidate().id())
                .toList();
        var digests = database.read(tx -> ClosureRows.digests(tx, ids));
        return new Closure(
                solution.members().stream()
                        .filter(member -> digests.containsKey(member.candidate().id())) // deleted just now
                        .map(member -> member(member, digests))
                        .toList(),
                solution.skipped().stream()
                        .map(demand -> new SkippedRequirement(
                                demand.by().bundle().toString(),
                                demand.edge().bundle().toString(),
                                demand.edge().range()))
                        .toList());
    }

    private static ResolvedRequirement member(ClosureSolver.Member member, Map<UUID, Digest> digests) {
        var candidate = member.candidate();
        return new ResolvedRequirement(
                candidate.bundle().namespace().value(),
                candidate.bundle().bundle().value(),
                candidate.version().toString(),
                Objects.requireNonNull(digests.get(candidate.id())).toString(),
                member.requiredBy().stream().map(Object::toString).toList(),
                member.range());
    }

    private static Problem.Demand demand(ClosureSolver.Demand demand) {
        return new Problem.Demand(
                demand.by().bundle() + ":" + demand.by().version(),
                demand.edge().bundle(),
                demand.edge().range());
    }
}
