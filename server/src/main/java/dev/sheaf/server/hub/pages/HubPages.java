package dev.sheaf.server.hub.pages;

import dev.sheaf.model.wire.hub.HubCategory;
import dev.sheaf.model.wire.hub.HubSkill;
import dev.sheaf.server.bundle.api.AssetWords;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.HubCategories;
import dev.sheaf.server.hub.HubFacet;
import dev.sheaf.server.hub.SearchMarks;
import dev.sheaf.server.hub.SearchQuery;
import dev.sheaf.server.hub.api.HubWire;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// The first page: search and lists of bundles.
public final class HubPages {
    static final int SHOWN = 20;
    private static final int NEAR = 5;
    private static final Map<String, String> CATEGORIES = HubCategories.all().stream()
            .collect(Collectors.toUnmodifiableMap(HubCategories.Category::slug, HubCategories.Category::displayName));

    private final Hub hub;
    private final BooleanSupplier isNew;

    /// @param isNew returns whether no account exists yet
    public HubPages(Hub hub, BooleanSupplier isNew) {
        this.hub = hub;
        this.isNew = isNew;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.open("/", this::search));
    }

    private Answer search(PageCall page) {
        var asked = SearchForm.of(page);
        var filter = asked.filter();
        var paging = page.paging(SHOWN, SearchForm.parameters());
        var hits = hub.page(filter, Hub.Sort.parse(asked.order()), paging.after(), paging.fetch());
        var words = AssetWords.of(page.call());
        var list = paging.list(hits, Hub.Hit::position, Hub.Hit::entry);
        var shown = hits.subList(0, list.data().size());
        var counts = hub.counts(filter);
        var marks = SearchMarks.of(asked.text());
        var skills = filter.search() == null
                ? List.<HubSkill>of()
                : hub.skills(filter.search(), shown).stream()
                        .map(HubWire::skill)
                        .toList();
        var results = new SearchResults(
                counts.total(),
                counts.isExact(),
                rows(marks, words, list.data(), skills),
                SearchResults.groups(asked, HubWire.facets(words, counts), CATEGORIES),
                SearchResults.chosen(asked, CATEGORIES));
        return page.view(asked.text().isBlank() ? "Bundles" : asked.text() + ": search", "hub/pages/search")
                .with("isNew", isNew.getAsBoolean())
                .with("asked", asked)
                .with("results", results)
                .with("near", list.data().isEmpty() ? near(words, filter) : SearchNear.NONE)
                .with("categories", asked.isFirst() ? categories(counts) : List.of())
                .paged(asked::link, page.query("cursor"), list.meta().nextCursor())
                .forEverybody()
                .in("browse")
                .searching(asked.text())
                .followedAt("/v1/hub/feed.atom")
                .forMachines("GET " + asked.api(), asked.command())
                .show();
    }

    private static List<SearchResults.Row> rows(
            SearchMarks marks, AssetWords words, List<Hub.Entry> entries, List<HubSkill> skills) {
        return entries.stream()
                .map(entry -> SearchResults.row(marks, words, entry, skills))
                .toList();
    }

    private static List<HubCategory> categories(Hub.Counts counts) {
        return HubWire.categories(counts.values().getOrDefault(HubFacet.CATEGORY, Map.of())).stream()
                .filter(category -> category.bundleCount() > 0)
                .toList();
    }

    private SearchNear near(AssetWords words, Hub.Filter filter) {
        long unfiltered = filter.isNarrow() ? hub.counts(filter.onlySearch()).total() : 0;
        String suggestion = filter.search() == null || unfiltered > 0
                ? ""
                : hub.suggestion(filter.search()).orElse("");
        if (suggestion.isEmpty()) {
            return new SearchNear("", 0, List.of(), filter.isNarrow(), unfiltered);
        }
        var other = new Hub.Filter(SearchQuery.parse(suggestion), null, null, null);
        var found = hub.page(other, Hub.Sort.RELEVANCE, null, NEAR).stream()
                .map(Hub.Hit::entry)
                .toList();
        return new SearchNear(
                suggestion,
                hub.counts(other).total(),
                rows(SearchMarks.of(suggestion), words, found, List.of()),
                filter.isNarrow(),
                unfiltered);
    }
}
