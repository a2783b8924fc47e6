package dev.sheaf.server.org.pages.audit;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.admin.AuditRecord;
import dev.sheaf.server.audit.AuditFilter;
import dev.sheaf.server.audit.AuditLog;
import dev.sheaf.server.audit.AuditRow;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageView;
import dev.sheaf.server.org.pages.OrgPage;
import dev.sheaf.server.org.pages.audit.AuditPages.Asked;
import java.util.List;
import java.util.function.Function;

/// One page of an audit log, filtered.
///
/// @param errors the errors of the filters; if there are any, the list is empty
/// @param call the API call that returns the same entries
public record AuditPage(Asked asked, Page<AuditRecord> list, FormErrors errors, String call) {
    private static final int SHOWN = 50;

    /// Reads the entries that a page's query asks for.
    ///
    /// @param api the path of the API with the same entries
    /// @param wanted makes the filter of the entries that the viewer may see
    /// @param filters the names of the page's filters
    public static AuditPage of(
            PageCall page, AuditLog log, ApiPath api, Function<Asked, AuditFilter> wanted, String... filters) {
        var asked = Asked.of(page, filters);
        String call = "GET " + asked.read(api);
        try {
            AuditFilter.mayRead(page.caller());
            var filter = wanted.apply(asked);
            var paging = page.paging(SHOWN, filters);
            var rows = log.page(filter, paging.after(), paging.fetch());
            Page<AuditRecord> list = paging.list(rows, row -> row.id().toString(), AuditRow::shown);
            return new AuditPage(asked, list, FormErrors.NONE, call);
        } catch (ProblemException e) {
            var errors = PageCall.errors(e.problem(), filters);
            if (errors.fields().isEmpty()) {
                throw e;
            }
            return new AuditPage(asked, Page.of(List.of(), null), errors, call);
        }
    }

    /// @param here the path of the page
    public PageView into(PageView view, ApiPath here) {
        return view.with("entries", list.data())
                .with("asked", asked)
                .with("next", OrgPage.next(asked.typed(here), list))
                .with("errors", errors)
                .refused(errors);
    }
}
