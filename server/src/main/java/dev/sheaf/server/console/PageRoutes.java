package dev.sheaf.server.console;

import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.message.SameOrigin;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.http.routing.ViewerRights;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.ActorNames;
import dev.sheaf.server.org.directory.Organizations;
import java.time.InstantSource;

/// Makes the routes of pages. A page that changes nothing is a GET; each change is a POST of a form.
/// Thread-safe.
public final class PageRoutes {
    private static final long MAX_FORM = 1 << 20;
    private static final long MAX_OPEN_FORM = 16 << 10;

    final ViewerRights rights;
    final Accounts accounts;
    final Organizations organizations;
    final ActorNames actors;
    final PageTemplates templates = new PageTemplates();
    final StaticFiles files = new StaticFiles();
    final KeptPages kept = new KeptPages();
    final FormTokens tokens;
    private final InstantSource clock;

    /// @param clock tells pages how long ago something was
    /// @param accounts, organizations what the head of each page shows of its viewer
    public PageRoutes(
            ViewerRights rights,
            MasterSecret master,
            InstantSource clock,
            ActorNames actors,
            Accounts accounts,
            Organizations organizations) {
        this.rights = rights;
        this.clock = clock;
        this.accounts = accounts;
        this.organizations = organizations;
        this.actors = actors;
        this.tokens = new FormTokens(master);
    }

    public StaticFiles files() {
        return files;
    }

    /// Answers a request for a page.
    public interface Handler {
        Answer handle(PageCall page);
    }

    private Answer answer(Handler handler, Call call) {
        var page = new PageCall(this, call);
        return ReaderZone.during(() -> page.viewer().zone(), clock, () -> handler.handle(page));
    }

    /// Makes the route of a page for everybody, which shows what its reader may see. It counts at once, even if
    /// the answer is 304, because its validator is only known after all work.
    public Route open(String pattern, Handler handler) {
        return validating(pattern, page -> paid(page, handler));
    }

    private static Answer paid(PageCall page, Handler handler) {
        page.call().pay();
        return handler.handle(page);
    }

    /// Makes the route of a page for which no credential is checked, so that it works without the database.
    /// Its reader counts as not signed in.
    public Route unchecked(String pattern, Handler handler) {
        return new Route(RouteMethod.GET, pattern, RoutePermission.NONE, call -> answer(handler, call));
    }

    /// Makes the route of a page for everybody that knows its validator before costly work.
    ///
    /// @param handler calls [Call#pay] before that work
    public Route validating(String pattern, Handler handler) {
        return new Route(
                RouteMethod.GET, pattern, RoutePermission.PUBLIC_READ, RequestCost.READ, call -> answer(handler, call));
    }

    /// Makes the route of a page for people who are signed in; others are sent to the sign-in page.
    public Route own(String pattern, Handler handler) {
        return new Route(
                RouteMethod.GET,
                pattern,
                RoutePermission.PERSON,
                RequestCost.READ,
                call -> answer(page -> paid(page, handler), call));
    }

    /// Makes the route of a page for people with a permission. A refusal is recorded in the audit log if the
    /// permission is privileged.
    public Route own(String pattern, RoutePermission need, Handler handler) {
        return own(pattern, page -> {
            rights.require(page.call(), need);
            return handler.handle(page);
        });
    }

    /// Makes the route of a page with a form for people with a permission. A refusal is not recorded,
    /// because nobody has tried to change anything yet.
    public Route asking(String pattern, RoutePermission need, Handler handler) {
        return own(pattern, page -> {
            rights.permit(page.call(), need);
            return handler.handle(page);
        });
    }

    /// Returns the maximum size of a form without files, in bytes.
    static long maxForm(Call call) {
        return call.need() == RoutePermission.PUBLIC_READ ? MAX_OPEN_FORM : MAX_FORM;
    }

    /// Makes the route of a form for people who are signed in.
    public Route form(String pattern, Handler handler) {
        return sent(pattern, page -> {
            page.form();
            return rights.change(() -> handler.handle(page));
        });
    }

    /// Makes the route of a form for people with a permission.
    public Route form(String pattern, RoutePermission need, Handler handler) {
        return form(pattern, page -> {
            rights.require(page.call(), need);
            return handler.handle(page);
        });
    }

    /// Makes the route of a form that also works while the installation is read-only.
    public Route always(String pattern, RoutePermission need, Handler handler) {
        return sent(pattern, page -> {
            page.form();
            rights.require(page.call(), need);
            return handler.handle(page);
        });
    }

    /// Makes the route of a form with files. Its handler reads and checks it, see [PageCall#check].
    public Route upload(String pattern, Handler handler) {
        return sent(pattern, page -> rights.change(() -> handler.handle(page)));
    }

    private Route sent(String pattern, Handler handler) {
        return new Route(RouteMethod.POST, pattern, RoutePermission.PERSON, RequestCost.WRITE, call -> {
            SameOrigin.check(call);
            return answer(handler, call);
        });
    }

    /// Makes the route of a form for everybody.
    public Route openForm(String pattern, Handler handler) {
        return new Route(RouteMethod.POST, pattern, RoutePermission.PUBLIC_READ, RequestCost.WRITE, call -> {
            SameOrigin.check(call);
            return answer(handler, call);
        });
    }
}
