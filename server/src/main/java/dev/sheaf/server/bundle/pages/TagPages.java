package dev.sheaf.server.bundle.pages;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Tag;
import dev.sheaf.model.wire.bundle.TagHistoryEntry;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.server.bundle.tag.TagChanges;
import dev.sheaf.server.bundle.tag.TagRollback;
import dev.sheaf.server.bundle.tag.TagTarget;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Tags: their versions, their history, and moving them.
public final class TagPages {
    static final int SHOWN = 50;

    private static final String TAGS = "/{namespace}/{bundle}/tags";
    private static final String TAG = TAGS + "/{tag}";

    private final BundleReader bundles;
    private final TagChanges tagging;

    public TagPages(BundleReader bundles, TagChanges tagging) {
        this.bundles = bundles;
        this.tagging = tagging;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.open(TAGS, page -> list(page, seen(page), Typed.of(page))),
                pages.form(TAGS, RoutePermission.WRITE, page -> make(page, seen(page))),
                pages.open(TAG, page -> history(page, seen(page), Typed.NOTHING)),
                pages.form(TAG, RoutePermission.WRITE, page -> move(page, seen(page))),
                pages.form(TAG + "/protection", RoutePermission.WRITE, page -> protect(page, seen(page))),
                pages.form(TAG + "/rollback", RoutePermission.WRITE, page -> rollBack(page, seen(page))),
                pages.own(TAG + "/delete", page -> askToDelete(page, seen(page))),
                pages.form(TAG + "/delete", RoutePermission.WRITE, page -> delete(page, seen(page))));
    }

    private VisibleBundle seen(PageCall page) {
        return VisibleBundle.of(page, bundles);
    }

    /// The typed fields of a form, and their errors.
    private record Typed(String name, String version, FormErrors errors) {
        static final Typed NOTHING = new Typed("", "", FormErrors.NONE);

        /// Returns the version to which the page that links here wants to point a tag.
        static Typed of(PageCall page) {
            return new Typed("", PageFormat.text(page.query("version")), FormErrors.NONE);
        }
    }

    private Answer list(PageCall page, VisibleBundle seen, Typed typed) {
        String call = "GET " + seen.api("/tags").with("limit", SHOWN);
        String cursor = page.query("cursor");
        var found = bundles.tags(page, seen.snapshot(), page.paging(SHOWN));
        page.naming(page.names(found.data().stream().map(TagStatus::updatedBy)));
        return seen.view(page, "Tags", "tags")
                .with("head", bundles.head(page, seen))
                .with("tags", found.data())
                .with("choices", choices(page, seen))
                .with("name", typed.name())
                .with("version", typed.version())
                .with("errors", typed.errors())
                .paged(() -> seen.at("/tags"), cursor, found.meta().nextCursor())
                .forMachines(call, "sheaf tags ls " + seen.word())
                .status(typed.errors().isEmpty() ? 200 : 422)
                .show();
    }

    private List<String> choices(PageCall page, VisibleBundle seen) {
        return seen.canWrite() ? bundles.choices(page, seen.snapshot()) : List.of();
    }

    private Answer make(PageCall page, VisibleBundle seen) {
        var form = page.form();
        String name = form.first("name").orElse("").strip();
        String version = form.first("version").orElse("").strip();
        if (name.isEmpty()) {
            var errors = FormErrors.of("name", "Enter the name of the tag.");
            return list(page, seen, new Typed(name, version, errors));
        }
        try {
            put(page, RequestFields.named("tag", name, Tag::parse), Map.of("version", version));
        } catch (ProblemException e) {
            var errors = PageCall.errors(e.problem(), "version");
            return list(page, seen, new Typed(name, version, errors));
        }
        return page.seeOther(
                seen.at("/tags/{}", name).toString(), PageNotice.ok("The tag " + name + " points to " + version + "."));
    }

    private void put(PageCall page, Tag tag, Map<String, ? extends @Nullable Object> members) {
        var name = bundles.writable(page).name();
        tagging.put(page.origin(), name, tag, RequestFields.form(members).to(TagTarget::parse), any -> {});
    }

    /// @throws ProblemException validation-failed
    private static Tag parsed(PageCall page) {
        return page.parameter("tag", Tag::parse);
    }

    private static String tag(PageCall page) {
        return page.parameter("tag");
    }

    private @Nullable TagStatus current(PageCall page, VisibleBundle seen) {
        return PageCall.find(() -> bundles.tag(page, seen.snapshot(), parsed(page)));
    }

    private Answer history(PageCall page, VisibleBundle seen, Typed typed) {
        String tag = tag(page);
        String call = "GET " + seen.api("/tags/{}/history", tag).with("limit", SHOWN);
        String cursor = page.query("cursor");
        var found = bundles.moves(page, seen.snapshot(), parsed(page), page.paging(SHOWN));
        var current = current(page, seen);
        page.naming(page.names(Stream.concat(
                found.data().stream().map(TagHistoryEntry::by),
                Stream.ofNullable(current).map(TagStatus::updatedBy))));
        var view = seen.view(page, tag + ": tags", "tag")
                .with("head", bundles.head(page, seen))
                .with("tag", tag)
                .with("moves", found.data())
                .with("choices", choices(page, seen))
                .with("version", typed.version())
                .with("errors", typed.errors())
                .paged(() -> seen.at("/tags/{}", tag), cursor, found.meta().nextCursor());
        if (current != null) {
            view.with("current", current);
        }
        return view.forMachines(call, "sheaf tags history " + seen.word() + " " + ShellQuoting.quote(tag))
                .status(typed.errors().isEmpty() ? 200 : 422)
                .show();
    }

    private Answer move(PageCall page, VisibleBundle seen) {
        var form = page.form();
        String version = form.first("version").orElse("").strip();
        var members = new HashMap<String, @Nullable Object>();
        members.put("version", version);
        members.put("expectedVersion", expected(form));
        return changed(
                page, seen, version, tag(page) + " points to " + version + ".", () -> put(page, parsed(page), members));
    }

    /// Returns the version to which the tag pointed when the page was shown; null if the tag did not exist.
    private static @Nullable String expected(FormFields form) {
        return form.first("expected").filter(text -> !text.isEmpty()).orElse(null);
    }

    private Answer changed(PageCall page, VisibleBundle seen, String version, String said, Runnable change) {
        try {
            change.run();
        } catch (ProblemException e) {
            return history(page, seen, new Typed("", version, PageCall.errors(e.problem(), "version")));
        }
        return page.seeOther(seen.at("/tags/{}", tag(page)).toString(), PageNotice.ok(said));
    }

    private Answer protect(PageCall page, VisibleBundle seen) {
        var form = page.form();
        String version = form.first("expected").orElse("");
        boolean on = form.first("protected").filter("true"::equals).isPresent();
        var members = Map.of("version", version, "expectedVersion", version, "protected", on);
        String said = tag(page)
                + (on ? " is protected: it cannot be moved or deleted by accident." : " is no longer protected.");
        return changed(page, seen, "", said, () -> put(page, parsed(page), members));
    }

    private Answer rollBack(PageCall page, VisibleBundle seen) {
        var form = page.form();
        var members = new HashMap<String, @Nullable Object>();
        members.put("entry", form.first("entry").orElse(null));
        members.put("expectedVersion", expected(form));
        return changed(page, seen, "", tag(page) + " points to its previous version again.", () -> {
            var name = bundles.writable(page).name();
            var rollback = RequestFields.form(members).to(TagRollback::parse);
            tagging.rollback(page.origin(), name, parsed(page), rollback);
        });
    }

    private Answer askToDelete(PageCall page, VisibleBundle seen) {
        var current = bundles.tag(page, seen.snapshot(), parsed(page));
        return seen.view(page, "Delete " + current.name(), "tag-delete")
                .with("tag", current)
                .forMachines(
                        "DELETE " + seen.api("/tags/{}", current.name()),
                        "sheaf tags rm " + seen.word() + " " + ShellQuoting.quote(current.name()))
                .show();
    }

    private Answer delete(PageCall page, VisibleBundle seen) {
        try {
            tagging.delete(page.origin(), bundles.writable(page).name(), parsed(page), any -> {});
        } catch (ProblemException e) {
            return history(page, seen, new Typed("", "", PageCall.errors(e.problem())));
        }
        return page.seeOther(seen.at("/tags").toString(), PageNotice.ok("The tag " + tag(page) + " is deleted."));
    }
}
