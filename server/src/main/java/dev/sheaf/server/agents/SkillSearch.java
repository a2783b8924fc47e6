package dev.sheaf.server.agents;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.HubPlace;
import dev.sheaf.server.hub.SearchQuery;
import dev.sheaf.server.hub.SearchWords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds skills of public bundles, for programs that know skills but not bundles. Thread-safe.
public final class SkillSearch {
    private final Hub hub;

    public SkillSearch(Hub hub) {
        this.hub = hub;
    }

    /// A skill of a bundle.
    public record Match(Hub.Hit hit, String skill) {
        public Hub.Entry entry() {
            return hit.entry();
        }
    }

    /// A skill and how many words of a query its name has.
    private record Counted(String name, int words) {}

    /// Returns at most `limit` skills each of at most `limit` bundles, in the order of their bundles; within a
    /// bundle, names that match most words come first. If the query has words that are not in the bundle's own
    /// name, and names of skills match them, only those skills are returned. If no name of a skill matches, the
    /// bundle was found by its texts, and its first skills are returned.
    ///
    /// @param owner null for all namespaces
    /// @throws ProblemException those of [Hub#page]
    public List<Match> find(SearchQuery query, @Nullable Namespace owner, int limit) {
        if (query.terms().isEmpty()) {
            return List.of();
        }
        var hits = hub.page(new Hub.Filter(query, null, owner, null), Hub.Sort.RELEVANCE, null, limit);
        var found = new ArrayList<Match>();
        for (var hit : hits) {
            var ofBundle = matching(hit.entry().ref().toString(), query.terms());
            var telling = query.terms().stream()
                    .filter(term -> !ofBundle.contains(term))
                    .toList();
            var all = hit.entry().facts().skillNames();
            var named = all.stream()
                    .filter(name -> !matching(name, telling).isEmpty())
                    .toList();
            (named.isEmpty() ? all : named)
                    .stream()
                            .map(name -> new Counted(
                                    name, matching(name, query.terms()).size()))
                            .sorted(Comparator.comparingInt(Counted::words).reversed())
                            .limit(limit)
                            .forEach(counted -> found.add(new Match(hit, counted.name())));
        }
        return found;
    }

    /// A part of the list of all skills.
    ///
    /// @param next where the next part begins; null if this is the last
    public record Part(List<Match> skills, @Nullable String next) {
        public Part {
            skills = List.copyOf(skills);
        }
    }

    /// Returns a part of the list of all skills, in the order of their bundles.
    ///
    /// @param after where the part before ended; null for the first
    /// @throws ProblemException those of [Hub#page]
    public Part list(Hub.Sort order, @Nullable String after, int limit) {
        var place = after == null ? HubPlace.FIRST : HubPlace.parse(after);
        var hits = hub.page(new Hub.Filter(null, null, null, null), order, place.position(), limit + 1);
        var skills = new ArrayList<Match>();
        for (var hit : hits) {
            int room = limit - skills.size();
            var all =
                    hit.entry().facts().skillNames().stream().skip(place.skip()).toList();
            all.stream().limit(room).forEach(name -> skills.add(new Match(hit, name)));
            if (all.size() > room) {
                return new Part(skills, new HubPlace(place.skip() + room, place.position()).toString());
            }
            place = new HubPlace(0, hit.position());
        }
        return new Part(skills, hits.size() > limit ? place.toString() : null);
    }

    /// Returns the terms that are a prefix of a word in the name.
    private static List<String> matching(String name, List<String> terms) {
        var words = SearchWords.of(name);
        return terms.stream()
                .filter(term -> words.stream().anyMatch(word -> word.startsWith(term)))
                .toList();
    }
}
