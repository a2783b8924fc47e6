package dev.sheaf.server.git;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/// Git's smart HTTP protocol (gitprotocol-http), read only.
public final class GitApi {
    private static final String REPOSITORY = "/{namespace}/{bundle}.git";
    private static final String MARKETPLACE = "/{namespace}.git";
    /// The paths of git. They include git's requests for an address without `.git`, which get the correct
    /// address as the answer.
    private static final Pattern PATH = Pattern.compile(
            "/[^/]+/[^/]+(?:\\.git(?:/.*)?|/info/refs)|/[^/]+\\.git(?:/(?:info/refs|git-[a-z]+-pack)?)?");
    private static final String FETCH = "git-upload-pack";
    private static final String PUSH = "git-receive-pack";
    private static final String WORDS = "text/plain; charset=utf-8";

    private final Bundles bundles;
    private final Fetches fetches;
    private final MarketplaceFetches marketplaces;

    public GitApi(Bundles bundles, Fetches fetches, MarketplaceFetches marketplaces) {
        this.bundles = bundles;
        this.fetches = fetches;
        this.marketplaces = marketplaces;
    }

    public RouteSurface surface() {
        return new RouteSurface("/", GitApi::isOfGit, true, true, GitErrors::render, routes());
    }

    /// Returns whether git answers the path. Called for every request.
    private static boolean isOfGit(String path) {
        return (path.contains(".git") || path.endsWith("/info/refs"))
                && PATH.matcher(path).matches();
    }

    private List<Route> routes() {
        return List.of(
                route(GET, REPOSITORY, this::page),
                route(GET, REPOSITORY + "/info/refs", this::refs),
                route(POST, REPOSITORY + "/" + FETCH, this::fetch),
                route(POST, REPOSITORY + "/" + PUSH, this::push),
                route(GET, MARKETPLACE, this::marketplacePage),
                route(GET, MARKETPLACE + "/info/refs", this::marketplaceRefs),
                route(POST, MARKETPLACE + "/" + FETCH, this::marketplaceFetch),
                route(POST, MARKETPLACE + "/" + PUSH, this::marketplacePush));
    }

    private static Route route(RouteMethod method, String pattern, Route.Handler handler) {
        return new Route(method, pattern, RoutePermission.PUBLIC_READ, handler).costing(RequestCost.READ);
    }

    /// Answers a browser that opens the address.
    private Answer page(Call call) {
        var bundle = readable(call);
        String text = bundle.name() + " as a read-only git repository, with a commit and a tag for each version.\n\n"
                + "    git clone " + call.baseUrl() + "/" + bundle.name() + ".git\n";
        return Answer.bytes(200, WORDS, text.getBytes(StandardCharsets.UTF_8));
    }

    private Answer refs(Call call) {
        var bundle = readable(call);
        return switch (call.query("service").orElse("")) {
            case FETCH -> fetches.advertised(call, bundle);
            case PUSH -> throw readOnly(bundle);
            default -> throw oldProtocol();
        };
    }

    private static ProblemException oldProtocol() {
        return new Problem.Forbidden("only git's smart protocol works here, which git supports since 1.6.6;"
                        + " check the proxies between git and this registry")
                .raise();
    }

    private Answer fetch(Call call) {
        return fetches.answered(call, readable(call));
    }

    private Answer push(Call call) {
        throw readOnly(readable(call));
    }

    private static ProblemException readOnly(BundleSnapshot bundle) {
        return new Problem.Forbidden("this repository is read-only: it shows the published versions. Publish a"
                        + " version of " + bundle.name() + " from its folder with: sheaf push")
                .raise();
    }

    // --- the marketplace of a namespace ---

    private Answer marketplacePage(Call call) {
        var namespace = namespace(call);
        marketplaces.require(call, namespace);
        String address = call.baseUrl() + "/" + namespace + ".git";
        String text =
                "The plugins of " + namespace + " as a read-only git repository, in which agent programs find them.\n\n"
                        + "    claude plugin marketplace add " + address + "\n";
        return Answer.bytes(200, WORDS, text.getBytes(StandardCharsets.UTF_8));
    }

    private Answer marketplaceRefs(Call call) {
        var namespace = namespace(call);
        return switch (call.query("service").orElse("")) {
            case FETCH -> marketplaces.advertised(call, namespace);
            case PUSH -> throw readOnly(call, namespace);
            default -> {
                marketplaces.require(call, namespace);
                throw oldProtocol();
            }
        };
    }

    private Answer marketplaceFetch(Call call) {
        return marketplaces.answered(call, namespace(call));
    }

    private Answer marketplacePush(Call call) {
        throw readOnly(call, namespace(call));
    }

    private ProblemException readOnly(Call call, Namespace namespace) {
        marketplaces.require(call, namespace);
        return new Problem.Forbidden("this repository is read-only: it shows the plugins of " + namespace
                        + ". Publish a version of a bundle from its folder with: sheaf push")
                .raise();
    }

    /// Returns the namespace. An invalid name gets the same answer as a missing namespace.
    private static Namespace namespace(Call call) {
        try {
            return Namespace.parse(call.parameter("namespace"));
        } catch (ProblemException e) {
            throw missing(call, "the namespace");
        }
    }

    private static ProblemException missing(Call call, String what) {
        return call.caller() instanceof Caller.Anonymous
                ? Authenticator.missing().raise()
                : new Problem.NotFound(what).raise();
    }

    /// Returns the bundle. An invalid name gets the same answer as a missing bundle.
    private BundleSnapshot readable(Call call) {
        RepositoryName name;
        try {
            name = new RepositoryName(
                    Namespace.parse(call.parameter("namespace")), BundleName.parseBundle(call.parameter("bundle")));
        } catch (ProblemException e) {
            throw missing(call, "the bundle");
        }
        return bundles.read(call.caller(), name);
    }
}
