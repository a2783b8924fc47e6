package dev.sheaf.server.agents;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.Namespaces;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bundles of a namespace as a Claude Code marketplace: the latest version of each bundle that is a plugin.
public final class MarketplaceApi {
    private static final int MAX_PLUGINS = 200;
    private static final int MAX_BUNDLES = 1_000;
    private static final int PAGE = 100;
    private static final Duration LIMIT = Duration.ofSeconds(15);

    private final Namespaces namespaces;
    private final BundleList bundles;
    private final BundleSkills found;
    private final PluginEntries entries;

    public MarketplaceApi(Namespaces namespaces, BundleList bundles, BundleSkills found, PluginEntries entries) {
        this.namespaces = namespaces;
        this.bundles = bundles;
        this.found = found;
        this.entries = entries;
    }

    public List<Route> routes() {
        return List.of(new Route(GET, "/{namespace}/marketplace.json", RoutePermission.PUBLIC_READ, this::marketplace));
    }

    private record Owner(String name) {}

    private record Marketplace(String name, Owner owner, List<PluginEntries.Entry> plugins) {}

    private Answer marketplace(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        var first = page(call, namespace, null);
        call.pay();
        var listed = new ArrayList<PluginEntries.Entry>();
        long end = System.nanoTime() + LIMIT.toNanos();
        int seen = 0;
        for (var page = first; !page.isEmpty() && seen < MAX_BUNDLES; seen += PAGE) {
            for (var bundle : page) {
                if (System.nanoTime() > end) {
                    throw new Problem.Unavailable(
                                    Throttle.TIME,
                                    "the archives of these plugins are being made for the first time; send the"
                                            + " request again to continue",
                                    1)
                            .raise();
                }
                if (listed.size() < MAX_PLUGINS) {
                    // not if all versions are yanked, or the bundle was deleted meanwhile
                    ProblemException.ifThere(() -> found.latest(call.caller(), bundle.name()))
                            .flatMap(target -> entries.of(target, call))
                            .ifPresent(listed::add);
                }
            }
            boolean more = page.size() == PAGE && listed.size() < MAX_PLUGINS;
            page = more ? page(call, namespace, page.getLast().name().bundle().value()) : List.of();
        }
        var owner = namespaces
                .find(namespace, any -> true)
                .map(NamespaceRecord::displayName)
                .orElse(namespace.value());
        var told = Answer.ok(new Marketplace(namespace.value(), new Owner(owner), listed));
        boolean open = call.caller() instanceof Caller.Anonymous;
        return SkillFiles.cached(call, open ? Visibility.PUBLIC : Visibility.PRIVATE, false, told);
    }

    /// Returns the bundles that the caller may read. For a caller without a credential, a namespace without public
    /// bundles does not exist.
    private List<BundleSnapshot> page(Call call, Namespace namespace, @Nullable String after) {
        try {
            return bundles.list(call.caller(), namespace, new BundleList.Filter(null, ""), after, PAGE);
        } catch (ProblemException e) {
            if (after != null && e.problem() instanceof Problem.Missing) {
                return List.of();
            }
            if (call.caller() instanceof Caller.Anonymous && e.problem() instanceof Problem.Unauthenticated) {
                throw new Problem.NotFound("the marketplace of namespace " + namespace).raise();
            }
            throw e;
        }
    }
}
