package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// Downloads of bundles and versions, by day.
public final class DownloadsApi {
    private final Resolve resolve;
    private final PullCounts downloads;

    public DownloadsApi(Resolve resolve, PullCounts downloads) {
        this.resolve = resolve;
        this.downloads = downloads;
    }

    public List<Route> routes(BundleRoutes of) {
        String bundle = BundleRoutes.BUNDLE;
        return List.of(
                new Route(GET, bundle + "/downloads", RoutePermission.PUBLIC_READ, of.read(this::bundle)),
                new Route(
                        GET,
                        bundle + "/versions/{version}/downloads",
                        RoutePermission.PUBLIC_READ,
                        of.read(this::version)));
    }

    private Answer bundle(Call call, BundleSnapshot bundle) {
        return answer(call, bundle, downloads.of(bundle));
    }

    private Answer version(Call call, BundleSnapshot bundle) {
        var resolved = resolve.resolve(bundle, call.parameter("version", Resolve.Question::parse))
                .resolved();
        return answer(call, bundle, downloads.of(resolved.version().id()));
    }

    private static Answer answer(Call call, BundleSnapshot bundle, PullCounts.Counts counts) {
        var answer = Answer.ok(BundleRecords.downloads(bundle, counts, call));
        return CachePolicy.MOVING.on(answer, call.caller(), bundle.visibility());
    }
}
