package dev.sheaf.server.console.org.publisher;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.WorkflowFile;
import dev.sheaf.model.wire.org.TrustedPublisher;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.org.OrgPage;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.stream.Stream;

/// Workflows that publish without a key, and the file to put into their repository.
public final class PublisherPages {
    private static final String ALL = "/organizations/{org_id}/publishers";
    private static final String ONE = ALL + "/{publisher_id}";
    private static final String API = "/trusted-publishers";
    private static final int SHOWN = 50;

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(ALL, PublisherPages::list),
                pages.own(
                        ALL + "/new",
                        page -> form(OrgPage.of(page), PublisherForm.empty(page.query("bundle")), FormErrors.NONE)),
                pages.form(ALL, PublisherPages::trust),
                pages.own(ONE, PublisherPages::one),
                pages.own(ONE + "/remove", page -> question(OrgPage.of(page), FormErrors.NONE)),
                pages.form(ONE + "/remove", PublisherPages::remove));
    }

    private static Answer list(PageCall page) {
        var org = OrgPage.of(page);
        var publishers = page.api()
                .list(TrustedPublisher.class, org.api(API).with("limit", SHOWN).with("cursor", page.query("cursor")));
        return org.view("Trusted publishers", "org/publisher/list", "publishers")
                .with("publishers", publishers.data())
                .with("next", OrgPage.next(org.path("/publishers"), publishers))
                .forMachines(
                        "GET " + org.api(API),
                        "sheaf publishers list --org " + org.organization().handle())
                .show();
    }

    /// Returns the workflow in words.
    public static String who(TrustedPublisher publisher) {
        String repository = publisher.repository();
        return Show.visible(repository == null ? publisher.issuer() : repository);
    }

    private static Answer form(OrgPage org, PublisherForm typed, FormErrors errors) {
        org.permit(Method.POST, org.api(API));
        return org.view("Trust a workflow", "org/publisher/trust", "publishers")
                .with("typed", typed)
                .with("errors", errors)
                .refused(errors)
                .forMachines(
                        "POST " + org.api(API),
                        "sheaf publishers add --github acme/notes --workflow release.yml --bundle acme/notes --org "
                                + org.organization().handle())
                .show();
    }

    private static Answer trust(PageCall page) {
        var typed = PublisherForm.of(page.form());
        var org = OrgPage.of(page);
        TrustedPublisher made;
        try {
            made = page.api().post(TrustedPublisher.class, org.api(API), typed.members());
        } catch (ProblemException e) {
            return form(org, typed, PageCall.errors(e.problem(), PublisherForm.FIELDS));
        }
        return org.seeOther(
                org.path("/publishers/{}", made.id()), Notice.ok(who(made) + " is trusted. Now put the file there."));
    }

    private static TrustedPublisher publisher(OrgPage org) {
        return org.page()
                .api()
                .get(TrustedPublisher.class, org.api(API + "/{}", org.page().parameter("publisher_id")));
    }

    private static Answer one(PageCall page) {
        var org = OrgPage.of(page);
        var publisher = publisher(org);
        String place = WorkflowFile.place(publisher);
        page.naming(page.names(Stream.of(Show.text(publisher.createdBy()))));
        return org.view(who(publisher), "org/publisher/publisher", "publishers")
                .with("publisher", publisher)
                .with("who", who(publisher))
                .with("place", Show.text(place))
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

    private static Answer question(OrgPage org, FormErrors errors) {
        var publisher = publisher(org);
        return org.page()
                .view("Stop trusting " + who(publisher), "org/ask")
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

    private static Answer remove(PageCall page) {
        page.form();
        var org = OrgPage.of(page);
        try {
            page.api().delete(org.api(API + "/{}", page.parameter("publisher_id")));
        } catch (ProblemException e) {
            return question(org, PageCall.errors(e.problem()));
        }
        return org.seeOther(org.path("/publishers"), Notice.ok("The workflow is no longer trusted."));
    }
}
