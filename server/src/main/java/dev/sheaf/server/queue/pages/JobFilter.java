package dev.sheaf.server.queue.pages;

import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.work.FilledForm;
import dev.sheaf.server.queue.job.JobList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The filter for the jobs of a queue.
///
/// @param status the state; empty means any, as for all filters
/// @param after the earliest creation time, as it was typed
/// @param before the creation must be before this time
/// @param text text that the input contains
public record JobFilter(String status, String type, String after, String before, String text) {
    /// The parameters of the page.
    static final String[] NAMES = {"status", "type", "after", "before", "q"};

    static JobFilter of(PageCall page) {
        return new JobFilter(
                PageFormat.text(page.query("status")),
                PageFormat.text(page.query("type")),
                PageFormat.text(page.query("after")),
                PageFormat.text(page.query("before")),
                PageFormat.text(page.query("q")));
    }

    /// Returns an API path with this filter.
    ApiPath appliedTo(ApiPath path) {
        return path.with("status", status)
                .with("jobType", type)
                .with("createdAfter", moment(after))
                .with("createdBefore", moment(before))
                .with("q", text);
    }

    /// Returns the selection of jobs.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed
    JobList list(UUID queue) {
        return JobList.read(queue, null, status.isEmpty() ? List.of() : List.of(status), this::value);
    }

    private Optional<String> value(String name) {
        String value = switch (name) {
            case "jobType" -> type;
            case "createdAfter" -> moment(after);
            case "createdBefore" -> moment(before);
            case "q" -> text;
            default -> null;
        };
        return Optional.ofNullable(value).filter(given -> !given.isEmpty());
    }

    /// Returns the members of a selection for the API, without the states.
    ///
    /// @param until the time before which jobs must have been created if the filter names none; null for any
    Map<String, @Nullable Object> members(@Nullable String until) {
        var members = new LinkedHashMap<String, @Nullable Object>();
        members.put("jobType", type.isEmpty() ? null : type);
        members.put("after", moment(after));
        members.put("before", before.isEmpty() ? until : moment(before));
        members.put("q", text.isEmpty() ? null : text);
        return members;
    }

    private static @Nullable String moment(String typed) {
        return FilledForm.NOTHING.with("at", typed).time("at");
    }

    /// Returns the page with this filter.
    ApiPath shown(String place) {
        return ApiPath.of(place)
                .with("status", status)
                .with("type", type)
                .with("after", after)
                .with("before", before)
                .with("q", text);
    }

    /// Returns the link to the same list with another state.
    public String in(String place, String state) {
        return new JobFilter(state, type, after, before, text).shown(place).toString();
    }

    public boolean isAny() {
        return (status + type + after + before + text).isEmpty();
    }
}
