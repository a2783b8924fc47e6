package dev.sheaf.server.console;

import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.SameOrigin;
import dev.sheaf.server.http.policy.Cost;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.http.routing.InnerApi;

/// Makes the routes of pages. A page that is only looked at is a GET; whatever changes something is a POST of a form.
/// Thread-safe.
public final class Pages {
    final InnerApi inner;
    final Templates templates = new Templates();
    final StaticFiles files = new StaticFiles();
    final KeptPages kept = new KeptPages();
    final FormTokens tokens;

    public Pages(InnerApi inner, MasterSecret master) {
        this.inner = inner;
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
        return ReaderZone.during(() -> page.viewer().zone(), () -> handler.handle(page));
    }

    /// A page for everybody, who see of it what they may.
    public Route open(String pattern, Handler handler) {
        return new Route(Method.GET, pattern, Need.PUBLIC_READ, Cost.READ, call -> answer(handler, call));
    }

    /// A page for who has signed in; others are led to where they can.
    public Route own(String pattern, Handler handler) {
        return new Route(Method.GET, pattern, Need.PERSON, Cost.READ, call -> answer(handler, call));
    }

    /// A form of who has signed in.
    public Route form(String pattern, Handler handler) {
        return new Route(Method.POST, pattern, Need.PERSON, Cost.WRITE, call -> {
            SameOrigin.check(call);
            return answer(handler, call);
        });
    }

    /// A form of anybody.
    public Route openForm(String pattern, Handler handler) {
        return new Route(Method.POST, pattern, Need.PUBLIC_READ, Cost.WRITE, call -> {
            SameOrigin.check(call);
            return answer(handler, call);
        });
    }
}
