package dev.sheaf.server.module;

import dev.sheaf.server.config.Setting;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.EventWords;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.org.member.Members;
import dev.sheaf.server.org.pages.FirstSteps;
import dev.sheaf.server.org.pages.OrgActivity;
import dev.sheaf.server.org.pages.OrgExports;
import dev.sheaf.server.org.pages.OrgNeeds;
import dev.sheaf.server.org.pages.OrgPages;
import dev.sheaf.server.org.pages.OverviewPages;
import dev.sheaf.server.org.pages.WelcomePages;
import dev.sheaf.server.org.pages.audit.AuditPages;
import dev.sheaf.server.org.pages.key.KeyPage;
import dev.sheaf.server.org.pages.key.KeyPages;
import dev.sheaf.server.org.pages.member.InvitationPages;
import dev.sheaf.server.org.pages.member.MemberPages;
import dev.sheaf.server.org.pages.namespace.NamespacePages;
import dev.sheaf.server.org.pages.namespace.TransferPages;
import dev.sheaf.server.org.pages.policy.PolicyPages;
import dev.sheaf.server.org.pages.publisher.PublisherPages;
import dev.sheaf.server.org.pages.review.InboxPages;
import dev.sheaf.server.org.pages.use.ReportPages;
import java.util.List;
import java.util.stream.Stream;

/// The pages of organizations.
final class OrgConsole {
    private OrgConsole() {}

    static List<Route> routes(PageRoutes pages, NodeBase node, FeatureModules features) {
        var org = features.org();
        var members = new Members(node.database());
        var people = new MemberPages(members, org.invitations());
        var namespaces = new NamespacePages(
                org.namespaces(), org.transfers(), features.bundle().policies());
        return Stream.of(
                        new OrgPages(org.organizations(), node.config().isOn(Setting.SELF_SERVICE)).routes(pages),
                        overview(node, features, members).routes(pages),
                        new OrgExports(members, org.keys(), features.bundle().own()).routes(pages),
                        new WelcomePages(firstSteps(features)).routes(pages),
                        new KeyPages(org.keys(), org.policies(), node.clock()).routes(pages),
                        new KeyPage(org.keys(), org.keyChanges(), node.clock()).routes(pages),
                        people.routes(pages),
                        new InvitationPages(org.invitations(), people).routes(pages),
                        namespaces.routes(pages),
                        new TransferPages(org.transfers(), namespaces).routes(pages),
                        new PublisherPages(features.credentials().publishers()).routes(pages),
                        new PolicyPages(org.policies()).routes(pages),
                        new InboxPages(features.bundle().inbox()).routes(pages),
                        new ReportPages(features.bundle().report()).routes(pages),
                        new AuditPages(features.audit().log()).routes(pages))
                .flatMap(List::stream)
                .toList();
    }

    private static FirstSteps firstSteps(FeatureModules features) {
        return new FirstSteps(
                features.identity().identity().sessions(),
                features.org().keys(),
                features.audit().log(),
                features.bundle().own(),
                features.bundle().list(),
                features.bundle().installable(),
                features.org().namespaces());
    }

    private static OverviewPages overview(NodeBase node, FeatureModules features, Members members) {
        var org = features.org();
        var bundle = features.bundle();
        var events = features.events();
        var needs = new OrgNeeds(
                org.keys(),
                features.webhooks().failures(),
                features.queues().dead(),
                org.transfers(),
                org.invitations(),
                features.bundle().own(),
                features.bundle().inbox(),
                node.clock());
        return new OverviewPages(
                org.organizations(),
                org.namespaces(),
                org.quotas(),
                members,
                org.keys(),
                bundle.own(),
                bundle.list(),
                bundle.trash(),
                needs,
                new OrgActivity(events.feeds(), new EventWords(events.wire())));
    }
}
