package dev.sheaf.server.hub.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.text.WireWords;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.HubFlag;
import dev.sheaf.server.hub.SearchQuery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the reader of the search page asks for: words, filters and an order.
///
/// @param text the words as they were typed
/// @param sort the order; empty if the reader has not chosen one
/// @param filters the chosen values by parameter
public record SearchForm(String text, String sort, Map<String, String> filters) {
    /// The parameters of filters, in the order of the page.
    static final List<String> FILTERS = Stream.of(
                    Stream.of("type"),
                    Stream.of(HubFlag.values()).map(HubFlag::toString),
                    Stream.of("scripts", "tool", "license", "namespace", "category"))
            .flatMap(names -> names)
            .toList();

    private static final Map<String, String> OPTIONS = Map.of(
            "type", "--type",
            "scripts", "--scripts",
            "tool", "--tool",
            "license", "--license",
            "namespace", "--publisher");

    static final Map<String, String> SORTS = Map.of(
            "relevance", "Best match",
            "downloads", "Most used",
            "recent", "Newest",
            "stars", "Most starred");

    public SearchForm {
        filters = Map.copyOf(filters);
    }

    static SearchForm of(PageCall page) {
        var filters = new LinkedHashMap<String, String>();
        for (String name : FILTERS) {
            String value = page.query(name);
            if (value != null && !(isFlag(name) && value.equals("false"))) {
                filters.put(name, value);
            }
        }
        String sort = PageFormat.text(page.query("sort"));
        String text = PageFormat.text(page.query("q"));
        boolean isKnown = SORTS.containsKey(sort) && !(sort.equals("relevance") && text.isBlank());
        return new SearchForm(text, isKnown ? sort : "", filters);
    }

    /// Returns the parameters whose values change the list.
    static String[] parameters() {
        return Stream.concat(Stream.of("q", "sort"), FILTERS.stream()).toArray(String[]::new);
    }

    /// Returns whether a filter is something that is true or false.
    static boolean isFlag(String name) {
        return WireWords.find(HubFlag.class, name).isPresent();
    }

    /// Returns whether nothing was asked for, so that the page welcomes.
    public boolean isFirst() {
        return text.isBlank() && filters.isEmpty();
    }

    /// Returns the order of the list.
    public String order() {
        return sort.isEmpty() ? text.isBlank() ? "recent" : "relevance" : sort;
    }

    /// Returns the orders to choose from. Nothing matches best without words.
    public List<String> orders() {
        return text.isBlank()
                ? List.of("recent", "downloads", "stars")
                : List.of("relevance", "downloads", "recent", "stars");
    }

    /// Returns the name of an order.
    public String orderName(String order) {
        return SORTS.getOrDefault(order, order);
    }

    boolean has(String name, String value) {
        return value.equals(filters.get(name));
    }

    /// Returns the same search with a filter; without it if the value is null.
    SearchForm with(String name, @Nullable String value) {
        var changed = new LinkedHashMap<>(filters);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return new SearchForm(text, sort, changed);
    }

    /// Returns the link to the same search in another order.
    public String sorted(String by) {
        return new SearchForm(text, by, filters).link().toString();
    }

    /// Returns the link to the search with other words and without filters.
    public static String linkTo(String words) {
        return new SearchForm(words, "", Map.of()).link().toString();
    }

    /// Returns the link to the bundles of a category.
    public static String linkToCategory(String slug) {
        return new SearchForm("", "", Map.of("category", slug)).link().toString();
    }

    /// Returns the link to the same words without filters.
    public String unfiltered() {
        return new SearchForm(text, sort, Map.of()).link().toString();
    }

    ApiPath link() {
        return parameters(ApiPath.of("/").with("q", text).with("sort", sort));
    }

    private ApiPath parameters(ApiPath path) {
        FILTERS.forEach(name -> path.with(name, filters.get(name)));
        return path;
    }

    /// Returns the API's path of the same list.
    String api() {
        return parameters(ApiPath.of("/v1/hub/bundles").with("q", text).with("sort", order()))
                .with("facets", "true")
                .with("skills", text.isBlank() ? null : "true")
                .with("limit", HubPages.SHOWN)
                .toString();
    }

    /// Returns the command that finds the same.
    String command() {
        var command = new StringBuilder("sheaf search");
        if (!text.isBlank()) {
            command.append(' ').append(ShellQuoting.quote(text));
        }
        for (String name : FILTERS) {
            String value = filters.get(name);
            if (value != null && OPTIONS.containsKey(name)) {
                command.append(' ').append(OPTIONS.get(name)).append(' ').append(ShellQuoting.quote(value));
            } else if (value != null && isFlag(name)) {
                command.append(" --").append(name);
            }
        }
        return command.toString();
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed, naming the parameter
    Hub.Filter filter() {
        var search = text.isEmpty() ? null : RequestFields.named("q", text, SearchQuery::parse);
        return new Hub.Filter(
                search == null || !search.isTyped() ? null : search,
                value("type", Hub.Filter::type),
                value("namespace", Namespace::parse),
                value("category", Hub.Filter::categorySlug),
                value("license", Hub.Filter::value),
                value("tool", Hub.Filter::value),
                value("scripts", Hub.Filter::scripts),
                Stream.of(HubFlag.values())
                        .filter(flag -> Boolean.TRUE.equals(value(flag.toString(), Hub.Filter::flag)))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    private <T> @Nullable T value(String name, Function<String, T> parser) {
        String value = filters.get(name);
        return value == null ? null : RequestFields.named(name, value, parser);
    }
}
