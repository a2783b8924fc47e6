package dev.sheaf.server.hub.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.api.BundleRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ContentNegotiation;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.hub.AtomFeeds;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.ReadmeHtml;
import dev.sheaf.server.hub.ReadmePages;
import dev.sheaf.server.hub.VersionBadge;
import java.time.Instant;
import java.util.List;

/// The parts of a bundle that are not JSON: its README as a page or text, feeds of its versions, and its badge.
public final class HubPagesApi {
    private static final String HTML = "text/html";
    private static final String UTF_8 = "; charset=utf-8";
    private static final String ATOM = "application/atom+xml" + UTF_8;
    private static final String SVG = "image/svg+xml" + UTF_8;
    private static final String NOTHING = "default-src 'none'; sandbox";

    private final ReadmePages pages;
    private final Hub hub;

    public HubPagesApi(ReadmePages pages, Hub hub) {
        this.pages = pages;
        this.hub = hub;
    }

    /// @param shown passes on bundles that the hub shows
    public List<Route> routes(BundleRoutes all, BundleRoutes shown) {
        return List.of(
                new Route(
                        GET,
                        BundleRoutes.BUNDLE + "/readme",
                        RoutePermission.PUBLIC_READ,
                        all.read((call, bundle) -> readme(
                                call, bundle, "/v1/namespaces/" + bundle.name().namespace() + "/bundles/"))),
                new Route(
                        GET,
                        HubApi.BUNDLE + "/readme",
                        RoutePermission.PUBLIC_READ,
                        shown.read((call, bundle) -> readme(
                                call, bundle, "/v1/hub/bundles/" + bundle.name().namespace() + "/"))),
                new Route(GET, HubApi.BUNDLE + "/feed.atom", RoutePermission.PUBLIC_READ, shown.read(this::feed)),
                new Route(
                        GET,
                        "/v1/hub/publishers/{namespace}/feed.atom",
                        RoutePermission.PUBLIC_READ,
                        this::feedOfPublisher),
                new Route(GET, "/v1/hub/feed.atom", RoutePermission.PUBLIC_READ, this::feedOfAll),
                new Route(GET, HubApi.BUNDLE + "/badge.svg", RoutePermission.PUBLIC_READ, shown.read(this::badge)));
    }

    /// @param place the path of the namespace's bundles, with a trailing slash
    private Answer readme(Call call, BundleSnapshot snapshot, String place) {
        String type = ContentNegotiation.choose(call, List.of("text/plain", HTML, "text/markdown"));
        String text = snapshot.bundle().profile().readmeContent();
        if (text == null) {
            throw new Problem.NotFound("a README of bundle " + snapshot.name()).raise();
        }
        var answer = type.equals(HTML)
                ? shown(HTML, page(call, snapshot, text, place)).with("Content-Security-Policy", ReadmeHtml.POLICY)
                : shown(type, pages.plain(text));
        return CachePolicy.MOVING
                .on(answer, call.caller(), snapshot.visibility())
                .with("Vary", "Accept");
    }

    private static Answer shown(String type, ReadmePages.Rendered shown) {
        return Answer.document(type + UTF_8, shown.bytes(), shown.digest());
    }

    private ReadmePages.Rendered page(Call call, BundleSnapshot snapshot, String text, String place) {
        var profile = snapshot.bundle().profile();
        String assets = place + snapshot.name().bundle() + "/assets/";
        return pages.page(
                profile.name() + " (" + snapshot.name() + ")", text, profile.readmeFormat(), assets, call::pay);
    }

    private Answer feed(Call call, BundleSnapshot bundle) {
        var name = bundle.name();
        String here = call.baseUrl() + "/v1/hub/bundles/" + name;
        var head = new AtomFeeds.Head(
                "urn:uuid:" + bundle.bundle().id(),
                "Versions of " + name,
                name.namespace().value(),
                here + "/feed.atom",
                call.baseUrl() + "/" + name,
                bundle.bundle().createdAt());
        return feed(call, head, hub.releases(bundle, AtomFeeds.SIZE));
    }

    private Answer feedOfPublisher(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        var releases = hub.releases(namespace, AtomFeeds.SIZE);
        if (releases.isEmpty()) {
            throw new Problem.NotFound("publisher " + namespace + " with public bundles").raise();
        }
        String here = call.baseUrl() + "/v1/hub/publishers/" + namespace;
        var head = new AtomFeeds.Head(
                here + "/feed.atom",
                "Versions of " + namespace,
                namespace.value(),
                here + "/feed.atom",
                call.baseUrl() + "/" + namespace,
                releases.getFirst().publishedAt());
        return feed(call, head, releases);
    }

    private Answer feedOfAll(Call call) {
        var releases = hub.releases((Namespace) null, AtomFeeds.SIZE);
        String here = call.baseUrl() + "/v1/hub/feed.atom";
        var head = new AtomFeeds.Head(
                here,
                "New versions at " + call.registryHost(),
                call.registryHost(),
                here,
                call.baseUrl() + "/",
                releases.isEmpty() ? Instant.EPOCH : releases.getFirst().publishedAt());
        return feed(call, head, releases);
    }

    private static Answer feed(Call call, AtomFeeds.Head head, List<Hub.Release> releases) {
        var entries = releases.stream()
                .map(release -> AtomFeeds.release(release, call.baseUrl()))
                .toList();
        byte[] feed = AtomFeeds.atom(head, entries);
        return HubApi.moving(call, Answer.document(ATOM, feed));
    }

    private Answer badge(Call call, BundleSnapshot bundle) {
        var entry = hub.entry(bundle);
        byte[] svg = VersionBadge.svg(entry.ref().toString(), entry.latestVersion());
        return HubApi.moving(call, Answer.document(SVG, svg).with("Content-Security-Policy", NOTHING));
    }
}
