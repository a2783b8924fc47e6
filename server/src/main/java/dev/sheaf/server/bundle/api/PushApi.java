package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.server.bundle.publish.Push;
import dev.sheaf.server.bundle.publish.PushRequest;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// Publishes a version in one request (contract 3.5).
public final class PushApi {
    private final Push push;
    private final VersionDetails details;
    private final int maxAssets;

    public PushApi(Push push, VersionDetails details, int maxAssets) {
        this.push = push;
        this.details = details;
        this.maxAssets = maxAssets;
    }

    public List<Route> routes() {
        return List.of(new Route(POST, BundleRoutes.BUNDLE + ":push", RoutePermission.WRITE, this::push));
    }

    private Answer push(Call call) {
        var name = call.repository();
        push.admit(call.origin(), name);
        var sizes = call.sizes();
        var fields = call.json("the JSON body (max-push-bytes)", sizes.push());
        var request = call.computed(
                call.contentLength().orElse(Long.MAX_VALUE),
                budget -> fields.to(all -> PushRequest.parse(all, name, maxAssets, sizes.text(), sizes.readme())));
        return details.published(call, push.push(call.origin(), request));
    }
}
