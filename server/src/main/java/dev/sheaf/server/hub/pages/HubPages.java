package dev.sheaf.server.hub.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.server.bundle.api.AssetWords;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.SearchQuery;
import dev.sheaf.server.hub.api.HubWire;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The first page: search and lists of bundles.
public final class HubPages {
    private static final int SHOWN = 20;
    private static final Map<String, String> SORTS = Map.of(
            "relevance", "Best match",
            "downloads", "Most used",
            "recent", "Newest",
            "stars", "Most starred");

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

    /// The request.
    ///
    /// @param category the category; null means any
    public record Asked(String text, String sort, @Nullable String category) {
        /// Returns the link to the same search in another order.
        public String sorted(String by) {
            return of(text, by, category).toString();
        }

        /// Returns the link to the same search in another category; null means any category.
        public String within(@Nullable String other) {
            return of(text, sort, other).toString();
        }

        static ApiPath of(String text, String sort, @Nullable String category) {
            return ApiPath.of("/").with("q", text).with("sort", sort).with("category", category);
        }
    }

    private Page<HubBundle> found(PageCall page, Asked asked) {
        var search = asked.text().isEmpty() ? null : RequestFields.named("q", asked.text(), SearchQuery::parse);
        String category = asked.category();
        var filter = new Hub.Filter(
                search == null || !search.isTyped() ? null : search,
                null,
                null,
                category == null ? null : RequestFields.named("category", category, Hub.Filter::categorySlug));
        var paging = page.paging(SHOWN, "q", "sort", "category");
        var hits = hub.page(filter, Hub.Sort.parse(asked.sort()), paging.after(), paging.fetch());
        var words = AssetWords.of(page.call());
        return paging.list(hits, Hub.Hit::position, hit -> HubWire.summary(words, hit.entry()));
    }

    private Answer search(PageCall page) {
        String text = PageFormat.text(page.query("q"));
        String sort = SORTS.containsKey(PageFormat.text(page.query("sort")))
                ? PageFormat.text(page.query("sort"))
                : text.isBlank() ? "recent" : "relevance";
        var asked = new Asked(text, sort, page.query("category"));
        var path = ApiPath.of("/v1/hub/bundles")
                .with("q", text)
                .with("sort", sort)
                .with("category", asked.category())
                .with("limit", SHOWN);
        String call = "GET " + path;
        var found = found(page, asked);
        String next = found.meta().nextCursor();
        return page.view(text.isBlank() ? "Bundles" : text + ": search", "hub/pages/search")
                .with("isNew", isNew.getAsBoolean())
                .with("asked", asked)
                .with("sorts", SORTS)
                .with("bundles", found.data())
                .with("categories", HubWire.categories(hub.categories()))
                .with(
                        "next",
                        next == null
                                ? ""
                                : Asked.of(text, sort, asked.category())
                                        .with("cursor", next)
                                        .toString())
                .forEverybody()
                .in("browse")
                .searching(text)
                .forMachines(call, text.isBlank() ? "sheaf search" : "sheaf search " + ShellQuoting.quote(text))
                .show();
    }
}
