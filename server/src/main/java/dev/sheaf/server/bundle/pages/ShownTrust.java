package dev.sheaf.server.bundle.pages;

import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.console.PageCall;
import java.util.Optional;

/// What the head of a bundle's pages shows of a version: how to get it, and what is known of its trust.
public record ShownTrust(FetchCommands commands, PassportView passport) {
    /// Returns that of the latest version; empty if there is none.
    public static Optional<ShownTrust> ofLatest(PageCall page, BundleReader bundles, VisibleBundle seen) {
        return Optional.ofNullable(bundles.latest(seen)).map(latest -> of(page, bundles, seen, latest));
    }

    private static ShownTrust of(PageCall page, BundleReader bundles, VisibleBundle seen, Resolve.Answer latest) {
        var detail = bundles.detail(page, latest);
        return new ShownTrust(
                FetchCommands.of(seen, detail, false, page.call().baseUrl()),
                bundles.passport(page, seen, latest, detail));
    }
}
