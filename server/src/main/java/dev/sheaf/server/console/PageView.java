package dev.sheaf.server.console;

import dev.sheaf.server.http.message.Answer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A page: its template and the template's parameters. Bound to its request.
public final class PageView {
    private final PageCall page;
    private final String title;
    private final String template;
    private final Map<String, Object> values = new HashMap<>();
    private FormErrors errors = FormErrors.NONE;
    private String section = "";
    private String search = "";
    private String feed = "";
    private ApiEquivalent machine = ApiEquivalent.NONE;
    private int status = 200;
    private boolean everybody;
    private int kept; // seconds

    PageView(PageCall page, String title, String template) {
        this.page = page;
        this.title = title;
        this.template = template;
    }

    /// A parameter of the template.
    public PageView with(String name, Object value) {
        values.put(name, value);
        return this;
    }

    /// Adds the links of a list: `next` to its next page, `first` back to its beginning; empty if there is no
    /// such page.
    ///
    /// @param list the path of the list, created again for each link
    /// @param cursor the cursor of the shown page; null for the first page
    /// @param next the cursor of the next page; null on the last page
    public PageView paged(Supplier<ApiPath> list, @Nullable String cursor, @Nullable String next) {
        return with("next", next == null ? "" : list.get().with("cursor", next).toString())
                .with("first", cursor == null ? "" : list.get().toString());
    }

    /// Sets the section of the navigation to which the page belongs, see [PageFrame].
    public PageView in(String part) {
        this.section = part;
        return this;
    }

    public PageView searching(String text) {
        this.search = text;
        return this;
    }

    /// Sets the Atom feed of what the page shows, which programs that read feeds find by its head.
    ///
    /// @param path its path; empty if there is none
    public PageView followedAt(String path) {
        this.feed = path;
        return this;
    }

    /// Sets the calls and commands that programs use instead.
    public PageView forMachines(String call, String command) {
        return forMachines(ApiEquivalent.of(call, command));
    }

    public PageView forMachines(ApiEquivalent lines) {
        this.machine = lines;
        return this;
    }

    /// Marks the page as the same for all readers who are not signed in; they may cache it and ask for it again
    /// by its validator.
    public PageView forEverybody() {
        this.everybody = true;
        return this;
    }

    /// Marks the page as the same for all readers, signed in or not. Caches may keep it for so many seconds.
    public PageView keptFor(int seconds) {
        this.kept = seconds;
        return this;
    }

    public PageView status(int code) {
        this.status = code;
        return this;
    }

    /// Sets the status for the errors of the page's form, and the headers of the refusal, such as when to try
    /// again.
    public PageView refused(FormErrors wrong) {
        this.status = wrong.status();
        this.errors = wrong;
        return this;
    }

    public Answer show() {
        var answer = page.show(this);
        var problem = errors.problem();
        return problem == null ? answer : PageErrors.withHeaders(answer, problem, page.call());
    }

    String title() {
        return title;
    }

    String template() {
        return template;
    }

    Map<String, Object> values() {
        return values;
    }

    String section() {
        return section;
    }

    String search() {
        return search;
    }

    String feed() {
        return feed;
    }

    ApiEquivalent machine() {
        return machine;
    }

    boolean isForEverybody() {
        return everybody;
    }

    int kept() {
        return kept;
    }

    int status() {
        return status;
    }
}
