package dev.sheaf.server.bundle.pages.edit;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.console.ApiEquivalent;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The working files of a bundle: list, write, upload, delete.
public final class FilesPages {
    private static final int SHOWN = 50;
    private static final int MAX_TEXT = 64 << 10; // bytes of a file that a page can edit
    private static final int MAX_MARKS = 20;

    private final BundleReader bundles;
    private final WorkingFiles files;
    private final int mostFiles;

    FilesPages(BundleReader bundles, WorkingFiles files, int mostFiles) {
        this.bundles = bundles;
        this.files = files;
        this.mostFiles = mostFiles;
    }

    public List<Route> routes(PageRoutes pages) {
        String all = EditableBundle.AT + "/files";
        return List.of(
                pages.own(all, page -> list(page, FormErrors.NONE)),
                pages.upload(all, this::upload),
                pages.own(all + "/edit", this::edit),
                pages.form(all + "/edit", RoutePermission.WRITE, this::save),
                pages.own(all + "/delete", this::askToDelete),
                pages.form(all + "/delete", RoutePermission.WRITE, this::delete));
    }

    private Answer list(PageCall page, FormErrors errors) {
        var edited = EditableBundle.of(page, bundles);
        var some = files.some(page, edited.snapshot(), page.paging(SHOWN));
        String next = some.meta().nextCursor();
        return edited.view(page, "Working files", "bundle/pages/edit/files")
                .with("files", some.data())
                .with("isFirst", page.query("cursor") == null)
                .with("next", next == null ? "" : edited.at("/files?cursor=") + ApiPath.encode(next))
                .with("errors", errors)
                .refused(errors)
                .forMachines(machine(page))
                .show();
    }

    private Answer upload(PageCall page) {
        var form = MultipartForm.read(page.call());
        page.check(form.form());
        page.require(RoutePermission.WRITE);
        var bundle = bundles.writable(page); // before the files are unpacked
        var chosen = ChosenFiles.of(page.call(), form).within(mostFiles, () -> files.paths(page, bundle));
        if (!chosen.errors().isEmpty()) {
            return list(page, chosen.errors());
        }
        if (chosen.files().isEmpty()) {
            return list(page, FormErrors.of("files", "Choose files first; the upload contained no file to store."));
        }
        try {
            files.put(page, bundle.name(), chosen.files());
        } catch (WorkingFiles.Stopped e) {
            PageCall.errors(e.why.problem());
            return list(page, FormErrors.of("files", e.outcome()));
        }
        String written =
                PageFormat.count(chosen.files().size(), "file is", "files are") + " written. Nothing is published yet.";
        return page.seeOther(EditableBundle.at(page, "/settings/files").toString(), notice(written, chosen.leftOut()));
    }

    /// Reports the result, and the files that were left out.
    static PageNotice notice(String done, int leftOut) {
        return notice(PageNotice.ok(done), leftOut);
    }

    static PageNotice notice(PageNotice done, int leftOut) {
        if (leftOut == 0) {
            return done;
        }
        var lines = new ArrayList<>(done.lines());
        lines.add(PageFormat.count(leftOut, "file is", "files are")
                + " left out: files of version control or of an operating system, such as .git and .DS_Store.");
        return new PageNotice(done.tone(), done.title(), lines);
    }

    // --- one file ---

    /// The form of a file.
    ///
    /// @param before its current path; empty for a new file
    /// @param etag the validator of its content when it was shown
    /// @param isWindows whether its lines end in CR LF
    public record Draft(String before, String path, String text, String etag, boolean isWindows) {
        static Draft of(StoredAsset file, String text) {
            String path = file.path().value();
            return new Draft(path, path, text, WorkingFiles.etag(file), text.contains("\r\n"));
        }

        static Draft of(FormFields form) {
            return new Draft(
                    form.first("before").orElse(""),
                    form.first("path").orElse(""),
                    form.first("text").orElse(""),
                    form.first("etag").orElse(""),
                    form.first("windows").isPresent());
        }

        /// Returns the bytes to store: a browser always sends CR LF.
        byte[] content() {
            String plain = text.replace("\r\n", "\n");
            return (isWindows ? plain.replace("\n", "\r\n") : plain).getBytes(StandardCharsets.UTF_8);
        }
    }

    private Answer edit(PageCall page) {
        var edited = EditableBundle.of(page, bundles);
        String path = page.query("path");
        if (path == null) {
            return show(page, edited, new Draft("", "", "", "", false), FormErrors.NONE);
        }
        var file = files.get(page, edited.snapshot(), path, null);
        String text = files.text(page, edited.snapshot(), file, MAX_TEXT);
        return text == null ? notText(page, edited, path) : show(page, edited, Draft.of(file, text), FormErrors.NONE);
    }

    private static Answer notText(PageCall page, EditableBundle edited, String path) {
        return edited.view(page, "Not editable here", "bundle/pages/edit/not-text")
                .with("path", path)
                .with("limit", PageFormat.size(MAX_TEXT))
                .forMachines(machine(page, path))
                .show();
    }

    private static Answer show(PageCall page, EditableBundle edited, Draft draft, FormErrors errors) {
        String title = draft.before().isEmpty() ? "New file" : PageFormat.visible(draft.before());
        String path = draft.before().isEmpty() ? "skills/notes/SKILL.md" : draft.before();
        return edited.view(page, title, "bundle/pages/edit/file")
                .with("draft", draft)
                .with("max", MAX_TEXT)
                .with("marks", marks(draft.text()))
                .with("errors", errors)
                .refused(errors)
                .forMachines(machine(page, path))
                .show();
    }

    /// Returns the API calls for all working files.
    static ApiEquivalent machine(PageCall page) {
        var one = WorkingFiles.api(page, "skills/notes/SKILL.md");
        return new ApiEquivalent(List.of("GET " + EditableBundle.api(page, "/assets"), "PUT " + one), List.of());
    }

    private static ApiEquivalent machine(PageCall page, String path) {
        var file = WorkingFiles.api(page, path);
        return new ApiEquivalent(List.of("GET " + file, "PUT " + file), List.of());
    }

    /// Lists the characters of a text that an editor does not show.
    public static List<String> marks(String text) {
        var marks = new ArrayList<String>();
        int line = 1;
        for (int i = 0; i < text.length() && marks.size() <= MAX_MARKS; ) {
            int c = text.codePointAt(i);
            if (c == '\n') {
                line++;
            } else if (PageFormat.isHidden(c)) {
                marks.add(
                        marks.size() == MAX_MARKS
                                ? "and more"
                                : String.format("line %d: U+%04X %s", line, c, PageFormat.text(Character.getName(c))));
            }
            i += Character.charCount(c);
        }
        return marks;
    }

    private Answer save(PageCall page) {
        var draft = Draft.of(page.form());
        boolean isNew = draft.before().isEmpty();
        boolean stays = draft.before().equals(draft.path());
        var bundle = bundles.writable(page).name();
        try {
            if (draft.path().isBlank()) {
                throw Problem.invalid("required", "the path is required");
            }
            if (draft.content().length > MAX_TEXT) {
                throw Problem.invalid("too-long", "has more than 64 KiB; upload it as a file instead");
            }
            if (stays) {
                files.replace(page, bundle, draft.path(), draft.content(), draft.etag());
            } else {
                files.create(page, bundle, draft.path(), draft.content());
            }
        } catch (ProblemException e) {
            return show(page, EditableBundle.of(page, bundles), draft, errors(e.problem(), stays));
        }
        if (!isNew && !stays) {
            files.delete(page, bundle, draft.before());
        }
        return page.seeOther(
                EditableBundle.at(page, "/settings/files").toString(),
                PageNotice.ok(PageFormat.visible(draft.path()) + " is written. Nothing is published yet."));
    }

    private static FormErrors errors(Problem problem, boolean stays) {
        if (problem instanceof Problem.PreconditionFailed) {
            return stays
                    ? new FormErrors(
                            Map.of(),
                            List.of("Somebody else changed or removed this file after you opened it. Copy your"
                                    + " text, load the file again, and merge the two."),
                            problem)
                    : FormErrors.of("path", "A file with this path already exists.")
                            .because(problem);
        }
        var errors = PageCall.errors(problem, "path", "text");
        return errors.fields().isEmpty()
                        && problem instanceof Problem.ValidationFailed
                        && !errors.others().isEmpty()
                ? FormErrors.of(
                        errors.others().getFirst().contains("64 KiB") ? "text" : "path",
                        errors.others().getFirst())
                : errors;
    }

    private Answer askToDelete(PageCall page) {
        var edited = EditableBundle.of(page, bundles);
        String path = page.query("path");
        if (path == null) {
            return page.seeOther(edited.at("/files"));
        }
        return edited.view(page, "Delete a file", "bundle/pages/edit/delete-file")
                .with("path", path)
                .forMachines(new ApiEquivalent(List.of("DELETE " + WorkingFiles.api(page, path)), List.of()))
                .show();
    }

    private Answer delete(PageCall page) {
        String path = page.form().first("path").orElse("");
        files.delete(page, bundles.writable(page).name(), path);
        return page.seeOther(
                EditableBundle.at(page, "/settings/files").toString(),
                PageNotice.ok(
                        PageFormat.visible(path) + " is removed from the working files. Published versions keep it."));
    }
}
