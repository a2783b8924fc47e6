package dev.sheaf.server.console.hub;

import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.model.wire.hub.HubCategory;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Shell;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
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

    private final BooleanSupplier isNew;

    /// @param isNew returns whether no account exists yet
    public HubPages(BooleanSupplier isNew) {
        this.isNew = isNew;
    }

    public List<Route> routes(Pages pages) {
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

    private Answer search(PageCall page) {
        String text = Show.text(page.query("q"));
        String sort = SORTS.containsKey(Show.text(page.query("sort")))
                ? Show.text(page.query("sort"))
                : text.isBlank() ? "recent" : "relevance";
        var asked = new Asked(text, sort, page.query("category"));
        var path = ApiPath.of("/v1/hub/bundles")
                .with("q", text)
                .with("sort", sort)
                .with("category", asked.category())
                .with("limit", SHOWN);
        String call = "GET " + path;
        var found = page.api().list(HubBundle.class, path.with("cursor", page.query("cursor")));
        String next = found.meta().nextCursor();
        var categories = page.api().list(HubCategory.class, ApiPath.of("/v1/hub/categories"));
        return page.view(text.isBlank() ? "Bundles" : text + ": search", "hub/search")
                .with("isNew", isNew.getAsBoolean())
                .with("asked", asked)
                .with("sorts", SORTS)
                .with("bundles", found.data())
                .with("categories", categories.data())
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
                .forMachines(call, text.isBlank() ? "sheaf search" : "sheaf search " + Shell.quote(text))
                .show();
    }
}
