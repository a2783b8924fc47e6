package dev.sheaf.server.console;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.secret.OneTimeSecret;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Cookies;
import dev.sheaf.server.input.Form;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request for a page, and what its handler needs to answer. Bound to its thread.
public final class PageCall {
    private static final long MAX_FORM = 1 << 20;
    private static final String HTML = "text/html; charset=utf-8";
    private static final String VISITOR = "sheaf_visitor";
    private static final String THEME = "sheaf_theme";

    static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    private final Pages pages;
    private final Call call;
    private final Api api;
    private final List<String> cookies = new ArrayList<>();
    private final List<Notice> notices = new ArrayList<>();
    private @Nullable Viewer viewer;
    private @Nullable String visitor;
    private boolean forms; // for who has not signed in
    private boolean isSecret;

    PageCall(Pages pages, Call call) {
        this.pages = pages;
        this.call = call;
        this.api = new Api(pages.inner, call);
    }

    public Call call() {
        return call;
    }

    public Api api() {
        return api;
    }

    /// The decoded value of a parameter of the route's pattern.
    public String parameter(String name) {
        return call.parameter(name);
    }

    /// A parameter of the query; a plus in it is a space, as forms send it. Null: it was not sent, or is empty.
    public @Nullable String query(String name) {
        return Form.parse(call.rawQuery()).first(name).orElse(null);
    }

    public Viewer viewer() {
        var known = viewer;
        if (known == null) {
            known = isPerson() ? signedIn() : Viewer.ANONYMOUS;
            viewer = known;
        }
        return known;
    }

    private boolean isPerson() {
        return call.caller() instanceof Caller.Known known && known.credential() instanceof Credential.Session;
    }

    private Viewer signedIn() {
        return new Viewer(api.get(User.class, ApiPath.of("/v1/users/me")), api.isAdministrator());
    }

    /// The form that was sent.
    ///
    /// @throws dev.sheaf.model.ProblemException forbidden where it was not on a page that this browser was shown
    public Form form() {
        var form = call.form(MAX_FORM);
        check(form);
        return form;
    }

    /// The same for a form that was read in another way.
    public void check(Form form) {
        pages.tokens.check(call, Cookies.read(call, VISITOR).orElse(""), form);
    }

    /// Says something at the top of the page that is shown.
    public PageCall say(Notice notice) {
        notices.add(notice);
        return this;
    }

    /// Sets a cookie with the answer.
    public PageCall cookie(String line) {
        cookies.add(line);
        return this;
    }

    /// A page of its title and template.
    public View view(String title, String template) {
        return new View(this, title, template);
    }

    /// Leads on to another page.
    ///
    /// @param place of this service, encoded
    public Answer seeOther(String place) {
        return sent(Answer.empty(303).with("Location", place)).with("Cache-Control", "no-store");
    }

    /// The same with words that stand at its top.
    public Answer seeOther(String place, Notice notice) {
        cookie(Once.NOTICE.left(call, notice.text(), "/"));
        return seeOther(place);
    }

    /// A page of something public. Whoever has not signed in may get one that was made for another such reader some
    /// seconds ago, with its validator.
    ///
    /// @param number of what it shows, which is another as soon as that changes
    /// @param make the page, where it has to be made; it holds nothing that depends on the reader
    public Answer shared(long number, Supplier<View> make) {
        if (!isForEverybody() || !call.rawQuery().isEmpty()) {
            return make.get().show();
        }
        var key = new KeptPages.Key(number, call.rawPath(), call.registryHost(), call.baseUrl(), theme());
        var kept = pages.kept.find(key).orElseGet(() -> pages.kept.keep(key, html(make.get())));
        return validated(Answer.document(HTML, kept.html(), kept.digest()));
    }

    private static Answer validated(Answer page) {
        return page.with("Content-Security-Policy", POLICY)
                .with("Cache-Control", "public, max-age=0, must-revalidate")
                .with("Vary", "Cookie")
                .packed();
    }

    /// Returns whether a page has nothing that is meant for this reader alone.
    private boolean isForEverybody() {
        return call.caller() instanceof Caller.Anonymous
                && notices.isEmpty()
                && cookies.isEmpty()
                && !forms
                && !Once.NOTICE.isThere(call)
                && Cookies.read(call, VISITOR).isEmpty();
    }

    private byte[] html(View view) {
        var values = view.values();
        values.put("frame", frame(view));
        return pages.templates.render(view.template(), values);
    }

    Answer show(View view) {
        if (view.isForEverybody() && view.status() == 200 && isForEverybody()) {
            return validated(Answer.document(HTML, html(view)));
        }
        said().ifPresent(notices::add);
        byte[] html = html(view);
        var page = sent(Answer.bytes(view.status(), HTML, html))
                .with("Content-Security-Policy", POLICY)
                .with("Cache-Control", "private, no-store")
                .with("Vary", "Cookie");
        return isPackable() ? page.packed() : page;
    }

    /// Returns whether the page may be compressed. An attacker whose words are in a page, and who sees how long its
    /// compressed answers are, can guess the rest of it (BREACH). Pages of other sites can make a browser ask, but
    /// the browser then names another site. A page for an anonymous visitor has nothing to guess.
    private boolean isPackable() {
        return !isSecret
                && !call.method().equals("POST")
                && (call.caller() instanceof Caller.Anonymous
                        || call.header("Sec-Fetch-Site")
                                .filter(List.of("same-origin", "none")::contains)
                                .isPresent());
    }

    /// What the page before left to be said.
    private Optional<Notice> said() {
        if (Once.NOTICE.isThere(call)) {
            cookie(Once.NOTICE.gone(call, "/"));
        }
        return Once.NOTICE.text(call).flatMap(Notice::parse);
    }

    /// Leaves a secret for the next page to show.
    ///
    /// @param place the path of that page
    public PageCall leaveSecret(String secret, String place) {
        return cookie(Once.SECRET.left(call, secret, place));
    }

    /// The secret that was left for this page; empty: there is none, or it was shown.
    ///
    /// @param prefix of all such secrets
    public String secret(String place, String prefix) {
        if (Once.SECRET.isThere(call)) {
            isSecret = true;
            cookie(Once.SECRET.gone(call, place));
        }
        return Once.SECRET.text(call).filter(text -> text.startsWith(prefix)).orElse("");
    }

    private Frame frame(View view) {
        String query = call.rawQuery();
        return new Frame(
                view.title(),
                view.section(),
                view.search(),
                viewer(),
                formToken(),
                theme(),
                query.isEmpty() ? call.rawPath() : call.rawPath() + "?" + query,
                call.registryHost(),
                call.baseUrl(),
                notices,
                view.machine(),
                pages.files);
    }

    private String theme() {
        return Cookies.read(call, THEME)
                .filter(List.of("light", "dark")::contains)
                .orElse("");
    }

    /// A browser in which nobody has signed in gets a random word, which its forms are bound to.
    private String formToken() {
        if (isPerson()) {
            return pages.tokens.of(call, "");
        }
        String known = visitor;
        if (known == null) {
            known = Cookies.read(call, VISITOR).orElse("");
            if (known.isEmpty() && forms) {
                known = OneTimeSecret.generate("v").expose();
                cookie(Cookies.set(call, VISITOR, known, "/", Duration.ofDays(1), Cookies.Along.LAX));
            }
            visitor = known;
        }
        return pages.tokens.of(call, known);
    }

    /// Says that the page has a form for who has not signed in.
    public PageCall withForms() {
        forms = true;
        return this;
    }

    private Answer sent(Answer answer) {
        var all = answer;
        for (String line : cookies) {
            all = all.with("Set-Cookie", line);
        }
        return all;
    }

    /// A problem as errors of a form, which is shown again.
    ///
    /// @param fields that it has
    /// @throws dev.sheaf.model.ProblemException where the form cannot help: missing, or not allowed
    public static FormErrors errors(Problem problem, String... fields) {
        if (problem instanceof Problem.Missing || problem instanceof Problem.Credential) {
            throw problem.raise();
        }
        return FormErrors.of(problem, List.of(fields));
    }
}
