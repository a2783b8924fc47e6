package dev.sheaf.server.ard;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.server.catalog.EntryType;
import dev.sheaf.server.hub.SearchQuery;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A search (ARD, section 5.3).
///
/// @param types the media types to find; empty for all
/// @param publishers the domains to find; empty for all
/// @param tags keywords of which a bundle must have one; empty for all
/// @param asksReferrals whether the caller wants to know of other registries
/// @param pageToken null for the first page
public record ArdQuery(
        SearchQuery search,
        List<String> types,
        List<String> publishers,
        List<String> tags,
        boolean asksReferrals,
        int pageSize,
        @Nullable String pageToken) {
    private static final int MAX_TEXT = 2_000;
    private static final int MAX_SEARCH = 200; // of the hub
    private static final int MAX_VALUES = 100;
    private static final int MAX_TOKEN = 500;
    private static final int PAGE = 10;
    private static final int MAX_PAGE = 100;
    private static final SearchQuery NOTHING = SearchQuery.parse("");
    private static final Set<String> MODES = Set.of("auto", "referrals", "none");
    private static final Set<String> FILTERS = Set.of("type", "publisher", "tags");

    /// Words of requests in sentences, which say nothing about what is looked for.
    private static final Set<String> FILLING = Set.of(
            "a",
            "an",
            "and",
            "any",
            "anything",
            "are",
            "can",
            "could",
            "do",
            "does",
            "find",
            "for",
            "from",
            "get",
            "give",
            "good",
            "has",
            "have",
            "help",
            "helps",
            "how",
            "i",
            "in",
            "is",
            "it",
            "looking",
            "me",
            "my",
            "need",
            "of",
            "on",
            "or",
            "please",
            "search",
            "show",
            "skill",
            "skills",
            "some",
            "something",
            "that",
            "the",
            "this",
            "to",
            "tool",
            "tools",
            "use",
            "want",
            "what",
            "which",
            "with",
            "would",
            "you");

    public ArdQuery {
        types = List.copyOf(types);
        publishers = List.copyOf(publishers);
        tags = List.copyOf(tags);
    }

    /// Parses the body of a search.
    public static ArdQuery parse(RequestFields fields) {
        var query = fields.object("query");
        if (query == null && !fields.has("query")) {
            fields.error("query", "required", "is required");
        }
        var filter = query == null ? null : query.object("filter");
        if (filter != null) {
            filter.only(FILTERS);
        }
        Long size = fields.count("pageSize");
        if (size != null && size == 0) {
            fields.error("pageSize", "range", "must be at least 1");
        }
        String mode = fields.optional("federation", MAX_TEXT);
        if (mode != null && !MODES.contains(mode)) {
            fields.error("federation", "format", "must be auto, referrals or none");
        }
        return new ArdQuery(
                query == null ? NOTHING : search(query),
                values(filter, "type"),
                values(filter, "publisher"),
                values(filter, "tags"),
                "referrals".equals(mode),
                size == null ? PAGE : (int) Math.min(size, MAX_PAGE),
                fields.optional("pageToken", MAX_TOKEN));
    }

    private static SearchQuery search(RequestFields query) {
        var words = Arrays.asList(query.required("text", MAX_TEXT).strip().split("[\\s,.!?;]+"));
        var telling = words.stream()
                .filter(word -> !FILLING.contains(word.toLowerCase(Locale.ROOT)))
                .toList();
        String text = String.join(" ", telling.isEmpty() ? words : telling);
        int end = Math.min(text.length(), MAX_SEARCH);
        boolean isHalf = end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1));
        return SearchQuery.parse(text.substring(0, isHalf ? end - 1 : end));
    }

    private static List<String> values(@Nullable RequestFields filter, String name) {
        var values = filter == null ? null : filter.textOrTexts(name);
        if (filter != null && values != null && values.size() > MAX_VALUES) {
            filter.error(name, "range", "has " + values.size() + " entries; at most " + MAX_VALUES);
        }
        return values == null ? List.of() : values;
    }

    boolean finds(EntryType type) {
        return types.isEmpty() || types.contains(type.mediaType());
    }

    /// Returns whether only plugins are looked for.
    boolean findsPluginsOnly() {
        return finds(EntryType.PLUGIN) && !finds(EntryType.SKILL);
    }

    /// Returns whether the filters leave out everything that the registry has.
    boolean findsNothing(String host) {
        boolean isOfOthers = !publishers.isEmpty() && !publishers.contains(host);
        return isOfOthers || search.terms().isEmpty() || !finds(EntryType.PLUGIN) && !finds(EntryType.SKILL);
    }

    boolean hasTag(Stream<String> keywords) {
        return tags.isEmpty() || keywords.anyMatch(tags::contains);
    }

    /// Returns everything that the list depends on, except its page.
    public String list() {
        return Stream.of(search.terms(), search.slugs(), types, publishers, tags)
                .map(List::toString)
                .collect(Collectors.joining("\n"));
    }
}
