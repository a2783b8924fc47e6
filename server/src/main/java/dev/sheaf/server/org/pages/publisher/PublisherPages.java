package dev.sheaf.server.org.pages.publisher;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.WorkflowFile;
import dev.sheaf.model.wire.org.TrustedPublisher;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.publisher.NewPublisher;
import dev.sheaf.server.identity.publisher.TrustedPublishers;
import dev.sheaf.server.org.pages.OrgPage;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/// Workflows that publish without a key, and the file to put into their repository.
public final class PublisherPages {
    private static final String ALL = "/organizations/{org_id}/publishers";
    private static final String ONE = ALL + "/{publisher_id}";
    private static final String API = "/trusted-publishers";
    private static final int SHOWN = 50;
    private static final Function<String, UUID> ID = PathId.of("trusted publisher %s");

    private final TrustedPublishers publishers;

    public PublisherPages(TrustedPublishers publishers) {
        this.publishers = publishers;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ALL, RoutePermission.ADMIN, this::list),
                pages.asking(
                        ALL + "/new",
                        RoutePermission.ADMIN,
                        page -> form(OrgPage.of(page), PublisherForm.empty(page.query("bundle")), FormErrors.NONE)),
                pages.form(ALL, RoutePermission.ADMIN, this::trust),
                pages.own(ONE, RoutePermission.ADMIN, this::one),
                pages.own(ONE + "/remove", RoutePermission.ADMIN, page -> question(OrgPage.of(page), FormErrors.NONE)),
                pages.form(ONE + "/remove", RoutePermission.ADMIN, this::remove));
    }

    private Answer list(PageCall page) {
        var org = OrgPage.of(page);
        var caller = page.caller();
        var trusted =
                page.paging(SHOWN).list((after, limit) -> publishers.list(caller, after, limit), TrustedPublisher::id);
        return org.view("Trusted publishers", "org/pages/publisher/list", "publishers")
                .with("publishers", trusted.data())
                .with("next", OrgPage.next(org.path("/publishers"), trusted))
                .forMachines(
                        "GET " + org.api(API),
                        "sheaf publishers list --org " + org.organization().handle())
                .show();
    }

    /// Returns the workflow in words.
    public static String who(TrustedPublisher publisher) {
        String repository = publisher.repository();
        return PageFormat.visible(repository == null ? publisher.issuer() : repository);
    }

    /// Returns the name of the provider as people write it.
    public static String provider(TrustedPublisher publisher) {
        return switch (publisher.provider()) {
            case "github" -> "GitHub";
            case "gitlab" -> "GitLab";
            case "oidc" -> "OpenID Connect";
            default -> publisher.provider();
        };
    }

    private static Answer form(OrgPage org, PublisherForm typed, FormErrors errors) {
        return org.view("Trust a workflow", "org/pages/publisher/trust", "publishers")
                .with("typed", typed)
                .with("errors", errors)
                .refused(errors)
                .forMachines(
                        "POST " + org.api(API),
                        "sheaf publishers add --github acme/notes --workflow release.yml --bundle acme/notes --org "
                                + org.organization().handle())
                .show();
    }

    private Answer trust(PageCall page) {
        var typed = PublisherForm.of(page.form());
        var org = OrgPage.of(page);
        TrustedPublisher made;
        try {
            made = publishers.create(
                    page.origin(), RequestFields.form(typed.members()).to(NewPublisher::parse));
        } catch (ProblemException e) {
            return form(org, typed, PageCall.errors(e.problem(), PublisherForm.FIELDS));
        }
        return org.seeOther(
                org.path("/publishers/{}", made.id()),
                PageNotice.ok(who(made) + " is trusted. Now put the file there."));
    }

    private TrustedPublisher publisher(OrgPage org) {
        return publishers.get(org.page().caller(), org.page().parameter("publisher_id", ID));
    }

    private Answer one(PageCall page) {
        var org = OrgPage.of(page);
        var publisher = publisher(org);
        String place = WorkflowFile.place(publisher);
        page.naming(page.names(Stream.of(PageFormat.text(publisher.createdBy()))));
        return org.view(who(publisher), "org/pages/publisher/publisher", "publishers")
                .with("publisher", publisher)
                .with("who", who(publisher))
                .with("place", PageFormat.text(place))
                .with(
                        "file",
                        place == null
                                ? ""
                                : WorkflowFile.text(
                                        publisher,
                                        page.call().baseUrl(),
                                        page.call().registryHost()))
                .forMachines(
                        "GET " + org.api(API + "/{}", publisher.id()),
                        "sheaf publishers list --org " + org.organization().handle())
                .show();
    }

    private Answer question(OrgPage org, FormErrors errors) {
        var publisher = publisher(org);
        return org.page()
                .view("Stop trusting " + who(publisher), "org/pages/ask")
                .with("heading", "Stop trusting " + who(publisher) + "?")
                .with("text", "Its runs no longer get tokens, and their current tokens end.")
                .with("breaks", List.of("It cannot publish any more: " + String.join(", ", publisher.bundles()) + "."))
                .with(
                        "action",
                        org.path("/publishers/{}/remove", publisher.id()).toString())
                .with("button", "Stop trusting " + who(publisher))
                .with("parent", org.path("/publishers").toString())
                .with("parentLabel", "Trusted publishers")
                .with("keep", "Keep it")
                .with("errors", errors)
                .in("organization")
                .refused(errors)
                .forMachines(
                        "DELETE " + org.api(API + "/{}", publisher.id()),
                        "sheaf publishers remove " + publisher.id() + " --org "
                                + org.organization().handle())
                .show();
    }

    private Answer remove(PageCall page) {
        var org = OrgPage.of(page);
        try {
            publishers.delete(page.origin(), page.parameter("publisher_id", ID), any -> {});
        } catch (ProblemException e) {
            return question(org, PageCall.errors(e.problem()));
        }
        return org.seeOther(org.path("/publishers"), PageNotice.ok("The workflow is no longer trusted."));
    }
}
