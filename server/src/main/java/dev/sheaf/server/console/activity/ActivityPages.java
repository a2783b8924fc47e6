package dev.sheaf.server.console.activity;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.admin.AuditRecord;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.org.audit.AuditPages.Asked;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;

/// What one did oneself, in all organizations, as the audit log has it.
public final class ActivityPages {
    private static final String PATH = "/account/activity";
    private static final String API = "/v1/users/me/audit-log";
    private static final String[] FILTERS = {"action", "subject", "outcome", "since", "until", "requestId"};
    private static final int SHOWN = 50;

    public List<Route> routes(Pages pages) {
        return List.of(pages.own(PATH, ActivityPages::list));
    }

    private static Answer list(PageCall page) {
        var asked = Asked.of(page, FILTERS);
        var path = asked.read(ApiPath.of(API));
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
        String cursor = entries.meta().nextCursor();
        return page.view("Activity", "activity/activity")
                .with("entries", entries.data())
                .with("asked", asked)
                .with(
                        "next",
                        cursor == null
                                ? ""
                                : asked.typed(ApiPath.of(PATH))
                                        .with("cursor", cursor)
                                        .toString())
                .with("errors", errors)
                .in("account")
                .refused(errors)
                .forMachines(call, "")
                .show();
    }
}
