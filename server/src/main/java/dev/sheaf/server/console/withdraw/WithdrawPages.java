package dev.sheaf.server.console.withdraw;

import dev.sheaf.server.bundle.version.BundleDeletion;
import dev.sheaf.server.bundle.version.Deletion;
import dev.sheaf.server.bundle.version.Versions;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.bundle.BundleReader;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.hub.Hub;
import java.util.List;
import java.util.stream.Stream;

/// All pages that withdraw bundles and their versions.
public final class WithdrawPages {
    private WithdrawPages() {}

    public static List<Route> routes(
            Pages pages,
            BundleReader bundles,
            Versions versions,
            Deletion deletion,
            BundleDeletion bundleDeletion,
            Hub hub) {
        return Stream.of(
                        new VersionPages(bundles, versions, deletion).routes(pages),
                        new PurgePages(bundles, deletion).routes(pages),
                        new DeletionPages(bundles, bundleDeletion, hub).routes(pages))
                .flatMap(List::stream)
                .toList();
    }
}
