package dev.sheaf.server.console.withdraw;

import dev.sheaf.server.console.Pages;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.stream.Stream;

/// All pages that withdraw bundles and their versions.
public final class WithdrawPages {
    private WithdrawPages() {}

    public static List<Route> routes(Pages pages) {
        return Stream.of(
                        new VersionPages().routes(pages),
                        new PurgePages().routes(pages),
                        new DeletionPages().routes(pages))
                .flatMap(List::stream)
                .toList();
    }
}
