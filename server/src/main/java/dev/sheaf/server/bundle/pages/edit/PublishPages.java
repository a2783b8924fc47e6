package dev.sheaf.server.bundle.pages.edit;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.PublishReport;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.bundle.api.BundleRecords;
import dev.sheaf.server.bundle.api.PassportApi;
import dev.sheaf.server.bundle.api.VersionDetails;
import dev.sheaf.server.bundle.diff.LineDiff;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.publish.Publish;
import dev.sheaf.server.bundle.publish.PublishRequest;
import dev.sheaf.server.bundle.publish.PublishWorkingSet;
import dev.sheaf.server.console.ApiEquivalent;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.PageView;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Publishes the working files of a bundle in three steps: the changes, the results of the checks, and the
/// publish.
public final class PublishPages {
    private static final int MAX_TEXT = 64 << 10; // bytes of a file that a page compares
    private static final int MAX_LINES = 300;
    private static final int MAX_SHOWN = 32 << 10; // characters
    private static final int MAX_LINE = 2_000;

    private final BundleReader bundles;
    private final WorkingFiles files;
    private final PublishWorkingSet workingSet;
    private final VersionDetails details;

    PublishPages(BundleReader bundles, WorkingFiles files, PublishWorkingSet workingSet, VersionDetails details) {
        this.bundles = bundles;
        this.files = files;
        this.workingSet = workingSet;
        this.details = details;
    }

    public List<Route> routes(PageRoutes pages) {
        String publish = EditableBundle.AT + "/publish";
        return List.of(
                pages.own(publish, this::begin),
                pages.own(publish + "/check", this::check),
                pages.own(publish + "/changes", this::changes),
                pages.own(publish + "/reset", this::askToReset),
                pages.form(publish + "/reset", RoutePermission.WRITE, this::reset),
                pages.form(publish, RoutePermission.WRITE, this::publish));
    }

    /// The version to publish.
    ///
    /// @param latest the latest version when the page was shown; empty if there was none
    public record Wanted(String version, String tags, String message, String latest) {
        static Wanted of(FormFields form) {
            return new Wanted(
                    form.first("version").orElse("").strip(),
                    form.first("tags").orElse(""),
                    form.first("message").orElse(""),
                    form.first("latest").orElse(""));
        }

        Map<String, @Nullable Object> members() {
            var members = new HashMap<String, @Nullable Object>();
            members.put("version", version);
            members.put("tags", words());
            members.put("message", message.isBlank() ? null : message.replace("\r\n", "\n"));
            members.put("expectedLatest", latest.isEmpty() ? null : latest);
            return members;
        }

        public List<String> words() {
            return Arrays.stream(tags.split("[,\\s]+"))
                    .filter(word -> !word.isEmpty())
                    .toList();
        }
    }

    // --- first: the changes ---

    private Answer begin(PageCall page) {
        var edited = EditableBundle.of(page, bundles);
        String latest = PageFormat.text(edited.bundle().latestVersion());
        return begin(page, edited, new Wanted(next(latest), "", "", latest), FormErrors.NONE);
    }

    private Answer begin(PageCall page, EditableBundle edited, Wanted wanted, FormErrors errors) {
        var changes = PublishChanges.of(page, edited, files);
        return edited.view(page, "Publish", "bundle/pages/edit/publish")
                .with("wanted", wanted)
                .with("changes", changes)
                .with("from", from(page))
                .with("isBehind", isBehind(page, edited, changes))
                .with("suggested", suggested(PageFormat.text(edited.bundle().latestVersion())))
                .with("errors", errors)
                .refused(errors)
                .forMachines(machine(page, edited, wanted))
                .show();
    }

    private static int from(PageCall page) {
        String from = PageFormat.text(page.query("from"));
        return from.matches("[0-9]{1,5}") ? Integer.parseInt(from) : 0;
    }

    private boolean isBehind(PageCall page, EditableBundle edited, PublishChanges changes) {
        String latest = edited.bundle().latestVersion();
        return latest != null
                && changes.isBehind(bundles.resolve(edited.snapshot(), latest)
                        .resolved()
                        .version()
                        .publishedAt());
    }

    private Answer askToReset(PageCall page) {
        var edited = EditableBundle.of(page, bundles);
        return edited.view(page, "Start again", "bundle/pages/edit/reset")
                .with("changes", PublishChanges.of(page, edited, files))
                .forMachines(FilesPages.machine(page))
                .show();
    }

    private Answer reset(PageCall page) {
        var edited = EditableBundle.of(page, bundles);
        String latest = edited.bundle().latestVersion();
        if (latest != null) {
            files.restore(page, edited.snapshot(), PublishChanges.of(page, edited, files), latest);
        }
        return page.seeOther(
                edited.at("/files"),
                PageNotice.ok("The working files are again the files of " + PageFormat.text(latest) + "."));
    }

    private static ApiEquivalent machine(PageCall page, EditableBundle edited, Wanted wanted) {
        String version = Version.find(wanted.version()).map(Version::toString).orElse("1.0.0");
        return ApiEquivalent.of(
                "POST " + EditableBundle.api(page, ":publish"),
                "sheaf publish " + edited.name() + ":" + version + " --dry-run");
    }

    /// Returns the most likely next version.
    static String next(String latest) {
        var all = suggested(latest);
        return all.isEmpty() ? "1.0.0" : all.getFirst();
    }

    /// Returns the next versions for a correction, for something new, and for a breaking change.
    static List<String> suggested(String latest) {
        return Version.find(latest)
                .map(version -> version.isPrerelease()
                        ? List.of(version.major() + "." + version.minor() + "." + version.patch())
                        : List.of(
                                version.major() + "." + version.minor() + "." + after(version.patch()),
                                version.major() + "." + after(version.minor()) + ".0",
                                after(version.major()) + ".0.0"))
                .orElse(List.of("1.0.0"));
    }

    private static String after(String number) {
        return new BigInteger(number).add(BigInteger.ONE).toString();
    }

    // --- a changed file ---

    private Answer changes(PageCall page) {
        var edited = EditableBundle.of(page, bundles);
        String path = Objects.requireNonNullElse(page.query("path"), "");
        String latest = edited.bundle().latestVersion();
        var change = PublishChanges.of(page, edited, files).of(path);
        String before = change.before() == null ? "" : text(page, edited, path, latest);
        String after = change.after() == null ? "" : text(page, edited, path, null);
        boolean isText = before != null && after != null;
        var diff = before == null || after == null ? Optional.<String>empty() : diff(page, before, after);
        var lines = diff.map(text -> text.lines().skip(2).toList()).orElse(List.of());
        var shown = shown(lines);
        return edited.view(page, "What changes", "bundle/pages/edit/changes")
                .with("path", path)
                .with("isText", isText)
                .with("lines", shown)
                .with("isCut", lines.size() > shown.size() || isText && diff.isEmpty())
                .forMachines(new ApiEquivalent(List.of("GET " + WorkingFiles.api(page, path)), List.of()))
                .show();
    }

    /// Returns the diff; empty if it would be too large.
    private static Optional<String> diff(PageCall page, String before, String after) {
        return page.call()
                .computed(
                        before.length() + after.length(),
                        budget -> new LineDiff(budget)
                                .unified("before", "after", new LineDiff.Text(before), new LineDiff.Text(after)));
    }

    /// Returns as many lines as fit on a page.
    private static List<String> shown(List<String> lines) {
        int count = 0;
        int characters = 0;
        while (count < Math.min(MAX_LINES, lines.size()) && characters <= MAX_SHOWN) {
            characters += lines.get(count).length();
            count++;
        }
        return lines.subList(0, count).stream()
                .map(line -> line.length() > MAX_LINE ? line.substring(0, MAX_LINE) + "…" : line)
                .toList();
    }

    private @Nullable String text(PageCall page, EditableBundle edited, String path, @Nullable String version) {
        try {
            var bundle = edited.snapshot();
            return files.text(page, bundle, files.get(page, bundle, path, version), MAX_TEXT);
        } catch (ProblemException e) {
            return null;
        }
    }

    // --- second: the results of the checks ---

    private Answer check(PageCall page) {
        var edited = EditableBundle.of(page, bundles);
        var wanted = Wanted.of(FormFields.parse(page.call().rawQuery()));
        try {
            var members = wanted.members();
            members.put("validateOnly", true);
            members.remove("expectedLatest");
            var report = page.change(() -> report(page, edited, members));
            return checked(page, edited, wanted, report, FormErrors.NONE).show();
        } catch (ProblemException e) {
            return begin(page, edited, wanted, PageCall.errors(e.problem(), "version", "tags", "message"));
        }
    }

    private PublishReport report(PageCall page, EditableBundle edited, Map<String, @Nullable Object> members) {
        var request = RequestFields.form(members).to(PublishRequest::parse);
        var outlook = workingSet.validate(
                page.origin(), edited.snapshot().name(), request, PassportApi.admitting(page.call()));
        return BundleRecords.report(outlook, request.version());
    }

    private PageView checked(
            PageCall page, EditableBundle edited, Wanted wanted, PublishReport report, FormErrors errors) {
        return edited.view(page, "Publish " + wanted.version(), "bundle/pages/edit/publish-check")
                .with("wanted", wanted)
                .with("report", report)
                .with("changes", PublishChanges.of(page, edited, files))
                .with("errors", errors)
                .refused(errors)
                .forMachines(machine(page, edited, wanted));
    }

    // --- third ---

    private Answer publish(PageCall page) {
        var wanted = Wanted.of(page.form());
        Made made;
        try {
            var bundle = bundles.writable(page).name();
            var request = RequestFields.form(wanted.members()).to(PublishRequest::parse);
            var outcome = workingSet.publish(page.origin(), bundle, request, PassportApi.admitting(page.call()));
            made = made(page, outcome, EditableBundle.at(page, "").toString(), details);
        } catch (ProblemException e) {
            return begin(
                    page,
                    EditableBundle.of(page, bundles),
                    wanted,
                    PageCall.errors(e.problem(), "version", "tags", "message"));
        }
        return page.seeOther(made.at(), made.notice());
    }

    /// Where a publish leads, and what is said there.
    record Made(String at, PageNotice notice) {}

    /// @param at the page of the bundle
    static Made made(PageCall page, Publish.Outcome outcome, String at, VersionDetails details) {
        return switch (outcome) {
            case Publish.Published done -> new Made(at, published(details.of(page.call(), done)));
            case Publish.Held held ->
                new Made(
                        "/" + held.review().ref() + "/reviews/" + held.review().id(),
                        PageNotice.ok(
                                held.review().version() + " is held for review. Nobody gets it until it is approved."));
        };
    }

    private static PageNotice published(VersionDetail made) {
        var warnings = made.warnings();
        int count = warnings == null ? 0 : warnings.size();
        return new PageNotice(
                "ok",
                made.version() + " is published.",
                count == 0
                        ? List.of()
                        : List.of("The version shows " + PageFormat.count(count, "note", "notes") + " of the checks."));
    }
}
