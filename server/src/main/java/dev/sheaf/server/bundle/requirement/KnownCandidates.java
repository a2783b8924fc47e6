package dev.sheaf.server.bundle.requirement;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionRange;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The candidates of a closure that were read so far. At first it reads level by level what the highest versions
/// need, in two statements a level, and later what the solver lacks. What the caller may not read has no versions.
final class KnownCandidates implements ClosureSolver.Candidates {
    static final int MOST_VERSIONS = 20_000;
    static final int MOST_REQUIREMENTS = 50_000;
    private static final int AT_ONCE = 20; // versions of a bundle whose requirements are read together

    private final Caller caller;
    private final RepositoryName root;
    private final @Nullable Instant until;
    private final boolean approved;
    private final Map<RepositoryName, Long> repositories = new HashMap<>();
    private final Map<Long, RepositoryName> names = new HashMap<>();
    private final Map<RepositoryName, List<ClosureSolver.Candidate>> versions = new HashMap<>();
    private final Map<UUID, List<ClosureSolver.Edge>> requires = new HashMap<>();
    private int versionsRead;
    private int requirementsRead;

    /// @param root the bundle of the first version
    /// @param until versions that were published later are no candidates; null for no limit
    /// @param approved whether only approved versions are candidates
    KnownCandidates(Caller caller, RepositoryName root, @Nullable Instant until, boolean approved) {
        this.caller = caller;
        this.root = root;
        this.until = until;
        this.approved = approved;
    }

    @Override
    public @Nullable List<ClosureSolver.Candidate> of(RepositoryName bundle) {
        return versions.get(bundle);
    }

    @Override
    public @Nullable List<ClosureSolver.Edge> requires(ClosureSolver.Candidate candidate) {
        return requires.get(candidate.id());
    }

    /// Reads what the highest versions need that are needed by the root.
    void warm(Tx tx, ClosureSolver.Candidate first) {
        var seen = new HashSet<RepositoryName>(List.of(root));
        List<ClosureSolver.Candidate> level = List.of(first);
        for (int depth = 0; !level.isEmpty() && depth < ClosureSolver.MOST_DEPTH; depth++) {
            readRequires(tx, level);
            var edges = level.stream()
                    .flatMap(one -> requires.getOrDefault(one.id(), List.of()).stream())
                    .filter(edge -> seen.add(edge.bundle()))
                    .toList();
            if (seen.size() > ClosureSolver.MOST_BUNDLES) {
                return; // the solver decides whether that is too many
            }
            readVersions(tx, edges.stream().map(ClosureSolver.Edge::bundle).toList());
            level = edges.stream().flatMap(edge -> highest(edge).stream()).toList();
        }
    }

    private Optional<ClosureSolver.Candidate> highest(ClosureSolver.Edge edge) {
        return versions.getOrDefault(edge.bundle(), List.of()).stream()
                .filter(one -> edge.parsed().contains(one.version()))
                .findFirst();
    }

    /// Reads what the solver lacks.
    void read(Tx tx, ClosureSolver.Unknown unknown) {
        var bundle = unknown.bundle();
        if (bundle != null) {
            readVersions(tx, List.of(bundle));
        }
        var candidate = unknown.candidate();
        if (candidate != null) {
            var all = versions.getOrDefault(candidate.bundle(), List.of());
            var next = new LinkedHashSet<>(List.of(candidate));
            all.stream()
                    .skip(Math.max(0, all.indexOf(candidate)))
                    .limit(AT_ONCE)
                    .forEach(next::add);
            readRequires(tx, List.copyOf(next));
        }
    }

    private void readVersions(Tx tx, Collection<RepositoryName> bundles) {
        var ids = new ArrayList<Long>();
        for (var bundle : bundles) {
            var id = repositories.get(bundle);
            if (id != null && !versions.containsKey(bundle)) {
                ids.add(id);
            }
            versions.putIfAbsent(bundle, new ArrayList<>());
        }
        if (ids.isEmpty()) {
            return;
        }
        var rows = ClosureRows.published(tx, ids, until, approved, MOST_VERSIONS - versionsRead + 1);
        versionsRead += rows.size();
        if (versionsRead > MOST_VERSIONS) {
            throw new Problem.ClosureTooLarge(root, MOST_VERSIONS, "versions to choose from").raise();
        }
        for (var row : rows) {
            var name = names.get(row.repositoryId());
            if (name != null) {
                versions.computeIfAbsent(name, none -> new ArrayList<>())
                        .add(new ClosureSolver.Candidate(name, row.id(), row.version()));
            }
        }
    }

    private void readRequires(Tx tx, Collection<ClosureSolver.Candidate> candidates) {
        var ids = candidates.stream()
                .map(ClosureSolver.Candidate::id)
                .filter(id -> !requires.containsKey(id))
                .toList();
        if (ids.isEmpty()) {
            return;
        }
        var rows = ClosureRows.requires(tx, ids, MOST_REQUIREMENTS - requirementsRead + 1);
        requirementsRead += rows.size();
        if (requirementsRead > MOST_REQUIREMENTS) {
            throw new Problem.ClosureTooLarge(root, MOST_REQUIREMENTS, "requirements to read").raise();
        }
        ids.forEach(id -> requires.put(id, new ArrayList<>()));
        for (var row : rows) {
            if (!row.deleted() && Access.mayRead(caller, row)) {
                repositories.put(row.name(), row.repositoryId());
                names.put(row.repositoryId(), row.name());
            }
            VersionRange.find(row.versionRange())
                    .ifPresent(range -> requires.getOrDefault(row.versionId(), new ArrayList<>())
                            .add(new ClosureSolver.Edge(
                                    row.name(),
                                    row.versionRange(),
                                    range,
                                    row.optional(),
                                    !row.ownerId().equals(row.organizationId()))));
        }
        ids.forEach(id -> requires.getOrDefault(id, List.of())
                .sort(Comparator.comparing(edge -> edge.bundle().toString())));
    }
}
