package dev.sheaf.server.org.pages.use;

import dev.sheaf.model.wire.Page;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.UseReport;
import dev.sheaf.server.bundle.UseReport.Kind;
import dev.sheaf.server.bundle.api.UsageRecords;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.CsvTable;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageFrame;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Request;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.pages.OrgPage;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What of an organization's bundles nobody uses, and which old versions somebody still uses.
public final class ReportPages {
    private static final String PLACE = "/organizations/{org_id}/use";
    private static final int SHOWN = 20;
    private static final int BATCH = 100;
    private static final int MOST = 10_000; // rows of a table

    private final UseReport report;

    public ReportPages(UseReport report) {
        this.report = report;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(PLACE, RoutePermission.ADMIN, this::show),
                pages.own(PLACE + "/export.csv", RoutePermission.ADMIN, this::table));
    }

    /// A part of a list.
    ///
    /// @param next a link to the next part; empty if there is none
    public record Part(List<UseReport.Item> items, String next) {
        public Part {
            items = List.copyOf(items);
        }
    }

    private Answer show(PageCall page) {
        var org = OrgPage.of(page);
        var old = part(page, org, Kind.OLD_VERSIONS);
        page.naming(page.names(credentials(old.items())));
        return org.view("Use", "org/pages/use/report", "use")
                .with("old", old)
                .with("bundles", part(page, org, Kind.UNUSED_BUNDLES))
                .with("versions", part(page, org, Kind.UNUSED_VERSIONS))
                .forMachines(
                        "GET " + org.api("/usage-report"),
                        "sheaf org usage-report --org " + org.organization().handle())
                .show();
    }

    private static Stream<String> credentials(List<UseReport.Item> items) {
        return items.stream().flatMap(item -> item.credentials().stream()).map(UseReport.ByCredential::credential);
    }

    /// Reads the part of a list that its own cursor asks for.
    private Part part(PageCall page, OrgPage org, Kind kind) {
        Page<UseReport.Item> part = page.pagingBy(kind.toString(), SHOWN)
                .list(
                        (after, limit) -> report.list(page.caller(), kind, UseReport.Place.parse(after), limit),
                        UseReport.Item::place);
        String cursor = part.meta().nextCursor();
        return new Part(
                part.data(),
                cursor == null
                        ? ""
                        : org.path("/use").with(kind.toString(), cursor).toString());
    }

    private Answer table(PageCall page) {
        var org = OrgPage.of(page);
        var caller = page.caller();
        var kind = page.query("list") instanceof String list
                ? Request.named("list", list, Kind::parse)
                : Kind.UNUSED_BUNDLES;
        return CsvTable.download(kind + "-" + org.organization().handle(), table -> {
            table.row("bundle", "version", "latest", "published", "reasons", "pulls30d", "own30d", "lastPulled", "by");
            write(table, page, caller, kind);
        });
    }

    /// Writes a list page by page, so that it is never in memory as a whole.
    private void write(CsvTable table, PageCall page, Caller.Known caller, Kind kind) throws IOException {
        var after = UseReport.Place.parse(null);
        int count = 0;
        List<UseReport.Item> items;
        do {
            items = report.list(caller, kind, after, BATCH);
            var names = page.names(credentials(items));
            for (var item : items) {
                var row = item.row();
                table.row(
                        row.ref(),
                        row.version(),
                        row.latest(),
                        row.publishedAt(),
                        String.join(" ", UsageRecords.reasons(row)),
                        kind == Kind.OLD_VERSIONS ? row.pulls() : null,
                        kind == Kind.OLD_VERSIONS ? row.own() : null,
                        item.lastDay() == null ? null : LocalDate.ofEpochDay(item.lastDay()),
                        item.credentials().stream()
                                .map(one -> name(names, one.credential()))
                                .collect(Collectors.joining("; ")));
            }
            count += items.size();
            after = items.isEmpty() ? after : items.getLast().place();
        } while (items.size() == BATCH && count < MOST);
        if (items.size() == BATCH) {
            table.lacks("Only the first " + MOST + " rows.");
        }
    }

    /// Returns the name of a credential, also if it is deleted.
    public static String name(PageFrame.Names names, String credential) {
        return (names.kind(credential).isEmpty() ? "deleted " : "") + names.of(credential);
    }

    /// Returns why an old version should not be used, in words.
    public static String why(UseReport.Row row) {
        var words = new ArrayList<>(UsageRecords.reasons(row));
        if (words.remove("outdated")) {
            words.add(row.latest() == null ? "a later version exists" : "latest is " + row.latest());
        }
        return String.join(", ", words);
    }

    /// Returns when something was last pulled.
    public static String last(UseReport.Item item) {
        @Nullable Long day = item.lastDay();
        return day != null
                ? LocalDate.ofEpochDay(day).toString()
                : item.wasPulled() ? "before days were kept" : "never";
    }

    /// Returns the link of a version's page, or of a bundle's.
    public static String link(UseReport.Row row) {
        var bundle = ApiPath.of("/{}/{}", row.ref().namespace(), row.ref().bundle());
        return row.version() == null
                ? bundle.toString()
                : ApiPath.of(
                                "/{}/{}/versions/{}",
                                row.ref().namespace(),
                                row.ref().bundle(),
                                row.version())
                        .toString();
    }

    /// Returns the name of a bundle or a version.
    public static String title(UseReport.Row row) {
        return row.ref() + (row.version() == null ? "" : ":" + PageFormat.text(row.version()));
    }
}
