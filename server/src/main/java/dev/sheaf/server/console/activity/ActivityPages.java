package dev.sheaf.server.console.activity;

import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.org.audit.Entries;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;

/// The viewer's own actions in all organizations, from the audit log.
public final class ActivityPages {
    private static final String PATH = "/account/activity";
    private static final String API = "/v1/users/me/audit-log";
    private static final String[] FILTERS = {"action", "subject", "outcome", "since", "until", "requestId"};

    public List<Route> routes(Pages pages) {
        return List.of(pages.own(PATH, ActivityPages::list));
    }

    private static Answer list(PageCall page) {
        var entries = Entries.of(page, ApiPath.of(API), FILTERS);
        return entries.into(page.view("Activity", "activity/activity"), ApiPath.of(PATH))
                .in("account")
                .forMachines(entries.call(), "")
                .show();
    }
}
