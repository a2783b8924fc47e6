package dev.sheaf.server.module;

import dev.sheaf.server.config.Setting;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.org.OrgPages;
import dev.sheaf.server.console.org.OverviewPages;
import dev.sheaf.server.console.org.audit.AuditPages;
import dev.sheaf.server.console.org.key.KeyPage;
import dev.sheaf.server.console.org.key.KeyPages;
import dev.sheaf.server.console.org.member.InvitationPages;
import dev.sheaf.server.console.org.member.MemberPages;
import dev.sheaf.server.console.org.namespace.NamespacePages;
import dev.sheaf.server.console.org.namespace.TransferPages;
import dev.sheaf.server.console.org.policy.PolicyPages;
import dev.sheaf.server.console.org.publisher.PublisherPages;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.node.Node;
import java.util.List;
import java.util.stream.Stream;

/// The pages of organizations.
final class OrgConsole {
    private OrgConsole() {}

    static List<Route> routes(Pages pages, Node node) {
        return Stream.of(
                        new OrgPages(node.config().isOn(Setting.SELF_SERVICE)).routes(pages),
                        new OverviewPages().routes(pages),
                        new KeyPages(node.clock()).routes(pages),
                        new KeyPage(node.clock()).routes(pages),
                        new MemberPages().routes(pages),
                        new InvitationPages().routes(pages),
                        new NamespacePages().routes(pages),
                        new TransferPages().routes(pages),
                        new PublisherPages().routes(pages),
                        new PolicyPages().routes(pages),
                        new AuditPages().routes(pages))
                .flatMap(List::stream)
                .toList();
    }
}
