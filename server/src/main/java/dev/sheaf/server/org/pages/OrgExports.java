package dev.sheaf.server.org.pages;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.org.Member;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.KeyState;
import dev.sheaf.server.bundle.OwnBundles;
import dev.sheaf.server.console.CsvTable;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Request;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.org.member.Members;
import java.io.IOException;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Lists of an organization as CSV: members, keys and pulls.
public final class OrgExports {
    private static final String ORG = "/organizations/{org_id}";
    private static final int BATCH = 100;
    private static final int MOST = 10_000;

    private final Members members;
    private final ApiKeys keys;
    private final OwnBundles bundles;

    public OrgExports(Members members, ApiKeys keys, OwnBundles bundles) {
        this.members = members;
        this.keys = keys;
        this.bundles = bundles;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ORG + "/members/export.csv", RoutePermission.ADMIN, this::members),
                pages.own(ORG + "/keys/export.csv", RoutePermission.ADMIN, this::keys),
                pages.own(ORG + "/pulls/export.csv", this::pulls));
    }

    private static String name(OrgPage org, String what) {
        return what + "-" + org.organization().handle();
    }

    private Answer members(PageCall page) {
        var org = OrgPage.of(page);
        var caller = page.caller();
        return CsvTable.download(name(org, "members"), table -> {
            table.row("email", "name", "role", "disabled", "joined");
            all(table, caller, members::list, Member::userId, some -> {
                for (var member : some) {
                    table.row(member.email(), member.fullName(), member.role(), member.disabled(), member.createdAt());
                }
            });
        });
    }

    private Answer keys(PageCall page) {
        var org = OrgPage.of(page);
        var caller = page.caller();
        var filter = new ApiKeys.Filter(
                page.query("state") instanceof String state ? Request.named("state", state, KeyState::parse) : null,
                page.query("bundle") instanceof String bundle
                        ? Request.named("bundle", bundle, RepositoryName::parse)
                        : null);
        return CsvTable.download(name(org, "keys"), table -> {
            table.row(
                    "name",
                    "hint",
                    "scopes",
                    "state",
                    "created",
                    "createdBy",
                    "expires",
                    "lastUsed",
                    "lastUsedFrom",
                    "createdById");
            all(table, caller, (known, after, limit) -> keys.list(known, filter, after, limit), ApiKey::id, some -> {
                var names = page.names(some.stream().map(ApiKey::createdBy));
                for (var key : some) {
                    table.row(
                            key.name(),
                            key.hint(),
                            String.join(" ", key.scopes()),
                            key.state(),
                            key.createdAt(),
                            names.of(key.createdBy()),
                            key.expiresAt(),
                            key.lastUsedAt(),
                            key.lastUsedFrom(),
                            key.createdBy());
                }
            });
        });
    }

    private Answer pulls(PageCall page) {
        var org = OrgPage.of(page);
        var pulls = bundles.pulls(page.caller());
        return CsvTable.download(name(org, "pulls"), table -> {
            table.row("day", "pulls");
            var byDay = new HashMap<Long, Long>();
            pulls.days().forEach(day -> byDay.put(day.day(), day.downloads()));
            for (long day = pulls.from(); day <= pulls.to(); day++) {
                table.row(LocalDate.ofEpochDay(day), byDay.getOrDefault(day, 0L));
            }
        });
    }

    private interface Listing<T> {
        List<T> page(Caller.Known caller, @Nullable String after, int limit);
    }

    private interface Writer<T> {
        void write(List<T> rows) throws IOException;
    }

    /// Reads a list page by page, so that it is never in memory as a whole.
    private static <T> void all(
            CsvTable table, Caller.Known caller, Listing<T> listing, Function<T, Object> id, Writer<T> writer)
            throws IOException {
        String after = null;
        int count = 0;
        List<T> rows;
        do {
            rows = listing.page(caller, after, BATCH);
            writer.write(rows);
            after = rows.isEmpty() ? after : id.apply(rows.getLast()).toString();
            count += rows.size();
        } while (rows.size() == BATCH && count < MOST);
        if (rows.size() == BATCH) {
            table.lacks("Only the first " + MOST + " rows.");
        }
    }
}
