package dev.sheaf.server.agents;

import static dev.sheaf.server.http.message.Method.GET;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Caching;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.SearchQuery;
import dev.sheaf.server.hub.SearchWords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A search for skills, as `skills find` asks for it where its `SKILLS_API_URL` is this service.
public final class SearchApi {
    private static final int USUAL = 20;
    private static final int MOST = 100;

    private final Hub hub;

    public SearchApi(Hub hub) {
        this.hub = hub;
    }

    public List<Route> routes() {
        return List.of(new Route(GET, "/api/search", Need.PUBLIC_READ, this::search));
    }

    record Result(List<Found> skills) {}

    /// @param id of the skill on this service
    /// @param source what `skills add` takes, before `@name`
    /// @param installs how often the bundle was pulled
    record Found(String id, String name, String source, long installs) {}

    private Answer search(Call call) {
        var query = call.query("q", SearchQuery::parse).orElse(SearchQuery.parse("")); // an empty box is no search
        int limit = call.query("limit", SearchApi::limit).orElse(USUAL);
        var owner = call.query("owner", Namespace::parse).orElse(null);
        if (query.terms().isEmpty()) {
            return told(call, List.of());
        }
        var filter = new Hub.Filter(query, null, owner, null);
        call.pay();
        var entries = hub.page(filter, Hub.Sort.RELEVANCE, null, limit).stream()
                .map(Hub.Hit::entry)
                .toList();
        return told(call, skills(call, entries, query).stream().limit(limit).toList());
    }

    private static int limit(String text) {
        try {
            int limit = Integer.parseInt(text);
            if (limit >= 1) {
                return Math.min(limit, MOST);
            }
        } catch (NumberFormatException e) {
            // falls through
        }
        throw Problem.invalid("format", "must be a number from 1 on; more than " + MOST + " are never answered");
    }

    /// The skills of bundles in the order of these; of each first those whose names have the most of the words. Where
    /// names have a word that is none of the bundle's own, the skills without are left out; where none has, it was
    /// found in a text, and all are told.
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

    /// Those of the terms with which a word of the name begins.
    private static List<String> matching(String name, List<String> terms) {
        var words = SearchWords.of(name);
        return terms.stream()
                .filter(term -> words.stream().anyMatch(word -> word.startsWith(term)))
                .toList();
    }

    private static Answer told(Call call, List<Found> found) {
        return Caching.MOVING
                .on(Answer.ok(new Result(found)), call.caller(), Visibility.PUBLIC)
                .with("Access-Control-Allow-Origin", "*");
    }
}
