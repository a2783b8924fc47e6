package dev.sheaf.server.ard.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.ard.ArdQuery;
import dev.sheaf.server.ard.ArdSearch;
import dev.sheaf.server.catalog.CatalogEntry;
import dev.sheaf.server.catalog.CatalogNames;
import dev.sheaf.server.catalog.CatalogState;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The registry of ARD, if the operator has switched on the catalog. It shows what the hub shows, to everybody the
/// same.
public final class ArdApi {
    private final CatalogState state;
    private final ArdSearch search;

    public ArdApi(CatalogState state, ArdSearch search) {
        this.state = state;
        this.search = search;
    }

    public RouteSurface surface() {
        String place = CatalogNames.PLACE;
        return new RouteSurface(
                place,
                path -> path.startsWith(place + "/") && !path.startsWith(CatalogNames.PARTS),
                false,
                false,
                ArdApi::error,
                List.of(
                        reading(POST, "/search", this::search),
                        reading(POST, "/explore", this::missing),
                        reading(GET, "/agents", this::missing),
                        reading(GET, "/agents/{identifier}", this::entry)));
    }

    private static Route reading(RouteMethod method, String path, Route.Handler handler) {
        return new Route(method, CatalogNames.PLACE + path, RoutePermission.PUBLIC_READ, RequestCost.READ, handler);
    }

    /// @param referrals other registries; this one knows of none
    record Results(
            List<CatalogEntry> results,
            @Nullable List<CatalogEntry> referrals,
            @Nullable String pageToken) {}

    private Answer search(Call call) {
        var names = state.names();
        var query = call.json().to(ArdQuery::parse);
        var paging = PageRequest.of(call, query.list(), query.pageSize(), query.pageToken());
        var found = search.search(names, query, paging.after());
        var referrals = query.asksReferrals() ? List.<CatalogEntry>of() : null;
        return Answer.ok(new Results(found.results(), referrals, paging.cursor(found.next())))
                .with("Cache-Control", "private, no-store")
                .with("Access-Control-Allow-Origin", "*");
    }

    private Answer entry(Call call) {
        String identifier = call.parameter("identifier");
        var found = search.find(state.names(), identifier)
                .orElseThrow(() -> new Problem.NotFound("the entry " + identifier).raise());
        return CachePolicy.MOVING
                .on(Answer.ok(found), call.caller(), Visibility.PUBLIC)
                .with("Access-Control-Allow-Origin", "*");
    }

    private Answer missing(Call call) {
        state.names();
        return Answer.json(
                501,
                new ArdError("NOT_IMPLEMENTED", "this registry has POST /ard/search and GET /ard/agents/{identifier}"));
    }

    // --- errors ---

    /// An error (ARD, appendix B).
    record ArdError(String errorCode, String message) {}

    /// Returns the answer to a refused request: the headers of other answers, with a body that clients of ARD read.
    private static Answer error(Problem problem, Call call) {
        int status = problem instanceof Problem.ValidationFailed ? 400 : ProblemJson.status(problem);
        String code = switch (status) {
            case 400 -> "INVALID_ARGUMENT";
            case 401 -> "UNAUTHENTICATED";
            case 403 -> "PERMISSION_DENIED";
            case 404 -> "NOT_FOUND";
            case 429 -> "RATE_LIMIT_EXCEEDED";
            default ->
                status >= 500
                        ? "INTERNAL_ERROR"
                        : ProblemJson.code(problem).toUpperCase(Locale.ROOT).replace('-', '_');
        };
        String message = problem instanceof Problem.ValidationFailed failed ? failed.allDetails() : problem.detail();
        return Answer.json(status, new ArdError(code, message))
                .with(ProblemJson.render(problem, call).headers());
    }
}
