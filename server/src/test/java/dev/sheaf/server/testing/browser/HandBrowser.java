package dev.sheaf.server.testing.browser;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.RouteOptions;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route.FulfillOptions;
import com.microsoft.playwright.options.RequestOptions;
import dev.sheaf.server.testing.Browser;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A person at Chromium. Each page that is opened is a tab of its own, so forms stay as they were when they were shown.
/// With the keyboard the tab is made once the person does something with the page, of what the server answered when it
/// was opened. What no person can do, such as posting a form that no page has, goes as a plain request with the
/// browser's cookies.
final class HandBrowser extends Browser {
    private static final Pattern FORM = Pattern.compile("<form\\b([^>]*)>");
    private static final Pattern LINK = Pattern.compile("<a\\b[^>]*?\\bhref=\"([^\"]+)\"");
    private static final Set<String> SHOWN_HEADERS =
            Set.of("content-type", "content-security-policy", "referrer-policy");
    private static final int MOST_TABS = 6;
    private static final double PATIENCE = 15_000; // ms

    private final BrowserContext context;
    private final Hand hand;
    private final Deque<Tab> tabs = new ArrayDeque<>();
    private final Map<Page, APIResponse> untouched = new IdentityHashMap<>();
    private final List<String> wrongs = new ArrayList<>();

    private record Tab(Page shown, com.microsoft.playwright.Page page) {}

    HandBrowser(com.microsoft.playwright.Browser chromium, Hand hand) {
        this.hand = hand;
        context = chromium.newContext(new NewContextOptions().setJavaScriptEnabled(hand != Hand.NO_SCRIPT));
        context.setDefaultTimeout(PATIENCE);
        context.onRequest(request -> {
            String url = request.url();
            if (!url.startsWith("http://127.0.0.1:") && !url.startsWith("data:")) {
                wrongs.add("a page asked another host: " + url);
            }
        });
        context.onConsoleMessage(message -> {
            if (message.text().contains("Content Security Policy")) {
                wrongs.add(message.text());
            }
        });
        context.onDialog(dialog -> {
            wrongs.add("a script ran: " + dialog.message());
            dialog.dismiss();
        });
    }

    @Override
    public boolean has(String cookie) {
        return context.cookies().stream().anyMatch(one -> one.name.equals(cookie));
    }

    @Override
    public Page open(String url) {
        if (hand == Hand.KEYBOARD) {
            var answer = fetch(URI.create(url), null, "");
            var page = page(answer);
            untouched.put(page, answer);
            return page;
        }
        var page = newTab();
        try {
            return shown(page, page.navigate(url));
        } catch (PlaywrightException e) { // it is a file to keep
            page.close();
            return go(URI.create(url), null, "");
        }
    }

    @Override
    public void beSignedIn(String url, String email, String password) {
        var login = go(URI.create(url + "/login"), null, "");
        super.submit(login, "/login", Map.of("email", email, "password", password));
    }

    @Override
    public Page follow(Page page, String part) {
        var tab = tab(page);
        if (tab == null) {
            return super.follow(page, part);
        }
        var links = LINK.matcher(page.html()).results().toList();
        for (int i = 0; i < links.size(); i++) {
            if (links.get(i).group(1).replace("&amp;", "&").contains(part)) {
                var link = tab.page().locator("a[href]").nth(i);
                Form.reveal(tab.page(), hand, link);
                return after(tab, () -> press(tab.page(), link));
            }
        }
        throw new IllegalStateException("no link to " + part + " in " + page);
    }

    @Override
    public Page submit(Page page, Map<String, String> filledIn) {
        return submit(page, "", filledIn);
    }

    @Override
    public Page submit(Page page, String tag, Map<String, String> filledIn) {
        var tab = tab(page);
        if (tab == null) {
            return super.submit(page, tag, filledIn);
        }
        var form = new Form(tab.page(), hand, tab.page().locator("form").nth(index(page, tag)));
        try {
            filledIn.forEach(form::fill);
            return after(tab, () -> press(tab.page(), form.button(filledIn)));
        } catch (Form.NotPossible e) { // a value that no person can type
            return super.submit(page, tag, filledIn);
        }
    }

    @Override
    public Page upload(Page page, String action, Map<String, String> fields, List<Chosen> files) {
        var tab = tab(page);
        if (tab == null || !files.stream().allMatch(Form::canBeChosen)) {
            return super.upload(page, action, fields, files);
        }
        var form = new Form(
                tab.page(),
                hand,
                tab.page().locator("form[action='" + action + "']").first());
        try {
            form.choose(files);
            fields.forEach(form::fill);
            return after(tab, () -> press(tab.page(), form.button(fields)));
        } catch (Form.NotPossible e) {
            return super.upload(page, action, fields, files);
        }
    }

    /// The place of the form among all: as [Browser] finds it, the first with that text in its tag that changes
    /// something.
    private static int index(Page page, String tag) {
        var forms = FORM.matcher(page.html()).results().toList();
        int first = -1;
        for (int i = 0; i < forms.size(); i++) {
            String attributes = forms.get(i).group(1);
            if (attributes.contains(tag)) {
                if (attributes.contains("method=\"post\"")) {
                    return i;
                }
                first = first < 0 ? i : first;
            }
        }
        if (first < 0) {
            throw new IllegalStateException("no form of " + tag + " in " + page);
        }
        return first;
    }

    private void press(com.microsoft.playwright.Page page, Locator what) {
        if (hand == Hand.KEYBOARD) {
            Form.tabTo(page, what);
            page.keyboard().press("Enter");
        } else {
            what.click();
        }
    }

    /// Does something that leads to another page, and waits for it.
    @SuppressWarnings("deprecation") // waiting for an address instead does not see a page that leads to itself
    private Page after(Tab tab, Runnable step) {
        var page = tab.page();
        tabs.remove(tab);
        var answer = page.waitForNavigation(step);
        return shown(page, answer);
    }

    private Page shown(com.microsoft.playwright.Page page, @Nullable Response answer) {
        var response = Objects.requireNonNull(answer, () -> "no answer at " + page.url());
        var shown = new Page(URI.create(page.url()), response.status(), response.text());
        if (hand == Hand.MOUSE) {
            Axe.check(page, shown);
        }
        if (!wrongs.isEmpty()) {
            throw new AssertionError(page.url() + ": " + wrongs);
        }
        tabs.addLast(new Tab(shown, page));
        return shown;
    }

    private com.microsoft.playwright.Page newTab() {
        return tabs.size() < MOST_TABS ? context.newPage() : tabs.removeFirst().page();
    }

    private @Nullable Tab tab(Page page) {
        var answer = untouched.remove(page);
        if (answer != null) {
            show(page, answer);
        }
        return tabs.stream().filter(tab -> tab.shown() == page).findFirst().orElse(null);
    }

    /// Makes a tab of what the server answered before, with the headers that say what the page may do.
    private void show(Page shown, APIResponse answer) {
        var headers = new HashMap<>(answer.headers());
        headers.keySet().retainAll(SHOWN_HEADERS);
        var page = newTab();
        page.route(
                _ -> true,
                route -> route.fulfill(new FulfillOptions()
                        .setStatus(shown.status())
                        .setHeaders(headers)
                        .setBody(shown.html())),
                new RouteOptions().setTimes(1));
        page.navigate(shown.place().toString());
        tabs.addLast(new Tab(shown, page));
    }

    @Override
    protected Page go(URI first, byte @Nullable [] body, String type) {
        return page(fetch(first, body, type));
    }

    private static Page page(APIResponse answer) {
        return new Page(URI.create(answer.url()), answer.status(), answer.text());
    }

    private APIResponse fetch(URI first, byte @Nullable [] body, String type) {
        var options = RequestOptions.create().setHeader("Accept", "text/html,*/*;q=0.8");
        if (body == null) {
            options.setMethod("GET");
        } else {
            options.setMethod("POST").setData(body).setHeader("Content-Type", type);
        }
        return context.request().fetch(first.toString(), options);
    }

    @Override
    public void close() {
        context.close();
        super.close();
    }
}
