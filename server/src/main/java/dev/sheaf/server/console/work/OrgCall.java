package dev.sheaf.server.console.work;

import dev.sheaf.server.console.Api;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.View;
import dev.sheaf.server.http.message.Method;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A request for a page of an organization. Its path is the API's path of the same resource, without `/v1`.
/// Bound to its thread.
public record OrgCall(PageCall page) {
    /// The number of entries on one page of a list.
    public static final int SHOWN = 50;

    /// Returns the organization's id or handle, from the path.
    public String id() {
        return page.parameter("org_id");
    }

    public Api api() {
        return page.api();
    }

    /// Returns an API path below the organization; each `{}` is a value.
    public ApiPath path(String rest, Object... values) {
        return ApiPath.of("/v1/organizations/{}" + rest, with(values));
    }

    /// Refuses a viewer who may not make such a call below the organization.
    public void permit(Method method, ApiPath path) {
        page.api().permit(method, path);
    }

    /// Returns whether the viewer may change queues and related things.
    private boolean mayWork() {
        return page.api().may(Method.POST, path("/queues"));
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

    /// Returns a page with the organization's navigation.
    ///
    /// @param selected the last part of the path of the selected link in the navigation
    public View view(String title, String template, String selected) {
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
