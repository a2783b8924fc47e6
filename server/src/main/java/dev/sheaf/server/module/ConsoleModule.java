package dev.sheaf.server.module;

import dev.sheaf.server.config.Setting;
import dev.sheaf.server.console.ConsolePaths;
import dev.sheaf.server.console.PageErrors;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.SessionCookie;
import dev.sheaf.server.console.account.SignInPages;
import dev.sheaf.server.console.hub.HubPages;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.http.routing.InnerApi;
import dev.sheaf.server.node.Node;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What people look at in a browser. It is made last, since its pages ask all of the API.
final class ConsoleModule {
    private final Pages pages;
    private final IdentityModule identity;
    private final SessionCookie cookie;
    private final @Nullable String provider;

    ConsoleModule(Node node, IdentityModule identity, SessionCookie cookie, InnerApi api) {
        this.pages = new Pages(api, node.master());
        this.identity = identity;
        this.cookie = cookie;
        this.provider = node.config()
                .find(Setting.OIDC_ISSUER)
                .map(issuer -> node.config().find(Setting.OIDC_NAME).orElse("your organization's provider"))
                .orElse(null);
    }

    /// The paths that belong to nothing else.
    Surface surface() {
        return new Surface("/", ConsolePaths::isOfPage, false, false, true, new PageErrors(pages)::render, routes());
    }

    private List<Route> routes() {
        return Stream.of(
                        pages.files().routes(),
                        new HubPages().routes(pages),
                        new SignInPages(identity.identity(), cookie, provider).routes(pages))
                .flatMap(List::stream)
                .toList();
    }
}
