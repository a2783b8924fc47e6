package dev.sheaf.server.console;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.ReadOnly;
import dev.sheaf.server.auth.secret.OneTimeSecret;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.CookieHeaders;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.Accounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A request for a page, and the tools that its handler needs to answer. Bound to its thread.
public final class PageCall {
    /// The header of pages that refresh themselves: `quick` or `whole`.
    private static final String REFRESH = "Sheaf-Refresh";

    private static final String HTML = "text/html; charset=utf-8";
    private static final String VISITOR = "sheaf_visitor";
    private static final String THEME = "sheaf_theme";

    static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    private final PageRoutes pages;
    private final Call call;
    private final List<String> cookies = new ArrayList<>();
    private final List<PageNotice> notices = new ArrayList<>();
    private @Nullable PageViewer viewer;
    private @Nullable String visitor;
    private @Nullable FormFields sent;
    private boolean forms; // whether the page has forms for readers who are not signed in
    private boolean isSecret;
    private PageFrame.Names names = PageFrame.Names.NONE;

    PageCall(PageRoutes pages, Call call) {
        this.pages = pages;
        this.call = call;
    }

    public Call call() {
        return call;
    }

    /// Returns the caller of features that read.
    ///
    /// @throws dev.sheaf.model.ProblemException unauthenticated if the viewer is not signed in
    public Caller.Known caller() {
        return call.origin().caller();
    }

    /// Returns the origin of changes by this form.
    ///
    /// @throws dev.sheaf.model.ProblemException unauthenticated if the viewer is not signed in; unavailable
    ///     while the installation is read-only
    public ChangeOrigin origin() {
        ReadOnly.checkChange();
        return call.origin();
    }

    /// Refuses a viewer without a permission; see [PageRoutes#own].
    public void require(RoutePermission need) {
        pages.rights.require(call, need);
    }

    /// Refuses as [#require], but records nothing, because the page only asks whether to show a form.
    public void permit(RoutePermission need) {
        pages.rights.permit(call, need);
    }

    /// Returns whether the viewer has a permission.
    public boolean may(RoutePermission need) {
        return pages.rights.may(call, need);
    }

    /// Returns the origin of changes by a key that somebody typed into the form. A wrong key counts as a failed
    /// authentication.
    ///
    /// @throws dev.sheaf.model.ProblemException unless the key administers the installation
    public ChangeOrigin administrator(String key) {
        return pages.rights.administrator(call, key);
    }

    /// Makes a change that a form for everybody asks for.
    public <T> T change(Supplier<T> change) {
        return pages.rights.change(change);
    }

    /// Returns the viewer, acting for another organization than the page's.
    public Optional<Caller.Known> in(UUID organization) {
        return pages.rights.in(call, organization);
    }

    /// Makes the viewer act for another organization from now on; for the viewer's own, if the viewer is not its
    /// member.
    public void actFor(UUID organization) {
        in(organization).ifPresent(call::authenticated);
    }

    /// Returns the organization in the path, which the viewer belongs to.
    public Organization organization() {
        return pages.organizations.get(call.organization());
    }

    /// Returns the part of a list that the query asks for.
    ///
    /// @param filters the query parameters that change the content of the list
    public PageRequest paging(int limit, String... filters) {
        return pagingBy("cursor", limit, filters);
    }

    /// Returns the part of a list that has its own cursor.
    ///
    /// @param parameter the query parameter with the cursor
    public PageRequest pagingBy(String parameter, int limit, String... filters) {
        var list = new StringBuilder(parameter);
        for (String filter : filters) {
            list.append('\n').append(filter).append('=').append(query(filter));
        }
        return PageRequest.of(call, list.toString(), limit, query(parameter));
    }

    /// Returns the decoded value of a parameter of the route's pattern.
    public String parameter(String name) {
        return call.parameter(name);
    }

    /// Parses a parameter of the route's pattern.
    public <T> T parameter(String name, Function<String, T> parser) {
        return call.parameter(name, parser);
    }

    /// Returns a query parameter, in which a plus means a space, as forms send it. Null if it is missing or
    /// empty.
    public @Nullable String query(String name) {
        return FormFields.parse(call.rawQuery()).first(name).orElse(null);
    }

    public PageViewer viewer() {
        var known = viewer;
        if (known == null) {
            known = isPerson() ? signedIn() : PageViewer.ANONYMOUS;
            viewer = known;
        }
        return known;
    }

    private boolean isPerson() {
        return call.caller() instanceof Caller.Known known && known.credential() instanceof Credential.Session;
    }

    private PageViewer signedIn() {
        var own = Accounts.person(caller());
        return new PageViewer(pages.accounts.get(own.userId()), pages.rights.isAdministrator(call));
    }

    /// Returns the sent form.
    ///
    /// @throws dev.sheaf.model.ProblemException forbidden if the form is not from a page that this browser
    ///     received
    public FormFields form() {
        var form = sent;
        if (form == null) {
            form = call.form(PageRoutes.maxForm(call));
            check(form);
            sent = form;
        }
        return form;
    }

    /// Checks a form that was read in another way, as [#form] does.
    public void check(FormFields form) {
        pages.tokens.check(call, CookieHeaders.read(call, VISITOR).orElse(""), form);
    }

    /// Adds a notice at the top of the shown page.
    public PageCall say(PageNotice notice) {
        notices.add(notice);
        return this;
    }

    /// Finds the names of those who did something, in at most one query, for a viewer of their organization.
    public PageFrame.Names names(Stream<? extends @Nullable String> actors) {
        var all = actors.filter(Objects::nonNull).map(PageFormat::text).toList();
        return call.caller() instanceof Caller.Known known
                ? new PageFrame.Names(pages.actors.of(known.organizationId(), all))
                : PageFrame.Names.NONE;
    }

    /// Shows these names on the page.
    public PageCall naming(PageFrame.Names found) {
        names = found;
        return this;
    }

    /// Sets a cookie with the answer.
    public PageCall cookie(String line) {
        cookies.add(line);
        return this;
    }

    /// Begins a page with its title and template.
    public PageView view(String title, String template) {
        return new PageView(this, title, template);
    }

    /// Redirects to another page.
    ///
    /// @param place the encoded path of a page in this console
    public Answer seeOther(String place) {
        return sent(Answer.empty(303).with("Location", place)).with("Cache-Control", "no-store");
    }

    /// Redirects to another page, which shows a notice at its top.
    public Answer seeOther(String place, PageNotice notice) {
        cookie(FlashMessage.NOTICE.store(call, notice.text(), "/"));
        return seeOther(place);
    }

    /// Returns a public page. Readers who are not signed in may get a cached page that was made for another
    /// such reader a few seconds ago.
    ///
    /// @param number the number of the shown object, which changes as soon as the object changes
    /// @param make makes the page if necessary, and first calls [Call#pay]; the page must not depend on the reader
    public Answer shared(long number, Supplier<PageView> make) {
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

    /// Returns whether a page has no content for this reader alone.
    private boolean isForEverybody() {
        return call.caller() instanceof Caller.Anonymous
                && notices.isEmpty()
                && cookies.isEmpty()
                && !forms
                && !FlashMessage.NOTICE.isThere(call)
                && CookieHeaders.read(call, VISITOR).isEmpty();
    }

    private byte[] html(PageView view) {
        var values = view.values();
        values.put("frame", frame(view));
        return pages.templates.render(view.template(), values);
    }

    Answer show(PageView view) {
        if (view.kept() > 0) {
            return Answer.document(HTML, html(view))
                    .with("Content-Security-Policy", POLICY)
                    .with("Cache-Control", "public, max-age=" + view.kept())
                    .with("Vary", "Cookie") // it has the theme
                    .packed();
        }
        if (view.isForEverybody() && view.status() == 200 && isForEverybody()) {
            return validated(Answer.document(HTML, html(view)));
        }
        previousNotice().ifPresent(notices::add);
        byte[] html = html(view);
        var page = sent(Answer.bytes(view.status(), HTML, html))
                .with("Content-Security-Policy", POLICY)
                .with("Cache-Control", "private, no-store")
                .with("Vary", "Cookie");
        return isPackable() ? page.packed() : page;
    }

    /// Returns whether the page may be compressed. An attacker who can put text into a page and sees the length
    /// of its compressed responses can guess the rest of the page (BREACH). Pages of other sites can make a
    /// browser send requests, but the browser then names the other site. A page for an anonymous visitor
    /// contains nothing to guess.
    private boolean isPackable() {
        return !isSecret
                && !call.method().equals("POST")
                && (call.caller() instanceof Caller.Anonymous
                        || call.header("Sec-Fetch-Site")
                                .filter(List.of("same-origin", "none")::contains)
                                .isPresent());
    }

    /// Returns whether the page refreshes itself and needs only what changes from moment to moment.
    public boolean isQuickRefresh() {
        return call.header(REFRESH).filter("quick"::equals).isPresent();
    }

    /// Returns the notice that the previous page left. It waits for a page that people see: one that refreshes
    /// itself in another tab shows no notices.
    private Optional<PageNotice> previousNotice() {
        if (call.header(REFRESH).isPresent()) {
            return Optional.empty();
        }
        if (FlashMessage.NOTICE.isThere(call)) {
            cookie(FlashMessage.NOTICE.remove(call, "/"));
        }
        return FlashMessage.NOTICE.text(call).flatMap(PageNotice::parse);
    }

    /// Leaves a secret for the next page.
    ///
    /// @param place the path of that page
    public PageCall leaveSecret(String secret, String place) {
        return cookie(FlashMessage.SECRET.store(call, secret, place));
    }

    /// Returns the secret that was left for this page; empty if there is none or it was already shown.
    ///
    /// @param prefix the prefix of all such secrets
    public String secret(String place, String prefix) {
        if (FlashMessage.SECRET.isThere(call)) {
            isSecret = true;
            cookie(FlashMessage.SECRET.remove(call, place));
        }
        return FlashMessage.SECRET
                .text(call)
                .filter(text -> text.startsWith(prefix))
                .orElse("");
    }

    /// Returns the path and query to return to: of this page, or of the page whose form was sent.
    private String here() {
        String query = call.rawQuery();
        String own = query.isEmpty() ? call.rawPath() : call.rawPath() + "?" + query;
        return call.method().equals("POST") ? pageOfForm().orElse("/account") : own;
    }

    private Optional<String> pageOfForm() {
        String base = call.baseUrl();
        return call.header("Referer")
                .filter(from -> from.startsWith(base + "/"))
                .map(from -> from.substring(base.length()));
    }

    private PageFrame frame(PageView view) {
        return new PageFrame(
                PageFormat.visible(view.title()),
                view.section(),
                view.search(),
                viewer(),
                view.kept() == 0,
                formToken(),
                theme(),
                here(),
                call.registryHost(),
                call.baseUrl(),
                notices,
                view.machine(),
                names,
                view.feed(),
                pages.files);
    }

    private String theme() {
        return CookieHeaders.read(call, THEME)
                .filter(List.of("light", "dark")::contains)
                .orElse("");
    }

    /// Returns the token for the page's forms. A browser that is not signed in gets a random word in a cookie,
    /// to which its forms are bound.
    private String formToken() {
        if (isPerson()) {
            return pages.tokens.of(call, "");
        }
        String known = visitor;
        if (known == null) {
            known = CookieHeaders.read(call, VISITOR).orElse("");
            if (known.isEmpty() && forms) {
                known = OneTimeSecret.generate("v").expose();
                cookie(CookieHeaders.set(call, VISITOR, known, "/", Duration.ofDays(1), CookieHeaders.Along.LAX));
            }
            visitor = known;
        }
        return pages.tokens.of(call, known);
    }

    /// Records that the page has a form for readers who are not signed in.
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

    /// Reads something; null if it does not exist for the viewer.
    public static <T> @Nullable T find(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Missing) {
                return null;
            }
            throw e;
        }
    }

    /// Returns a problem as errors of a form, which is shown again.
    ///
    /// @param fields the fields of the form
    /// @throws dev.sheaf.model.ProblemException if the user cannot correct the problem in the form: not found
    ///     or not allowed
    public static FormErrors errors(Problem problem, String... fields) {
        if (problem instanceof Problem.Missing || problem instanceof Problem.Credential) {
            throw problem.raise();
        }
        return FormErrors.of(problem, List.of(fields));
    }
}
