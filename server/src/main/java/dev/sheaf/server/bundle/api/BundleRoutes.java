package dev.sheaf.server.bundle.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import java.util.function.Consumer;

/// Wraps handlers of routes with a `{namespace}/{bundle}`. The bundle is looked up once, for the caller, and
/// passed to the handler.
public final class BundleRoutes {
    public static final String BUNDLE = "/v1/namespaces/{namespace}/bundles/{bundle}";

    private final Bundles bundles;
    private final Consumer<RepositoryName> guard;

    public BundleRoutes(Bundles bundles) {
        this(bundles, name -> {});
    }

    /// @param guard refuses bundles that these routes never show
    public BundleRoutes(Bundles bundles, Consumer<RepositoryName> guard) {
        this.bundles = bundles;
        this.guard = guard;
    }

    /// Answers a request about a bundle.
    public interface Handler {
        Answer handle(Call call, BundleSnapshot bundle);
    }

    /// Returns whether a request is only for the version of one manifest.
    interface Part {
        boolean isAskedFor(Call call, BundleSnapshot bundle, Digest manifest);
    }

    private RepositoryName name(Call call) {
        var name = call.repository();
        guard.accept(name);
        return name;
    }

    /// Wraps a handler for callers who may see the bundle.
    public Route.Handler read(Handler handler) {
        return call -> handler.handle(call, bundles.read(call.caller(), name(call)));
    }

    /// Wraps a handler for callers who may see the bundle, or the version that the request is for.
    ///
    /// @param part decides whether a request is only for that version
    Route.Handler readPart(Handler handler, Part part) {
        return call -> handler.handle(
                call,
                bundles.readPart(
                        call.caller(), name(call), (bundle, manifest) -> part.isAskedFor(call, bundle, manifest)));
    }

    /// Wraps a handler for callers who may change the bundle. This is checked before anything else of the
    /// request, so that a hidden bundle looks like a missing one whatever is sent. The transaction of the
    /// change checks it again.
    public Route.Handler write(Handler handler) {
        return call -> handler.handle(call, bundles.writable(call.origin().caller(), name(call)));
    }

    static String place(RepositoryName name) {
        return "/v1/namespaces/" + name.namespace() + "/bundles/" + name.bundle();
    }
}
