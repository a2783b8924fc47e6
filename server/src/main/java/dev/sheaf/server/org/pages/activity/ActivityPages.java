package dev.sheaf.server.org.pages.activity;

import dev.sheaf.server.audit.AuditFilter;
import dev.sheaf.server.audit.AuditLog;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.org.pages.audit.AuditPage;
import java.util.List;

/// The viewer's own actions in all organizations, from the audit log.
public final class ActivityPages {
    private static final String PATH = "/account/activity";
    private static final String API = "/v1/users/me/audit-log";
    private static final String[] FILTERS = {"action", "subject", "outcome", "since", "until", "requestId"};

    private final AuditLog log;

    public ActivityPages(AuditLog log) {
        this.log = log;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.own(PATH, this::list));
    }

    private Answer list(PageCall page) {
        var entries = AuditPage.of(
                page,
                log,
                ApiPath.of(API),
                asked -> AuditFilter.read(asked::value, null, page.caller().actor()),
                FILTERS);
        return entries.into(page.view("Activity", "org/pages/activity/activity"), ApiPath.of(PATH))
                .in("account")
                .forMachines(entries.call(), "")
                .show();
    }
}
