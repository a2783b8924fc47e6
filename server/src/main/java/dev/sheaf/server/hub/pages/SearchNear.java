package dev.sheaf.server.hub.pages;

import java.util.List;

/// What is near a search that finds nothing.
///
/// @param suggestion the search with misspelled words replaced; empty if there is none
/// @param found the number of bundles that the suggestion finds
/// @param rows the first of them
/// @param isNarrow whether the search has filters
/// @param unfiltered the number of bundles without these filters
public record SearchNear(
        String suggestion, long found, List<SearchResults.Row> rows, boolean isNarrow, long unfiltered) {
    /// For a search that finds something.
    static final SearchNear NONE = new SearchNear("", 0, List.of(), false, 0);

    public SearchNear {
        rows = List.copyOf(rows);
    }
}
