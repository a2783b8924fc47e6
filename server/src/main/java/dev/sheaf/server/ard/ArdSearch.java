package dev.sheaf.server.ard;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.catalog.CatalogContent;
import dev.sheaf.server.catalog.CatalogEntry;
import dev.sheaf.server.catalog.CatalogNames;
import dev.sheaf.server.catalog.EntryType;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.HubPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds entries by what people look for, and by their identifiers. Thread-safe.
public final class ArdSearch {
    private static final Pattern IDENTIFIER =
            Pattern.compile("urn:air:[a-zA-Z0-9.-]+(?::[a-zA-Z0-9._:-]+)?:[a-zA-Z0-9._-]+");
    private static final int LONGEST = 500;
    private static final int[] SCORES = {100, 95, 80, 60, 40}; // by the hub's tiers of matches

    private final CatalogContent content;

    public ArdSearch(CatalogContent content) {
        this.content = content;
    }

    /// A page of results.
    ///
    /// @param next the place at which the next page begins; null if there is none
    public record Found(
            List<CatalogEntry> results, @Nullable String next) {
        public Found {
            results = List.copyOf(results);
        }
    }

    /// @param after the place that the page before named; null for the first page
    /// @throws ProblemException those of [Hub#page]
    public Found search(CatalogNames names, ArdQuery query, @Nullable String after) {
        var from = after == null ? HubPlace.FIRST : HubPlace.parse(after);
        if (query.findsNothing(names.host())) {
            return new Found(List.of(), null);
        }
        var filter = new Hub.Filter(query.search(), null, null, null);
        var hits = content.hub().page(filter, Hub.Sort.RELEVANCE, from.position(), query.pageSize() + 1);
        var skills = content.hub().skills(query.search(), hits).stream()
                .collect(Collectors.groupingBy(skill -> skill.bundle().repositoryId()));
        var results = new ArrayList<CatalogEntry>();
        var place = from;
        for (var hit : hits) {
            int room = query.pageSize() - results.size();
            if (room == 0) {
                return new Found(results, place.toString());
            }
            var all = results(names, query, hit, skills).skip(place.skip()).toList();
            results.addAll(all.subList(0, Math.min(room, all.size())));
            if (all.size() > room) {
                return new Found(results, new HubPlace(place.skip() + room, place.position()).toString());
            }
            place = new HubPlace(0, hit.position());
        }
        return new Found(results, hits.size() > query.pageSize() ? place.toString() : null);
    }

    /// Returns the results in a bundle: its only skill, or itself and its skills that match.
    private Stream<CatalogEntry> results(
            CatalogNames names, ArdQuery query, Hub.Hit hit, Map<Long, List<Hub.SkillHit>> skills) {
        var entry = hit.entry();
        if (!query.hasTag(entry.keywords().lines())) {
            return Stream.of();
        }
        var own = entry.facts().skillNames();
        boolean isSkill = own.size() == 1;
        var plugin = query.finds(EntryType.PLUGIN) && (!isSkill || query.findsPluginsOnly())
                ? content.plugin(names, entry.ref()).stream()
                : Stream.<CatalogEntry>of();
        String version = entry.latestVersion();
        var matching = isSkill
                ? Stream.of(names.skill(entry, own.getFirst(), entry.summary(), version, entry.updatedAt()))
                : skills.getOrDefault(entry.repositoryId(), List.of()).stream()
                        .map(skill ->
                                names.skill(entry, skill.name(), skill.description(), version, entry.updatedAt()));
        int score = SCORES[Math.min(hit.tier(), SCORES.length - 1)];
        return Stream.concat(plugin, query.finds(EntryType.SKILL) ? matching : Stream.of())
                .map(found -> found.found(score, names.base() + CatalogNames.PLACE));
    }

    /// Returns the entry with an identifier; empty if there is none. Of a bundle and a skill it is that of the latest
    /// version.
    ///
    /// @throws ProblemException bad-request if the text is not an identifier
    public Optional<CatalogEntry> find(CatalogNames names, String identifier) {
        if (identifier.length() > LONGEST || !IDENTIFIER.matcher(identifier).matches()) {
            throw new Problem.BadRequest("the identifier must have the form urn:air:<domain>:<namespace>:<name>")
                    .raise();
        }
        return names.parts(identifier).flatMap(parts -> {
            if (parts.equals(List.of(CatalogNames.PLACE.substring(1)))) {
                return Optional.of(names.registry());
            }
            try {
                var namespace = Namespace.parse(parts.getFirst());
                return switch (parts.size()) {
                    case 1 -> namespace(names, namespace);
                    case 2 -> content.plugin(names, name(namespace, parts));
                    case 3 -> content.skill(names, name(namespace, parts), parts.getLast());
                    default -> Optional.empty();
                };
            } catch (ProblemException e) {
                if (e.problem() instanceof Problem.ValidationFailed) {
                    return Optional.empty(); // no such name can exist
                }
                throw e;
            }
        });
    }

    private static RepositoryName name(Namespace namespace, List<String> parts) {
        return new RepositoryName(namespace, BundleName.parseBundle(parts.get(1)));
    }

    private Optional<CatalogEntry> namespace(CatalogNames names, Namespace namespace) {
        return content.hub().publishers(namespace.value(), 1).stream()
                .filter(found -> found.name().equals(namespace.value()))
                .map(found -> names.namespace(namespace, found.displayName()))
                .findFirst();
    }
}
