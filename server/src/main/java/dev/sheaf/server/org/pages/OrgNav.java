package dev.sheaf.server.org.pages;

import dev.sheaf.model.Role;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageFrame;
import java.util.List;

/// The pages of an organization, as its navigation lists them: only pages that the viewer's role may open.
public final class OrgNav {
    private static final List<Group> GROUPS = List.of(
            new Group(
                    "",
                    List.of(
                            new Link("overview", "Overview", "org", Scope.READ),
                            new Link("members", "Members", "person", Scope.ADMIN),
                            new Link("namespaces", "Namespaces", "tag", Scope.READ),
                            new Link("trash", "Trash", "trash", Scope.ADMIN))),
            new Group(
                    "Access",
                    List.of(
                            new Link("keys", "Keys", "key", Scope.ADMIN),
                            new Link("publishers", "Trusted publishers", "shield", Scope.ADMIN),
                            new Link("policies", "Policies", "lock", Scope.ADMIN),
                            new Link("reviews", "Reviews", "check", Scope.READ))),
            new Group(
                    "Work",
                    List.of(
                            new Link("queues", "Queues", "queue", Scope.READ),
                            new Link("workers", "Workers", "agent", Scope.READ),
                            new Link("routes", "Routes", "compare", Scope.READ),
                            new Link("webhooks", "Webhooks", "link", Scope.ADMIN))),
            new Group(
                    "Proof",
                    List.of(
                            new Link("use", "Use", "download", Scope.ADMIN),
                            new Link("events", "Events", "clock", Scope.READ),
                            new Link("audit", "Audit log", "log", Scope.ADMIN))));

    private OrgNav() {}

    /// Some pages under one heading.
    ///
    /// @param name the heading; empty for the name of the organization
    public record Group(String name, List<Link> links) {
        public Group {
            links = List.copyOf(links);
        }
    }

    /// @param slug the last part of the page's path
    /// @param needed the scope that the API calls behind the page need
    public record Link(String slug, String label, String icon, Scope needed) {}

    /// Returns the pages that the viewer may open.
    public static List<Group> groups(PageFrame frame, String orgId) {
        var scope = frame.viewer()
                .in(orgId)
                .map(own -> Role.parse(own.role()).scope())
                .orElse(Scope.READ);
        return GROUPS.stream()
                .map(group -> new Group(
                        group.name(),
                        group.links().stream()
                                .filter(link -> scope.includes(link.needed()))
                                .toList()))
                .filter(group -> !group.links().isEmpty())
                .toList();
    }

    public static String path(String orgId, Link link) {
        return link.slug().equals("overview")
                ? ApiPath.of("/organizations/{}", orgId).toString()
                : ApiPath.of("/organizations/{}/" + link.slug(), orgId).toString();
    }

    public static String label(String slug) {
        return GROUPS.stream()
                .flatMap(group -> group.links().stream())
                .filter(link -> link.slug().equals(slug))
                .map(Link::label)
                .findFirst()
                .orElse(slug);
    }

    /// Returns its name for members, its handle for others.
    public static String name(PageFrame frame, String orgId) {
        return frame.viewer()
                .in(orgId)
                .map(User.Belonging::name)
                .map(PageFormat::visible)
                .orElse(orgId);
    }
}
