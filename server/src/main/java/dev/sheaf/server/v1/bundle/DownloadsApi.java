package dev.sheaf.server.v1.bundle;

import static dev.sheaf.server.http.message.Method.GET;

import dev.sheaf.server.bundle.Downloads;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Caching;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import java.util.List;

/// Downloads of bundles and versions, by day.
public final class DownloadsApi {
    private final Resolve resolve;
    private final Downloads downloads;

    public DownloadsApi(Resolve resolve, Downloads downloads) {
        this.resolve = resolve;
        this.downloads = downloads;
    }

    public List<Route> routes(BundleRoutes of) {
        String bundle = BundleRoutes.BUNDLE;
        return List.of(
                new Route(GET, bundle + "/downloads", Need.PUBLIC_READ, of.read(this::bundle)),
                new Route(GET, bundle + "/versions/{version}/downloads", Need.PUBLIC_READ, of.read(this::version)));
    }

    private Answer bundle(Call call, Snapshot bundle) {
        return answer(call, bundle, downloads.of(bundle));
    }

    private Answer version(Call call, Snapshot bundle) {
        var resolved = resolve.resolve(bundle, call.parameter("version", Resolve.Question::parse))
                .resolved();
        return answer(call, bundle, downloads.of(resolved.version().id()));
    }

    private static Answer answer(Call call, Snapshot bundle, Downloads.Counts counts) {
        var answer = Answer.ok(BundleRecords.downloads(bundle, counts, call));
        return Caching.MOVING.on(answer, call.caller(), bundle.visibility());
    }
}
