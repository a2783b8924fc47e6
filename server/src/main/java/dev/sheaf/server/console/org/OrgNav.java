package dev.sheaf.server.console.org;

import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.Frame;
import dev.sheaf.server.console.Show;
import java.util.List;

/// The pages of an organization, as its navigation lists them.
public final class OrgNav {
    private static final List<Group> GROUPS = List.of(
            new Group(
                    "",
                    List.of(
                            new Link("overview", "Overview", "org"),
                            new Link("members", "Members", "person"),
                            new Link("namespaces", "Namespaces", "tag"))),
            new Group(
                    "Access",
                    List.of(
                            new Link("keys", "Keys", "key"),
                            new Link("publishers", "Trusted publishers", "shield"),
                            new Link("policies", "Policies", "lock"))),
            new Group(
                    "Work",
                    List.of(
                            new Link("queues", "Queues", "queue"),
                            new Link("workers", "Workers", "agent"),
                            new Link("routes", "Routes", "compare"),
                            new Link("webhooks", "Webhooks", "link"))),
            new Group("Proof", List.of(new Link("events", "Events", "clock"), new Link("audit", "Audit log", "log"))));

    private OrgNav() {}

    /// Some pages under one heading.
    ///
    /// @param name empty: that of the organization
    public record Group(String name, List<Link> links) {
        public Group {
            links = List.copyOf(links);
        }
    }

    /// @param slug the last part of the page's path
    public record Link(String slug, String label, String icon) {}

    public static List<Group> groups() {
        return GROUPS;
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

    /// What members call the organization; its handle to others.
    public static String name(Frame frame, String orgId) {
        return frame.viewer()
                .in(orgId)
                .map(User.Belonging::name)
                .map(Show::visible)
                .orElse(orgId);
    }
}
