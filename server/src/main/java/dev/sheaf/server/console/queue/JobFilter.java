package dev.sheaf.server.console.queue;

import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.work.Filled;
import org.jspecify.annotations.Nullable;

/// Which jobs of a queue are shown.
///
/// @param status empty: any, as the others
/// @param after created then or later, as it was typed
/// @param before created before
/// @param text in the input
public record JobFilter(String status, String type, String after, String before, String text) {
    static JobFilter of(PageCall page) {
        return new JobFilter(
                Show.text(page.query("status")),
                Show.text(page.query("type")),
                Show.text(page.query("after")),
                Show.text(page.query("before")),
                Show.text(page.query("q")));
    }

    /// A call of the API with it.
    ApiPath asked(ApiPath path) {
        return path.with("status", status)
                .with("jobType", type)
                .with("createdAfter", moment(after))
                .with("createdBefore", moment(before))
                .with("q", text);
    }

    private static @Nullable String moment(String typed) {
        return Filled.NOTHING.with("at", typed).time("at");
    }

    /// The page with it.
    ApiPath shown(String place) {
        return ApiPath.of(place)
                .with("status", status)
                .with("type", type)
                .with("after", after)
                .with("before", before)
                .with("q", text);
    }

    /// The link to the same in another state.
    public String in(String place, String state) {
        return new JobFilter(state, type, after, before, text).shown(place).toString();
    }

    public boolean isAny() {
        return (status + type + after + before + text).isEmpty();
    }
}
