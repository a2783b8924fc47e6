package dev.sheaf.server.bundle.pages.files;

import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.server.bundle.decision.ReviewInbox;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.FetchCommands;
import dev.sheaf.server.bundle.pages.PullBars;
import dev.sheaf.server.bundle.pages.VisibleBundle;
import dev.sheaf.server.bundle.pages.source.SourceExcerpt;
import dev.sheaf.server.console.ApiEquivalent;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.PageView;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A version with its files, and each of the files.
public final class FilesPages {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final String VERSION = "/{namespace}/{bundle}/versions/{version}";
    private static final int GONE = 410;
    private static final int NOTES = 16 << 10; // bytes of a page
    private static final long MAX_IMAGE = 2 << 20;

    private final BundleReader bundles;
    private final ReviewInbox reviews;

    public FilesPages(BundleReader bundles, ReviewInbox reviews) {
        this.bundles = bundles;
        this.reviews = reviews;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.open(VERSION, this::version), pages.open(VERSION + "/files/{path...}", this::file));
    }

    private Answer version(PageCall page) {
        var seen = VisibleBundle.of(page, bundles);
        var recalled = recalled(page, seen);
        if (recalled != null) {
            return recalled.show();
        }
        var opened = OpenedVersion.of(page, bundles, seen, page.parameter("version"));
        var wanted =
                new VersionTree.Wanted("", PageFormat.text(page.query("folder")), PageFormat.text(page.query("after")));
        var passport = bundles.passport(page, opened.seen(), opened.found(), opened.version());
        var overridden = reviews.overrideOf(
                seen.snapshot().repository(), opened.found().resolved().version());
        page.naming(page.names(
                Stream.concat(opened.actors(), Stream.ofNullable(overridden == null ? null : overridden.by()))));
        String name = opened.bundle().ref();
        String version = opened.version().version();
        boolean isLatest = page.parameter("version").equals("latest");
        var view = view(page, opened, name + ":" + version, "bundle/pages/files/version")
                .with("selected", isLatest ? "files" : "versions")
                .with(
                        "commands",
                        FetchCommands.of(
                                opened.seen(),
                                opened.version(),
                                true,
                                page.call().baseUrl()))
                .with("tree", VersionTree.of(opened, wanted))
                .with("passport", passport)
                .with("checks", CheckNotes.of(opened, NOTES))
                .with(
                        "pulls",
                        PullBars.of(
                                bundles.downloads(page, opened.found()),
                                opened.version().createdAt()))
                .forMachines(new ApiEquivalent(
                        List.of("GET " + opened.api(""), "GET " + passport.api(), "GET " + opened.api("/downloads")),
                        List.of("sheaf pull " + name + ":" + version)));
        var changes = ChangedFiles.of(page, bundles, opened);
        if (changes != null) {
            view.with("changes", changes);
        }
        if (overridden != null) {
            view.with("overridden", overridden);
        }
        return view.show();
    }

    /// Shows why a version is recalled, and nothing of its content; null if it is not recalled.
    private @Nullable PageView recalled(PageCall page, VisibleBundle seen) {
        var found = bundles.known(seen.snapshot(), page.parameter("version"));
        if (found.resolved().version().recall() == null) {
            return null;
        }
        var version = bundles.detail(page, found);
        var recall = Objects.requireNonNull(version.recall());
        page.naming(page.names(Stream.of(PageFormat.text(version.publishedBy()), recall.by())));
        String name = seen.name() + ":" + version.version();
        return seen.view(page, version.version(), "files/recalled")
                .with("head", bundles.head(page, seen))
                .with("version", version)
                .with("recall", recall)
                .forMachines(new ApiEquivalent(
                        List.of("GET " + seen.api("/versions/{}", version.version()), "POST /v1/verdicts"),
                        List.of("sheaf info " + name)));
    }

    private PageView view(PageCall page, OpenedVersion opened, String title, String template) {
        return page.view(title, template)
                .with("opened", opened)
                .with("head", bundles.head(page, opened.seen()))
                .forEverybody()
                .in("browse");
    }

    private Answer file(PageCall page) {
        var seen = VisibleBundle.of(page, bundles);
        var recalled = recalled(page, seen);
        if (recalled != null) {
            return recalled.status(GONE).show();
        }
        var opened = OpenedVersion.of(page, bundles, seen, page.parameter("version"));
        var file = opened.file(page.parameter("path"));
        var content = Content.of(page, bundles, opened, file);
        String line = page.query("line");
        if (line != null && NUMBER.matcher(line).matches() && content.text() != null) {
            return page.seeOther(place(page, opened, file, content.text(), Integer.parseInt(line)));
        }
        page.naming(page.names(opened.actors()));
        boolean rendered = "rendered".equals(page.query("view"));
        var shown = ShownFile.of(page, opened, file, content, rendered ? -1 : number(page.query("from")));
        String path = file.logicalPath();
        String name = path.substring(path.lastIndexOf('/') + 1);
        return view(
                        page,
                        opened,
                        PageFormat.visible(name) + " in " + opened.bundle().ref() + ":"
                                + opened.version().version(),
                        "bundle/pages/files/file")
                .with("tree", VersionTree.of(opened, new VersionTree.Wanted(path, "", "")))
                .with("file", file)
                .with("name", name)
                .with("shown", shown)
                .with("isImageShown", content.kind().isImage() && file.sizeBytes() <= MAX_IMAGE)
                .forMachines(new ApiEquivalent(
                        List.of("GET " + opened.asset(path)),
                        List.of("sheaf pull " + opened.bundle().ref() + ":"
                                + opened.version().version())))
                .show();
    }

    private static int number(@Nullable String text) {
        return text != null && NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
    }

    /// Returns the link to a line: on the first page, or on a page that begins a little before it.
    private static String place(PageCall page, OpenedVersion opened, Layer file, String text, int line) {
        int lines = Math.max(1, SourceExcerpt.count(text));
        int number = Math.clamp(line, 1, lines);
        int start = SourceExcerpt.lineStart(text, number);
        int first = ShownFile.firstEnd(page, file, text);
        var link = ApiPath.of(opened.file(opened.place(), file.logicalPath()));
        if (start >= first) {
            link.with("from", SourceExcerpt.lineStart(text, Math.max(1, number - 3)));
        }
        return link + "#L" + number;
    }
}
