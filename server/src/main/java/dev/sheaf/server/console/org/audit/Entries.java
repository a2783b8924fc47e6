package dev.sheaf.server.console.org.audit;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.admin.AuditRecord;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.View;
import dev.sheaf.server.console.org.OrgPage;
import dev.sheaf.server.console.org.audit.AuditPages.Asked;
import java.util.List;

/// One page of an audit log, filtered.
///
/// @param errors the errors of the filters; if there are any, the list is empty
/// @param call the API call that returns the same entries
public record Entries(Asked asked, Page<AuditRecord> list, FormErrors errors, String call) {
    private static final int SHOWN = 50;

    /// Reads the entries that a page's query asks for.
    ///
    /// @param log the path of the API
    /// @param filters the names of the page's filters
    public static Entries of(PageCall page, ApiPath log, String... filters) {
        var asked = Asked.of(page, filters);
        var path = asked.read(log);
        String call = "GET " + path;
        try {
            Page<AuditRecord> list =
                    page.api().list(AuditRecord.class, path.with("limit", SHOWN).with("cursor", page.query("cursor")));
            return new Entries(asked, list, FormErrors.NONE, call);
        } catch (ProblemException e) {
            var errors = PageCall.errors(e.problem(), filters);
            if (errors.fields().isEmpty()) {
                throw e;
            }
            return new Entries(asked, Page.of(List.of(), null), errors, call);
        }
    }

    /// @param here the path of the page
    public View into(View view, ApiPath here) {
        return view.with("entries", list.data())
                .with("asked", asked)
                .with("next", OrgPage.next(asked.typed(here), list))
                .with("errors", errors)
                .refused(errors);
    }
}
