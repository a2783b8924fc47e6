package dev.sheaf.server.bundle.pages.edit;

import dev.sheaf.server.bundle.api.VersionDetails;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.publish.PublishWorkingSet;
import dev.sheaf.server.bundle.publish.Push;
import dev.sheaf.server.bundle.publish.WorkingAssets;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.bundle.version.BundleEdits;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.org.Namespaces;
import java.util.List;
import java.util.stream.Stream;

/// All pages that create and change bundles.
public final class EditPages {
    private EditPages() {}

    /// @param mostFiles the maximum number of files of a bundle
    public static List<Route> routes(
            PageRoutes pages,
            BundleReader bundles,
            BundleEdits edits,
            WorkingAssets working,
            PublishWorkingSet publish,
            Push push,
            VersionDetails details,
            Namespaces namespaces,
            BundlePolicies policies,
            int mostFiles) {
        var files = new WorkingFiles(bundles, working);
        var publishing = new FirstPublish(edits, publish, push, details, files, mostFiles);
        return Stream.of(
                        new SettingsPages(bundles, edits, policies).routes(pages),
                        new FilesPages(bundles, files, mostFiles).routes(pages),
                        new PublishPages(bundles, files, publish, details).routes(pages),
                        new NewPages(bundles, namespaces, publishing, mostFiles).routes(pages))
                .flatMap(List::stream)
                .toList();
    }
}
