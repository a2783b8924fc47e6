package dev.sheaf.server.registry.api;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.registry.Repositories;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Lists the repositories that the caller may read (distribution's catalog), sorted by namespace and name.
/// Without a credential, or with an access token for something else, the answer is the challenge. Otherwise
/// clients would take the public list, or the repositories of their token, for the whole catalog.
public final class CatalogApi {
    private static final int BATCH = 1_000;

    private final Repositories repositories;

    public CatalogApi(Repositories repositories) {
        this.repositories = repositories;
    }

    private record Listing(List<String> repositories) {}

    public List<Route> routes() {
        return List.of(DistributionApi.route(RouteMethod.GET, "/v2/_catalog", RoutePermission.PUBLIC_READ, this::list));
    }

    private Answer list(Call call) {
        DistributionApi.credentialSent(call);
        if (call.caller() instanceof Caller.Known known && !known.grant().allowsCatalog()) {
            throw new Problem.Unauthenticated(
                            CredentialFault.MISSING,
                            "the access token was not made for the catalog; ask for one with the scope "
                                    + TokenScope.CATALOG)
                    .raise();
        }
        var page = PageSize.of(call);
        var found = page.count() == 0 ? List.<String>of() : readable(call.caller(), page.last(), page.count() + 1);
        boolean more = found.size() > page.count();
        var shown = found.stream().limit(page.count()).toList();
        var answer = Answer.ok(new Listing(shown))
                .with("Cache-Control", "private, no-cache")
                .with("Vary", "Authorization");
        return more ? answer.with("Link", page.next(call, "", shown.getLast())) : answer;
    }

    private List<String> readable(Caller caller, String after, int wanted) {
        var names = new ArrayList<String>();
        String last = after;
        boolean more = true;
        while (more && names.size() < wanted) {
            var batch = repositories.list(organization(caller), last, Math.min(BATCH, wanted));
            batch.stream()
                    .filter(repository -> Access.lists(caller, repository))
                    .map(repository -> repository.name().toString())
                    .limit(wanted - names.size())
                    .forEach(names::add);
            more = batch.size() == Math.min(BATCH, wanted);
            last = batch.isEmpty() ? last : batch.getLast().name().toString();
        }
        return names;
    }

    private static @Nullable UUID organization(Caller caller) {
        return switch (caller) {
            case Caller.Known known -> known.organizationId();
            case Caller.Anonymous ignored -> null;
        };
    }
}
