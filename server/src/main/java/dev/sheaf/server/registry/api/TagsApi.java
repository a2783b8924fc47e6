package dev.sheaf.server.registry.api;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.registry.tag.Tags;
import java.util.List;

/// Lists the tags of a repository (distribution-spec, "Listing Tags").
public final class TagsApi {
    private final RepositoryAccess access;
    private final Tags tags;

    public TagsApi(RepositoryAccess access, Tags tags) {
        this.access = access;
        this.tags = tags;
    }

    private record Listing(String name, List<String> tags) {}

    public List<Route> routes() {
        return List.of(DistributionApi.route(
                RouteMethod.GET, DistributionApi.REPOSITORY + "/tags/list", RoutePermission.PUBLIC_READ, this::list));
    }

    private Answer list(Call call) {
        var repository = access.readable(call);
        var page = PageSize.of(call);
        var found = page.count() == 0 ? List.<String>of() : tags.names(repository, page.last(), page.count() + 1);
        boolean more = found.size() > page.count();
        var shown = found.stream().limit(page.count()).toList();
        var answer = CachePolicy.MOVING.on(
                Answer.ok(new Listing(repository.name().toString(), shown)), call.caller(), repository.visibility());
        return more ? answer.with("Link", page.next(call, "", shown.getLast())) : answer;
    }
}
