package dev.sheaf.server.v1.bundle;

import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import java.util.function.Consumer;

/// Handlers of routes with a `{namespace}/{bundle}`: what that means for the caller is looked up here, once, and handed
/// over.
public final class BundleRoutes {
    public static final String BUNDLE = "/v1/namespaces/{namespace}/bundles/{bundle}";

    private final Bundles bundles;
    private final Consumer<RepositoryName> guard;

    public BundleRoutes(Bundles bundles) {
        this(bundles, name -> {});
    }

    /// @param guard refuses bundles that these routes do not show, whoever asks
    public BundleRoutes(Bundles bundles, Consumer<RepositoryName> guard) {
        this.bundles = bundles;
        this.guard = guard;
    }

    /// Answers a call about a bundle.
    public interface Handler {
        Answer handle(Call call, Snapshot bundle);
    }

    /// Tells whether a call asks for the version of one manifest, and for nothing else.
    interface Part {
        boolean isAskedFor(Call call, Snapshot bundle, Digest manifest);
    }

    /// Finds the bundle of a call, or refuses its caller.
    private interface Finding {
        Snapshot find(Call call);
    }

    private record Found(Finding finding, Handler handler) implements Route.Handler {
        @Override
        public Answer handle(Call call) {
            return handler.handle(call, finding.find(call));
        }

        @Override
        public void permit(Call call) {
            finding.find(call);
        }
    }

    private RepositoryName name(Call call) {
        var name = call.repository();
        guard.accept(name);
        return name;
    }

    /// For callers who may see the bundle.
    public Route.Handler read(Handler handler) {
        return new Found(call -> bundles.read(call.caller(), name(call)), handler);
    }

    /// The same where a call may ask for one version only.
    ///
    /// @param part which that is
    Route.Handler readPart(Handler handler, Part part) {
        return new Found(
                call -> bundles.readPart(
                        call.caller(), name(call), (bundle, manifest) -> part.isAskedFor(call, bundle, manifest)),
                handler);
    }

    /// For callers who may change the bundle, before anything of the request is looked at: what is hidden looks
    /// like
    /// what is missing, whatever is sent. The transaction of the change asks again.
    public Route.Handler write(Handler handler) {
        return new Found(call -> bundles.writable(call.origin().caller(), name(call)), handler);
    }

    static String place(RepositoryName name) {
        return "/v1/namespaces/" + name.namespace() + "/bundles/" + name.bundle();
    }
}
