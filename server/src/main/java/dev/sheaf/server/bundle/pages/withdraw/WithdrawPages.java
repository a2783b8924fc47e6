package dev.sheaf.server.bundle.pages.withdraw;

import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.recall.RecallChanges;
import dev.sheaf.server.bundle.version.BundleDeletion;
import dev.sheaf.server.bundle.version.DeletedBundles;
import dev.sheaf.server.bundle.version.VersionChanges;
import dev.sheaf.server.bundle.version.VersionDeletion;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.hub.Hub;
import java.util.List;
import java.util.stream.Stream;

/// All pages that withdraw bundles and their versions.
public final class WithdrawPages {
    private WithdrawPages() {}

    public static List<Route> routes(
            PageRoutes pages,
            BundleReader bundles,
            VersionChanges versions,
            VersionDeletion deletion,
            RecallChanges recalls,
            BundleDeletion bundleDeletion,
            DeletedBundles trash,
            Hub hub) {
        return Stream.of(
                        new VersionPages(bundles, versions, deletion).routes(pages),
                        new RecallPages(bundles, recalls).routes(pages),
                        new PurgePages(bundles, deletion).routes(pages),
                        new DeletionPages(bundles, bundleDeletion, trash, hub).routes(pages),
                        new TrashPages(trash).routes(pages))
                .flatMap(List::stream)
                .toList();
    }
}
