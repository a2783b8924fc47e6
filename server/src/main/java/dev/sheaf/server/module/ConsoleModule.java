package dev.sheaf.server.module;

import dev.sheaf.server.config.Setting;
import dev.sheaf.server.console.ConsolePaths;
import dev.sheaf.server.console.PageErrors;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.account.AccountPages;
import dev.sheaf.server.console.account.DevicePages;
import dev.sheaf.server.console.account.FactorPages;
import dev.sheaf.server.console.account.InvitationPages;
import dev.sheaf.server.console.account.ProviderPages;
import dev.sheaf.server.console.account.SetupPages;
import dev.sheaf.server.console.account.SignInPages;
import dev.sheaf.server.console.admin.AdminPages;
import dev.sheaf.server.console.admin.PeoplePages;
import dev.sheaf.server.console.bundle.BundlePages;
import dev.sheaf.server.console.bundle.TagPages;
import dev.sheaf.server.console.hub.HubPages;
import dev.sheaf.server.console.hub.PublisherPages;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.http.routing.InnerApi;
import dev.sheaf.server.hub.ReadmePages;
import dev.sheaf.server.node.Node;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What people look at in a browser. It is made last, since its pages ask all of the API.
final class ConsoleModule {
    private final Node node;
    private final Modules features;
    private final Pages pages;

    ConsoleModule(Node node, Modules features, InnerApi api) {
        this.node = node;
        this.features = features;
        this.pages = new Pages(api, node.master());
    }

    /// The paths that belong to nothing else.
    Surface surface() {
        return new Surface("/", ConsolePaths::isOfPage, false, false, true, new PageErrors(pages)::render, routes());
    }

    private List<Route> routes() {
        return Stream.of(
                        pages.files().routes(),
                        hub(),
                        account(),
                        OrgConsole.routes(pages, node),
                        admin())
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> hub() {
        var bundles = features.bundle().bundles();
        return Stream.of(
                        new HubPages().routes(pages),
                        new PublisherPages().routes(pages),
                        new BundlePages(bundles, new ReadmePages(node.cpu())).routes(pages),
                        new TagPages(bundles).routes(pages))
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> account() {
        var own = features.identity();
        var identity = own.identity();
        return Stream.of(
                        new SignInPages(identity, own.cookie(), provider()).routes(pages),
                        new ProviderPages(own.oidc()).routes(pages),
                        new DevicePages(identity, own.devices(), provider()).routes(pages),
                        new InvitationPages().routes(pages),
                        new SetupPages(identity, own.cookie()).routes(pages),
                        new AccountPages().routes(pages),
                        new FactorPages().routes(pages))
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> admin() {
        var settings = Arrays.stream(Setting.values()).map(this::shown).toList();
        return Stream.of(
                        new AdminPages(settings, features.maintenance().all().names()).routes(pages),
                        new PeoplePages().routes(pages))
                .flatMap(List::stream)
                .toList();
    }

    private AdminPages.SettingRow shown(Setting setting) {
        var config = node.config();
        return new AdminPages.SettingRow(
                setting.key(), config.shown(setting), config.value(setting).source(), setting.meaning());
    }

    private @Nullable String provider() {
        return node.config()
                .find(Setting.OIDC_ISSUER)
                .map(issuer -> node.config().find(Setting.OIDC_NAME).orElse("your organization's provider"))
                .orElse(null);
    }
}
