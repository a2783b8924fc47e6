package dev.sheaf.server.bundle.pages.readme;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.edit.EditableBundle;
import dev.sheaf.server.bundle.pages.edit.FilesPages;
import dev.sheaf.server.bundle.pages.edit.SettingsPages;
import dev.sheaf.server.bundle.version.BundleEdits;
import dev.sheaf.server.console.ApiEquivalent;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The editor of a bundle's README, which belongs to the bundle and is not a file of its versions.
public final class ReadmeEditor {
    private static final String README = EditableBundle.AT + "/readme";
    private static final String FIELD = "readmeContent";
    private static final int MAX_TEXT = 64 << 10; // bytes that a page can edit

    private final BundleReader bundles;
    private final BundleEdits edits;

    public ReadmeEditor(BundleReader bundles, BundleEdits edits) {
        this.bundles = bundles;
        this.edits = edits;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.own(README, this::edit), pages.form(README, RoutePermission.WRITE, this::save));
    }

    /// The typed form.
    ///
    /// @param etag the bundle's validator when the page was shown
    public record Draft(String text, String etag) {
        static Draft of(EditableBundle edited) {
            return new Draft(PageFormat.text(edited.bundle().readmeContent()), edited.etag());
        }

        /// Reads the form; replaces CR LF, which browsers send at the end of each line.
        static Draft of(FormFields form) {
            return new Draft(
                    form.first(FIELD).orElse("").replace("\r\n", "\n"),
                    form.first("etag").orElse(""));
        }

        boolean isTooLong() {
            return text.getBytes(StandardCharsets.UTF_8).length > MAX_TEXT;
        }

        /// Returns the JSON of a patch; an empty text removes the README.
        Map<String, @Nullable Object> members(@Nullable String format) {
            var members = new HashMap<String, @Nullable Object>();
            members.put(FIELD, text.isBlank() ? null : text);
            members.put("readmeFormat", text.isBlank() ? null : format == null ? "markdown" : format);
            return members;
        }
    }

    private Answer edit(PageCall page) {
        var edited = EditableBundle.of(page, bundles);
        var draft = Draft.of(edited);
        return draft.isTooLong()
                ? show(page, edited, new Draft("", ""), FormErrors.NONE)
                : show(page, edited, draft, FormErrors.NONE);
    }

    private static Answer show(PageCall page, EditableBundle edited, Draft draft, FormErrors errors) {
        return edited.view(page, "README", "bundle/pages/readme/readme")
                .with("draft", draft)
                .with("max", MAX_TEXT)
                .with("limit", PageFormat.size(MAX_TEXT))
                .with("format", PageFormat.text(edited.bundle().readmeFormat()))
                .with("marks", FilesPages.marks(draft.text()))
                .with("errors", errors)
                .refused(errors)
                .forMachines(ApiEquivalent.of(
                        "PATCH " + EditableBundle.api(page, ""),
                        "sheaf edit " + ShellQuoting.quote(edited.name()) + " --readme README.md"))
                .show();
    }

    private Answer save(PageCall page) {
        var draft = Draft.of(page.form());
        var edited = EditableBundle.of(page, bundles);
        if (draft.isTooLong()) {
            return show(
                    page,
                    edited,
                    draft,
                    FormErrors.of(
                            FIELD, "has more than " + PageFormat.size(MAX_TEXT) + "; send it with the command below"));
        }
        try {
            var members = draft.members(edited.bundle().readmeFormat());
            EditableBundle.change(page, bundles, edits, draft.etag(), members);
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.PreconditionFailed) {
                return show(
                        page,
                        edited,
                        new Draft(draft.text(), edited.etag()),
                        SettingsPages.CHANGED.because(e.problem()));
            }
            return show(page, edited, draft, PageCall.errors(e.problem(), FIELD));
        }
        return page.seeOther(
                edited.home(),
                PageNotice.ok(draft.text().isBlank() ? "The README is removed." : "The README is saved."));
    }
}
