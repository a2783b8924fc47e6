package dev.sheaf.server.console;

import dev.sheaf.server.http.message.Answer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A page to be shown: its template and what goes into it. Bound to its request.
public final class View {
    private final PageCall page;
    private final String title;
    private final String template;
    private final Map<String, Object> values = new HashMap<>();
    private FormErrors errors = FormErrors.NONE;
    private String section = "";
    private String search = "";
    private Machine machine = Machine.NONE;
    private int status = 200;
    private boolean everybody;

    View(PageCall page, String title, String template) {
        this.page = page;
        this.title = title;
        this.template = template;
    }

    /// A parameter of the template.
    public View with(String name, Object value) {
        values.put(name, value);
        return this;
    }

    /// The links of a list: `next` to its next page, `first` back to its beginning; empty: there is none.
    ///
    /// @param list the page of the list, made anew for each link
    /// @param cursor of the page that is shown; null: it is the first
    /// @param next the cursor of the next page; null: it is the last
    public View paged(Supplier<ApiPath> list, @Nullable String cursor, @Nullable String next) {
        return with("next", next == null ? "" : list.get().with("cursor", next).toString())
                .with("first", cursor == null ? "" : list.get().toString());
    }

    /// The section of the head that it belongs to, see [Frame].
    public View in(String part) {
        this.section = part;
        return this;
    }

    public View searching(String text) {
        this.search = text;
        return this;
    }

    /// What programs do in its place.
    public View forMachines(String call, String command) {
        return forMachines(Machine.of(call, command));
    }

    public View forMachines(Machine lines) {
        this.machine = lines;
        return this;
    }

    /// Says that everybody who has not signed in is shown the same, which they may keep and ask for again by its
    /// validator.
    public View forEverybody() {
        this.everybody = true;
        return this;
    }

    public View status(int code) {
        this.status = code;
        return this;
    }

    /// Answers with the status of what was wrong with the page's form, and with what its reader needs to know of it,
    /// such as when to try again.
    public View refused(FormErrors wrong) {
        this.status = wrong.status();
        this.errors = wrong;
        return this;
    }

    public Answer show() {
        var answer = page.show(this);
        var problem = errors.problem();
        return problem == null ? answer : PageErrors.told(answer, problem, page.call());
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

    Machine machine() {
        return machine;
    }

    boolean isForEverybody() {
        return everybody;
    }

    int status() {
        return status;
    }
}
