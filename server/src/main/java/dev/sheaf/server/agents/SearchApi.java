package dev.sheaf.server.agents;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.SearchQuery;
import dev.sheaf.server.hub.SearchWords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The skill search that `skills find` calls if its `SKILLS_API_URL` is this registry.
public final class SearchApi {
    private static final int DEFAULT = 20;
    private static final int MAX = 100;

    private final Hub hub;

    public SearchApi(Hub hub) {
        this.hub = hub;
    }

    public List<Route> routes() {
        return List.of(new Route(GET, "/api/search", RoutePermission.PUBLIC_READ, this::search));
    }

    record Result(List<Found> skills) {}

    /// @param id the skill's id in this registry
    /// @param source the argument of `skills add` before `@name`
    /// @param installs the number of pulls of the bundle
    record Found(String id, String name, String source, long installs) {}

    private Answer search(Call call) {
        // an empty search box is not an error
        var query = call.query("q", SearchQuery::parse).orElse(SearchQuery.parse(""));
        int limit = call.query("limit", SearchApi::limit).orElse(DEFAULT);
        var owner = call.query("owner", Namespace::parse).orElse(null);
        if (query.terms().isEmpty()) {
            return response(call, List.of());
        }
        var filter = new Hub.Filter(query, null, owner, null);
        call.pay();
        var entries = hub.page(filter, Hub.Sort.RELEVANCE, null, limit).stream()
                .map(Hub.Hit::entry)
                .toList();
        return response(call, skills(call, entries, query).stream().limit(limit).toList());
    }

    private static int limit(String text) {
        try {
            int limit = Integer.parseInt(text);
            if (limit >= 1) {
                return Math.min(limit, MAX);
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw Problem.invalid("format", "must be a number of at least 1; the answer has at most " + MAX + " results");
    }

    /// Returns the skills in the order of their bundles; within a bundle, names that match most words come first.
    /// If the query has words that are not in the bundle's own name and some skill names match them, only those
    /// skills are returned. If no skill name matches, the bundle was found by its texts, and all its skills are
    /// returned.
    private List<Found> skills(Call call, List<Hub.Entry> entries, SearchQuery query) {
        var names = hub.skills(entries);
        var found = new ArrayList<Found>();
        for (var entry : entries) {
            String source = call.baseUrl() + "/" + entry.ref();
            var ofBundle = matching(entry.ref().toString(), query.terms());
            var telling = query.terms().stream()
                    .filter(term -> !ofBundle.contains(term))
                    .toList();
            var all = names.getOrDefault(entry.repositoryId(), List.of());
            var named = all.stream()
                    .filter(name -> !matching(name, telling).isEmpty())
                    .toList();
            var told = named.isEmpty() ? all : named;
            told.stream()
                    .sorted(Comparator.comparingInt(
                            (String name) -> -matching(name, query.terms()).size()))
                    .map(name -> new Found(
                            entry.ref() + "/" + name,
                            name,
                            source,
                            entry.counters().downloads()))
                    .forEach(found::add);
        }
        return found;
    }

    /// Returns the terms that are a prefix of a word in the name.
    private static List<String> matching(String name, List<String> terms) {
        var words = SearchWords.of(name);
        return terms.stream()
                .filter(term -> words.stream().anyMatch(word -> word.startsWith(term)))
                .toList();
    }

    private static Answer response(Call call, List<Found> found) {
        return CachePolicy.MOVING
                .on(Answer.ok(new Result(found)), call.caller(), Visibility.PUBLIC)
                .with("Access-Control-Allow-Origin", "*");
    }
}
