package dev.sheaf.server.org.pages.audit;

import dev.sheaf.model.wire.admin.AuditRecord;
import dev.sheaf.server.audit.AuditFilter;
import dev.sheaf.server.audit.AuditLog;
import dev.sheaf.server.audit.AuditRow;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.CsvTable;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.maintenance.api.AuditApi;
import dev.sheaf.server.org.pages.OrgPage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The audit log of an organization.
public final class AuditPages {
    private static final String PATH = "/organizations/{org_id}/audit";
    private static final String API = "/audit-log";
    private static final String[] FILTERS = {
        "actor", "action", "subject", "outcome", "requestId", "since", "until", "seq"
    };
    private static final int BATCH = 500;
    private static final int MOST = 100_000; // rows of a table
    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    private final AuditLog log;

    public AuditPages(AuditLog log) {
        this.log = log;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(PATH, RoutePermission.ADMIN, this::list),
                pages.own(PATH + "/export", RoutePermission.ADMIN, this::export),
                pages.own(PATH + "/export.csv", RoutePermission.ADMIN, this::table));
    }

    /// The requested filters by their names.
    public record Asked(Map<String, String> filters) {
        /// @param names the names of the page's filters
        public static Asked of(PageCall page, String... names) {
            var filters = new LinkedHashMap<String, String>();
            for (String name : names) {
                String value = PageFormat.text(page.query(name)).strip();
                if (!value.isEmpty()) {
                    filters.put(name, value);
                }
            }
            return new Asked(filters);
        }

        /// Returns the value of a filter; empty if it is not set.
        public String of(String name) {
            return filters.getOrDefault(name, "");
        }

        public boolean isEmpty() {
            return filters.isEmpty();
        }

        /// Returns the path with the filters as they were typed.
        public ApiPath typed(ApiPath path) {
            filters.forEach(path::with);
            return path;
        }

        /// Returns the path with the filters for the API.
        public ApiPath read(ApiPath path) {
            filters.keySet().forEach(name -> path.with(name, value(name).orElse("")));
            return path;
        }

        /// Returns a filter for the log: a day begins at midnight, in UTC.
        public Optional<String> value(String name) {
            return Optional.ofNullable(filters.get(name))
                    .map(value -> DAY.matcher(value).matches() ? value + "T00:00:00Z" : value);
        }
    }

    private Answer list(PageCall page) {
        var org = OrgPage.of(page);
        var entries = AuditPage.of(page, log, org.api(API), asked -> filter(page, asked), FILTERS);
        page.naming(page.names(entries.list().data().stream()
                .filter(entry -> entry.action().startsWith("api_key."))
                .map(entry -> "key:" + entry.subject())));
        boolean isNewest = entries.asked().isEmpty() && page.query("cursor") == null;
        return entries.into(org.view("Audit log", "org/pages/audit/log", "audit"), org.path("/audit"))
                .with("end", isNewest ? end(entries.list().data()) : "")
                .with("export", entries.asked().typed(org.path("/audit/export")).toString())
                .with(
                        "table",
                        entries.asked().typed(org.path("/audit/export.csv")).toString())
                .forMachines(
                        entries.call(),
                        "sheaf admin audit export --organization "
                                + org.organization().handle())
                .show();
    }

    /// Returns number and hash of the newest entry in the chain; empty if there is no entry yet. Later they
    /// show whether an older log was restored.
    private static String end(List<AuditRecord> entries) {
        return entries.stream()
                .filter(entry -> entry.seq() != null && entry.hash() != null)
                .findFirst()
                .map(entry -> entry.seq() + ":" + entry.hash())
                .orElse("");
    }

    private static AuditFilter filter(PageCall page, Asked asked) {
        var actor = AuditFilter.read(asked::value, "actor", AuditFilter::text);
        return AuditFilter.read(asked::value, page.caller().organizationId(), actor);
    }

    /// Returns the whole log as JSON lines, like the API, which does not accept the console's cookie.
    private Answer export(PageCall page) {
        var org = OrgPage.of(page);
        AuditFilter.mayRead(page.caller());
        return AuditApi.lines(log, filter(page, Asked.of(page, FILTERS)))
                .with(
                        "Content-Disposition",
                        "attachment; filename=\"audit-" + org.organization().handle() + ".jsonl\"");
    }

    /// Returns the newest entries as CSV, for people with a spreadsheet.
    private Answer table(PageCall page) {
        var org = OrgPage.of(page);
        AuditFilter.mayRead(page.caller());
        var filter = filter(page, Asked.of(page, FILTERS));
        return CsvTable.download("audit-" + org.organization().handle(), table -> {
            table.row(
                    "time",
                    "actor",
                    "name",
                    "action",
                    "subject",
                    "outcome",
                    "times",
                    "detail",
                    "address",
                    "requestId",
                    "seq");
            String before = null;
            List<AuditRow> rows;
            int count = 0;
            do {
                rows = log.page(filter, before, BATCH);
                for (var row : rows) {
                    var entry = row.entry();
                    table.row(
                            row.at(),
                            entry.actor(),
                            entry.actorName(),
                            entry.action(),
                            entry.subject(),
                            entry.outcome(),
                            entry.times(),
                            entry.detail(),
                            entry.address(),
                            entry.requestId(),
                            row.seq());
                    before = row.id().toString();
                }
                count += rows.size();
            } while (rows.size() == BATCH && count < MOST);
            if (rows.size() == BATCH) {
                table.lacks("Only the newest " + MOST + " entries.");
            }
        });
    }

    /// Returns the icon of an actor.
    public static String icon(AuditRecord.Actor actor) {
        return switch (actor.type()) {
            case "key" -> "key";
            case "user" -> "person";
            case "publisher" -> "shield";
            default -> "terminal";
        };
    }

    /// Returns a link to all actions of an actor; null if the actor is unknown.
    public static @Nullable String filter(AuditRecord.Actor actor) {
        return actor.id() == null ? null : actor.type() + ":" + actor.id();
    }
}
