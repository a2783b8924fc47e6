package dev.sheaf.server.console.org.audit;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.admin.AuditRecord;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.org.OrgPage;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What was done in an organization, and by whom.
public final class AuditPages {
    private static final String PATH = "/organizations/{org_id}/audit";
    private static final String API = "/audit-log";
    private static final int SHOWN = 50;
    private static final String[] FILTERS = {
        "actor", "action", "subject", "outcome", "requestId", "since", "until", "seq"
    };
    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    public List<Route> routes(Pages pages) {
        return List.of(pages.own(PATH, AuditPages::list), pages.own(PATH + "/export", AuditPages::export));
    }

    /// What was asked for, by the names of the filters.
    public record Asked(Map<String, String> filters) {
        /// @param names of the filters that the page has
        public static Asked of(PageCall page, String... names) {
            var filters = new LinkedHashMap<String, String>();
            for (String name : names) {
                String value = Show.text(page.query(name)).strip();
                if (!value.isEmpty()) {
                    filters.put(name, value);
                }
            }
            return new Asked(filters);
        }

        /// The value of a filter; empty: none.
        public String of(String name) {
            return filters.getOrDefault(name, "");
        }

        public boolean isEmpty() {
            return filters.isEmpty();
        }

        /// The path with the filters as they were typed.
        public ApiPath typed(ApiPath path) {
            filters.forEach(path::with);
            return path;
        }

        /// The path with the filters as the API reads them: a day begins at midnight, in UTC.
        public ApiPath read(ApiPath path) {
            filters.forEach(
                    (name, value) -> path.with(name, DAY.matcher(value).matches() ? value + "T00:00:00Z" : value));
            return path;
        }
    }

    private static Answer list(PageCall page) {
        var org = OrgPage.of(page);
        var asked = Asked.of(page, FILTERS);
        var path = asked.read(org.api(API));
        String call = "GET " + path;
        var errors = FormErrors.NONE;
        Page<AuditRecord> entries = Page.of(List.of(), null);
        try {
            entries =
                    page.api().list(AuditRecord.class, path.with("limit", SHOWN).with("cursor", page.query("cursor")));
        } catch (ProblemException e) {
            errors = PageCall.errors(e.problem(), FILTERS);
            if (errors.fields().isEmpty()) {
                throw e;
            }
        }
        boolean isNewest = asked.isEmpty() && page.query("cursor") == null;
        return org.view("Audit log", "org/audit/log", "audit")
                .with("entries", entries.data())
                .with("asked", asked)
                .with("next", OrgPage.next(asked.typed(org.path("/audit")), entries))
                .with("end", isNewest ? end(entries.data()) : "")
                .with("export", asked.typed(org.path("/audit/export")).toString())
                .with("errors", errors)
                .refused(errors)
                .forMachines(
                        call,
                        "sheaf admin audit export --organization "
                                + org.organization().handle())
                .show();
    }

    /// Number and hash of the newest entry in the chain, which tell later whether the log was put back; empty: none
    /// yet.
    private static String end(List<AuditRecord> entries) {
        return entries.stream()
                .filter(entry -> entry.seq() != null && entry.hash() != null)
                .findFirst()
                .map(entry -> entry.seq() + ":" + entry.hash())
                .orElse("");
    }

    /// The whole log as JSON lines, as the API has it: the cookie of the console does not open that.
    private static Answer export(PageCall page) {
        var org = OrgPage.of(page);
        return page.api()
                .answer(
                        Method.GET,
                        Asked.of(page, FILTERS).read(org.api(API)),
                        Map.of("accept", "application/jsonl"),
                        new byte[0])
                .with(
                        "Content-Disposition",
                        "attachment; filename=\"audit-" + org.organization().handle() + ".jsonl\"");
    }

    /// The icon of who did something.
    public static String icon(AuditRecord.Actor actor) {
        return switch (actor.type()) {
            case "key" -> "key";
            case "user" -> "person";
            case "publisher" -> "shield";
            default -> "terminal";
        };
    }

    /// A link to all that one did; null where it is not known who it is.
    public static @Nullable String filter(AuditRecord.Actor actor) {
        return actor.id() == null ? null : actor.type() + ":" + actor.id();
    }
}
