package dev.sheaf.server.bundle.pages.use;

import dev.sheaf.server.bundle.BundleUse;
import dev.sheaf.server.bundle.UsePlace;
import dev.sheaf.server.bundle.api.UsageRecords;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.VisibleBundle;
import dev.sheaf.server.console.CsvTable;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a bundle is used with, and for the admins of its organization by whom of theirs.
public final class UsePages {
    private static final String PLACE = "/{namespace}/{bundle}/use";
    private static final int SHOWN = 30;
    private static final int BATCH = 100;
    private static final int MOST = 10_000; // rows of a table

    private final BundleReader bundles;
    private final BundleUse use;

    public UsePages(BundleReader bundles, BundleUse use) {
        this.bundles = bundles;
        this.use = use;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.open(PLACE, page -> VisibleBundle.answer(page, bundles, seen -> show(page, seen))),
                pages.own(PLACE + ".csv", page -> table(page, VisibleBundle.of(page, bundles))));
    }

    private Answer show(PageCall page, VisibleBundle seen) {
        var caller = page.call().caller();
        var bundle = seen.snapshot();
        boolean isAdmin = BundleUse.maySeeCredentials(caller, bundle);
        var credentials = isAdmin ? use.credentials(caller, bundle, SHOWN) : List.<BundleUse.OfCredential>of();
        page.naming(page.names(credentials.stream().map(BundleUse.OfCredential::credential)));
        return seen.view(page, "Use", "use/use")
                .with("head", bundles.head(page, seen))
                .with("clients", use.clients(caller, bundle))
                .with("versions", use.versions(caller, bundle, SHOWN))
                .with("credentials", credentials)
                .with("isAdmin", isAdmin)
                .forMachines("GET " + seen.api("/usage"), "sheaf usage " + seen.word())
                .show();
    }

    /// Returns all rows of the last 30 days, those by credential too for admins.
    private Answer table(PageCall page, VisibleBundle seen) {
        var caller = page.call().caller();
        var bundle = seen.snapshot();
        boolean isAdmin = BundleUse.maySeeCredentials(caller, bundle);
        return CsvTable.download("use-" + seen.namespace() + "-" + seen.bundle(), table -> {
            table.row("day", "version", "client", "pulls", "own", "outsideBelow", "credentialName", "credential");
            boolean isWhole = write(
                    table, page, (after, limit) -> use.byClient(caller, bundle, BundleUse.Wanted.MONTH, after, limit));
            if (isAdmin) {
                isWhole &= write(
                        table,
                        page,
                        (after, limit) -> use.byCredential(caller, bundle, BundleUse.Wanted.MONTH, after, limit));
            }
            if (!isWhole) {
                table.lacks("Only the newest " + MOST + " rows of each kind. The others are at " + seen.api("/usage"));
            }
        });
    }

    private interface Listing {
        List<BundleUse.Row> page(@Nullable UsePlace after, int limit);
    }

    /// Writes a list page by page, so that it is never in memory as a whole.
    ///
    /// @return whether it was written as a whole
    private static boolean write(CsvTable table, PageCall page, Listing listing) throws IOException {
        @Nullable UsePlace after = null;
        int count = 0;
        List<BundleUse.Row> rows;
        do {
            rows = listing.page(after, BATCH);
            var names = page.names(rows.stream().map(BundleUse.Row::credential));
            for (var row : rows) {
                var shown = UsageRecords.row(row, Map.of());
                table.row(
                        shown.day(),
                        shown.version(),
                        shown.client(),
                        shown.pulls(),
                        shown.own(),
                        shown.outsideBelow(),
                        shown.credential() == null ? null : names.of(shown.credential()),
                        shown.credential());
            }
            count += rows.size();
            after = rows.isEmpty() ? after : rows.getLast().place();
        } while (rows.size() == BATCH && count < MOST);
        return rows.size() < BATCH;
    }

    /// Returns what a page calls a kind of client.
    public static String label(String client) {
        return switch (client) {
            case "sheaf" -> "sheaf";
            case "oci" -> "OCI clients";
            case "git" -> "git";
            case "skills" -> "Programs for skills";
            case "plugins" -> "Programs for plugins";
            case "mcp" -> "MCP clients";
            case "apm" -> "APM";
            case "clawhub" -> "ClawHub clients";
            case "browser" -> "Browsers";
            default -> "Other programs";
        };
    }

    /// Returns a number of pulls from outside, which is the sum of those that are told.
    public static String outside(long count) {
        return count == 0 ? "few or none" : PageFormat.number(count) + " or more";
    }
}
