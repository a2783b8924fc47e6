package dev.sheaf.server.console.work;

import dev.sheaf.server.console.Api;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.View;
import dev.sheaf.server.http.message.Method;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A request for a page of an organization. Its path is that of the same thing in the API, without `/v1`. Bound to its
/// thread.
public record OrgCall(PageCall page) {
    /// How many entries a list shows at a time.
    public static final int SHOWN = 50;

    /// The organization's id or handle, as the path has it.
    public String id() {
        return page.parameter("org_id");
    }

    public Api api() {
        return page.api();
    }

    /// A path of the API below the organization; each `{}` is a value.
    public ApiPath path(String rest, Object... values) {
        return ApiPath.of("/v1/organizations/{}" + rest, with(values));
    }

    /// Refuses a viewer who may not make such a call below the organization.
    public void permit(Method method, ApiPath path) {
        page.api().permit(method, path);
    }

    /// Whether the viewer may change queues and what belongs to them.
    private boolean mayWork() {
        return page.api().may(Method.POST, path("/queues"));
    }

    /// The path of a page below the organization.
    public String link(String rest, Object... values) {
        return ApiPath.of("/organizations/{}" + rest, with(values)).toString();
    }

    private Object[] with(Object... values) {
        return Stream.concat(Stream.of(id()), Stream.of(values)).toArray();
    }

    /// A page with the organization's navigation at its side.
    ///
    /// @param selected the last part of the path of the page in the navigation that this one belongs to
    public View view(String title, String template, String selected) {
        return page.view(title, template)
                .with("orgId", id())
                .with("selected", selected)
                .with("mayWork", mayWork())
                .in("organization");
    }

    /// The path and query of the next page of a list; empty: there is none.
    ///
    /// @param path of the list with its filters
    /// @param cursor null: it was the last
    public static String next(ApiPath path, @Nullable String cursor) {
        return cursor == null ? "" : path.with("cursor", cursor).toString();
    }
}
