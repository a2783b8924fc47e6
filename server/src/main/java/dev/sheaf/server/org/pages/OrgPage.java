package dev.sheaf.server.org.pages;

import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageView;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.stream.Stream;

/// A page about an organization. Bound to its request.
public final class OrgPage {
    private final PageCall page;
    private final Organization organization;

    private OrgPage(PageCall page, Organization organization) {
        this.page = page;
        this.organization = organization;
    }

    /// @throws dev.sheaf.model.ProblemException not-found, even if only the viewer is not a member
    public static OrgPage of(PageCall page) {
        return new OrgPage(page, page.organization());
    }

    public PageCall page() {
        return page;
    }

    public Organization organization() {
        return organization;
    }

    /// Returns the viewer's role in the organization; empty if the viewer is not a member.
    public String role() {
        return page.viewer().in(organization.handle()).map(User.Belonging::role).orElse("");
    }

    /// Returns whether the viewer sees the actions that only admins can do.
    public boolean isAdmin() {
        return page.may(RoutePermission.ADMIN);
    }

    /// Returns an API path below the organization, to show to programs.
    ///
    /// @param rest the rest of the pattern, such as `/api-keys/{}`
    public ApiPath api(String rest, Object... values) {
        return below("/v1/organizations/{}", rest, values);
    }

    /// Returns the path of a page below the organization's page.
    public ApiPath path(String rest, Object... values) {
        return below("/organizations/{}", rest, values);
    }

    private ApiPath below(String own, String rest, Object... values) {
        return ApiPath.of(
                own + rest,
                Stream.concat(Stream.of(organization.handle()), Stream.of(values))
                        .toArray());
    }

    /// Returns a page with the organization's navigation.
    ///
    /// @param selected the selected link, see nav.jte
    public PageView view(String title, String template, String selected) {
        return page.view(PageFormat.visible(title) + ": " + organization.handle(), template)
                .with("orgId", organization.handle())
                .with("selected", selected)
                .in("organization");
    }

    public Answer seeOther(ApiPath place, PageNotice notice) {
        return page.seeOther(place.toString(), notice);
    }

    /// Returns a link to the next page of a list; empty if there is none.
    public static String next(ApiPath same, Page<?> shown) {
        String cursor = shown.meta().nextCursor();
        return cursor == null ? "" : same.with("cursor", cursor).toString();
    }
}
