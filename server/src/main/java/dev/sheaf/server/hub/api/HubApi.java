package dev.sheaf.server.hub.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PUT;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.hub.HubPage;
import dev.sheaf.model.wire.hub.HubSkill;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.api.AssetWords;
import dev.sheaf.server.bundle.api.BundleRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.hub.BundleStars;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.HubFlag;
import dev.sheaf.server.hub.SearchQuery;
import dev.sheaf.server.identity.Accounts;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Discovery of public bundles (contract 3.8): lists, one bundle, stars.
public final class HubApi {
    public static final String BUNDLE = "/v1/hub/bundles/{namespace}/{bundle}";
    private static final String[] FILTERS = Stream.concat(
                    Stream.of("q", "asset_type", "type", "sort", "namespace", "category", "license", "tool", "scripts"),
                    Stream.of(HubFlag.values()).map(HubFlag::toString))
            .toArray(String[]::new);

    private final Hub hub;
    private final BundleStars stars;

    public HubApi(Hub hub, BundleStars stars) {
        this.hub = hub;
        this.stars = stars;
    }

    /// @param shown passes on bundles that the hub shows; others count as missing
    public List<Route> routes(BundleRoutes shown) {
        return List.of(
                new Route(GET, "/v1/hub/bundles", RoutePermission.PUBLIC_READ, this::all),
                new Route(
                        GET, "/v1/hub/publishers/{namespace}/bundles", RoutePermission.PUBLIC_READ, this::ofPublisher),
                new Route(GET, "/v1/hub/categories", RoutePermission.PUBLIC_READ, this::categories),
                new Route(GET, BUNDLE, RoutePermission.PUBLIC_READ, shown.read(this::bundle)),
                new Route(GET, BUNDLE + "/star", RoutePermission.READ, this::starred),
                new Route(PUT, BUNDLE + "/star", RoutePermission.READ, this::star),
                new Route(DELETE, BUNDLE + "/star", RoutePermission.READ, this::unstar),
                new Route(GET, "/v1/hub/me/stars", RoutePermission.PERSON, this::stars));
    }

    private Answer all(Call call) {
        return list(call, call.query("namespace", Namespace::parse).orElse(null));
    }

    private Answer ofPublisher(Call call) {
        return list(call, call.parameter("namespace", Namespace::parse));
    }

    private Answer list(Call call, @Nullable Namespace namespace) {
        var filter = new Hub.Filter(
                call.query("q", SearchQuery::parse).filter(SearchQuery::isTyped).orElse(null),
                call.query("asset_type", Hub.Filter::type)
                        .or(() -> call.query("type", Hub.Filter::type))
                        .orElse(null),
                namespace,
                call.query("category", Hub.Filter::categorySlug).orElse(null),
                call.query("license", Hub.Filter::value).orElse(null),
                call.query("tool", Hub.Filter::value).orElse(null),
                call.query("scripts", Hub.Filter::scripts).orElse(null),
                Stream.of(HubFlag.values())
                        .filter(flag ->
                                call.query(flag.toString(), Hub.Filter::flag).orElse(false))
                        .collect(Collectors.toUnmodifiableSet()));
        boolean counted = call.query("facets", Hub.Filter::flag).orElse(false);
        boolean skilled = call.query("skills", Hub.Filter::flag).orElse(false);
        var sort = call.query("sort", Hub.Sort::parse).orElse(Hub.Sort.RELEVANCE);
        var words = AssetWords.of(call);
        var paging = PageRequest.of(call, FILTERS);
        if (filter.search() != null || counted) {
            call.pay(); // only the finished work shows whether anything changed
        }
        var page = hub.page(filter, sort, paging.after(), paging.fetch());
        if (!counted && !skilled) {
            return moving(call, paging.answer(page, Hub.Hit::position, found -> HubWire.summary(words, found.entry())))
                    .with("Vary", "User-Agent");
        }
        var list = paging.list(page, Hub.Hit::position, found -> HubWire.summary(words, found.entry()));
        var counts = counted ? hub.counts(filter) : null;
        var found = new HubPage(
                list.data(),
                list.meta(),
                counts == null ? null : (Long) counts.total(),
                counts == null ? null : (Boolean) counts.isExact(),
                counts == null ? null : HubWire.facets(words, counts),
                counts != null && counts.total() == 0 ? suggestion(filter) : null,
                skilled ? skills(filter, page.subList(0, list.data().size())) : null);
        String next = list.meta().nextCursor();
        var answer = Answer.ok(found);
        var linked = next == null ? answer : answer.with("Link", PageRequest.link(call, "cursor", next));
        return moving(call, linked).with("Vary", "User-Agent");
    }

    private @Nullable String suggestion(Hub.Filter filter) {
        return filter.search() == null ? null : hub.suggestion(filter.search()).orElse(null);
    }

    private List<HubSkill> skills(Hub.Filter filter, List<Hub.Hit> page) {
        return filter.search() == null
                ? List.of()
                : hub.skills(filter.search(), page).stream().map(HubWire::skill).toList();
    }

    private Answer categories(Call call) {
        PageRequest.limitOf(call); // all fit into one page, but a wrong limit is refused as in every list
        return moving(call, Answer.ok(Page.of(HubWire.categories(hub.categories()), null)));
    }

    private Answer bundle(Call call, BundleSnapshot bundle) {
        return moving(call, Answer.ok(HubWire.detail(AssetWords.of(call), hub.detail(bundle))))
                .with("Vary", "User-Agent");
    }

    private Answer starred(Call call) {
        var status = stars.get(call.origin().caller(), call.repository());
        return CachePolicy.MOVING.on(Answer.ok(status), call.caller(), Visibility.PUBLIC);
    }

    private Answer star(Call call) {
        return Answer.ok(stars.set(call.origin(), call.repository(), true, ConditionalWrite.of(call)));
    }

    private Answer unstar(Call call) {
        return Answer.ok(stars.set(call.origin(), call.repository(), false, ConditionalWrite.of(call)));
    }

    private Answer stars(Call call) {
        var paging = PageRequest.of(call);
        var words = AssetWords.of(call);
        var found = stars.of(Accounts.person(call.origin().caller()).userId(), paging.after(), paging.limit());
        return paging.answer(
                found.bundles().stream()
                        .map(entry -> HubWire.summary(words, entry))
                        .toList(),
                found.last());
    }

    static Answer moving(Call call, Answer answer) {
        return CachePolicy.MOVING.on(answer, call.caller(), Visibility.PUBLIC);
    }
}
