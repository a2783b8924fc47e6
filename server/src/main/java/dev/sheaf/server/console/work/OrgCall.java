package dev.sheaf.server.console.work;

import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageView;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.job.JobList;
import dev.sheaf.server.queue.job.Jobs;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A request for a page of an organization. Its path is the API's path of the same resource, without `/v1`.
/// Bound to its thread.
public record OrgCall(PageCall page) {
    /// The number of entries on one page of a list.
    public static final int SHOWN = 50;

    private static final int COPIES = 4; // of the jobs: a text takes up to two bytes per byte of UTF-8, plus its page

    /// Returns the organization's id or handle, from the path.
    public String id() {
        return page.parameter("org_id");
    }

    /// Returns the caller of features that read.
    public Caller.Known caller() {
        return page.caller();
    }

    /// Returns the origin of changes by the form.
    public ChangeOrigin origin() {
        return page.origin();
    }

    /// Returns a part of a list of jobs.
    public Page<Job> jobs(Jobs jobs, JobList wanted, PageRequest paging) {
        var part = jobs.list(
                caller(),
                wanted,
                paging.after(),
                paging.limit(),
                bytes -> page.call().borrow("the list of jobs", bytes, COPIES));
        return paging.list(part.jobs(), part.last());
    }

    /// Returns an API path below the organization, to show to programs; each `{}` is a value.
    public ApiPath path(String rest, Object... values) {
        return ApiPath.of("/v1/organizations/{}" + rest, with(values));
    }

    /// Returns whether the viewer may change queues and related things.
    private boolean mayWork() {
        return page.may(RoutePermission.WRITE);
    }

    /// Returns the path of a page below the organization.
    public String link(String rest, Object... values) {
        return ApiPath.of("/organizations/{}" + rest, with(values)).toString();
    }

    private Object[] with(Object... values) {
        return Stream.concat(Stream.of(id()), Stream.of(values)).toArray();
    }

    /// Finds the names of those who did something, which the page then shows.
    public void naming(Stream<? extends @Nullable String> actors) {
        page.naming(page.names(actors));
    }

    /// Returns a worker as [#naming] finds it; null if there is none.
    public static @Nullable String worker(@Nullable UUID id) {
        return id == null ? null : "worker:" + id;
    }

    /// Returns a page with the organization's navigation.
    ///
    /// @param selected the last part of the path of the selected link in the navigation
    public PageView view(String title, String template, String selected) {
        return page.view(title, template)
                .with("orgId", id())
                .with("selected", selected)
                .with("mayWork", mayWork())
                .in("organization");
    }

    /// Returns the path and query of the next page of a list; empty if there is none.
    ///
    /// @param path the path of the list with its filters
    /// @param cursor the next cursor; null on the last page
    public static String next(ApiPath path, @Nullable String cursor) {
        return cursor == null ? "" : path.with("cursor", cursor).toString();
    }
}
