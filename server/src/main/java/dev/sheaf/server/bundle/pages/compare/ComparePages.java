package dev.sheaf.server.bundle.pages.compare;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.FetchCommands;
import dev.sheaf.server.bundle.pages.ShownTrust;
import dev.sheaf.server.bundle.pages.VisibleBundle;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.PageView;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The pages that compare two versions.
public final class ComparePages {
    private static final String BETWEEN = "...";
    private static final int SHOWN = 100;
    private static final int NAMED = 10; // versions in an error

    private final BundleReader bundles;

    public ComparePages(BundleReader bundles) {
        this.bundles = bundles;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.open("/{namespace}/{bundle}/compare", this::choose),
                pages.open("/{namespace}/{bundle}/compare/{pair}", this::compare));
    }

    private Answer choose(PageCall page) {
        var seen = VisibleBundle.of(page, bundles);
        var bundle = bundles.record(seen.snapshot());
        var versions = versions(page, seen);
        String latest = Optional.ofNullable(bundle.latestVersion())
                .or(() -> versions.stream().findFirst())
                .orElse("");
        String to = chosen(page, "b", "to").orElse(latest);
        String from = chosen(page, "a", "from").orElseGet(() -> before(versions, to));
        return from.isEmpty() || to.isEmpty()
                ? choose(page, seen, bundle, versions, from, to, FormErrors.NONE)
                : page.seeOther(
                        AskedComparison.of(page, place(bundle, from, to)).all());
    }

    /// Returns a version of the query, which people also type by the names that the API has.
    private static Optional<String> chosen(PageCall page, String name, String other) {
        return Stream.of(name, other)
                .map(parameter -> PageFormat.text(page.query(parameter)))
                .filter(value -> !value.isBlank())
                .findFirst();
    }

    private static String before(List<String> versions, String version) {
        return versions.stream()
                .dropWhile(one -> !one.equals(version))
                .skip(1)
                .findFirst()
                .orElse("");
    }

    private Answer choose(
            PageCall page,
            VisibleBundle seen,
            BundleRecord bundle,
            List<String> versions,
            String from,
            String to,
            FormErrors errors) {
        var view = view(page, seen, bundle, "Compare versions of " + bundle.ref(), "bundle/pages/compare/choose");
        ShownTrust.ofLatest(page, bundles, seen).ifPresent(trust -> view.with("trust", trust));
        return view.with("versions", versions)
                .with("from", from)
                .with("to", to)
                .with("errors", errors)
                .refused(errors)
                .forMachines(
                        "GET " + ApiPath.of("/v1/namespaces/{}/bundles/{}/versions", bundle.namespace(), bundle.slug()),
                        "sheaf versions " + bundle.ref())
                .show();
    }

    private PageView view(PageCall page, VisibleBundle seen, BundleRecord bundle, String title, String template) {
        return page.view(title, template)
                .with("bundle", bundle)
                .with("head", bundles.head(page, seen))
                .forEverybody()
                .in("browse");
    }

    private static String place(BundleRecord bundle, String from, String to) {
        return ApiPath.of("/{}/{}/compare/{}", bundle.namespace(), bundle.slug(), from + BETWEEN + to)
                .toString();
    }

    private Answer compare(PageCall page) {
        String pair = page.parameter("pair");
        int between = pair.indexOf(BETWEEN);
        if (between <= 0 || between + BETWEEN.length() == pair.length()) {
            throw new Problem.NotFound("the path " + page.call().rawPath()).raise();
        }
        var seen = VisibleBundle.of(page, bundles);
        var bundle = bundles.record(seen.snapshot());
        String from = pair.substring(0, between);
        String to = pair.substring(between + BETWEEN.length());
        var path = ApiPath.of("/v1/namespaces/{}/bundles/{}/versions/{}:diff", bundle.namespace(), bundle.slug(), from)
                .with("to", to);
        Resolve.Answer before;
        Resolve.Answer after;
        try {
            before = bundles.resolve(seen.snapshot(), from);
            after = bundles.resolve(seen.snapshot(), to);
        } catch (ProblemException e) {
            var versions = versions(page, seen);
            return choose(page, seen, bundle, versions, from, to, missing(versions, e.problem()));
        }
        var asked = AskedComparison.of(page, place(bundle, from, to));
        var diff = bundles.diff(page, before, after, asked.whiteSpace());
        var detail = bundles.detail(page, after);
        var trust = new ShownTrust(
                FetchCommands.of(seen, detail, true, page.call().baseUrl()),
                bundles.passport(page, seen, after, detail, before));
        var changes = ShownChanges.of(page, bundles, seen.snapshot().repository(), diff, asked, true);
        return view(
                        page,
                        seen,
                        bundle,
                        bundle.ref() + " " + changes.old() + BETWEEN + changes.now(),
                        "bundle/pages/compare/compare")
                .with("versions", versions(page, seen))
                .with("from", from)
                .with("to", to)
                .with("changes", changes)
                .with("trust", trust)
                .forMachines(
                        "GET " + (asked.ignoresWhiteSpace() ? path.with("whiteSpace", "ignore") : path),
                        "sheaf diff " + bundle.ref() + ":" + changes.old() + " " + changes.now()
                                + (asked.ignoresWhiteSpace() ? " -w" : ""))
                .show();
    }

    /// Names the version that cannot be compared, and what there is.
    private static FormErrors missing(List<String> versions, Problem problem) {
        String some = versions.stream().limit(NAMED).collect(Collectors.joining(", "));
        return new FormErrors(
                Map.of(),
                Stream.of(
                                PageFormat.visible(problem.detail()),
                                versions.size() > NAMED
                                        ? "The highest versions are " + some + "."
                                        : versions.isEmpty() ? "" : "There are " + some + ".")
                        .filter(line -> !line.isEmpty())
                        .toList(),
                problem);
    }

    /// Returns the highest versions whose content can be read.
    private List<String> versions(PageCall page, VisibleBundle seen) {
        return bundles.versions(page, seen.snapshot(), SHOWN).stream()
                .filter(version -> version.recall() == null)
                .map(VersionSummary::version)
                .toList();
    }
}
