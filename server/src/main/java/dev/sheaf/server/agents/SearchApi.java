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
import java.util.List;

/// The skill search that `skills find` calls if its `SKILLS_API_URL` is this registry.
public final class SearchApi {
    private static final int DEFAULT = 20;
    private static final int MAX = 100;

    private final SkillSearch search;

    public SearchApi(Hub hub) {
        this.search = new SkillSearch(hub);
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
        call.pay();
        var found = search.find(query, owner, limit).stream()
                .limit(limit)
                .map(match -> new Found(
                        match.entry().ref() + "/" + match.skill(),
                        match.skill(),
                        call.baseUrl() + "/" + match.entry().ref(),
                        match.entry().counters().downloads()))
                .toList();
        return CachePolicy.MOVING
                .on(Answer.ok(new Result(found)), call.caller(), Visibility.PUBLIC)
                .with("Access-Control-Allow-Origin", "*");
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
}
