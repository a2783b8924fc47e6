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
import dev.sheaf.server.console.activity.ActivityPages;
import dev.sheaf.server.console.admin.AdminPages;
import dev.sheaf.server.console.admin.PeoplePages;
import dev.sheaf.server.console.bundle.BundlePages;
import dev.sheaf.server.console.bundle.TagPages;
import dev.sheaf.server.console.compare.ComparePages;
import dev.sheaf.server.console.edit.EditPages;
import dev.sheaf.server.console.event.EventPages;
import dev.sheaf.server.console.files.FilesPages;
import dev.sheaf.server.console.files.RawPages;
import dev.sheaf.server.console.hub.HubPages;
import dev.sheaf.server.console.hub.PublisherPages;
import dev.sheaf.server.console.queue.WorkPages;
import dev.sheaf.server.console.readme.ReadmeEditor;
import dev.sheaf.server.console.webhook.DeliveryPages;
import dev.sheaf.server.console.webhook.WebhookPages;
import dev.sheaf.server.console.withdraw.WithdrawPages;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.http.routing.InnerApi;
import dev.sheaf.server.hub.ReadmePages;
import dev.sheaf.server.identity.ActorNames;
import dev.sheaf.server.node.Node;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The pages for browsers. This module is created last, because its pages use the whole API.
final class ConsoleModule {
    private final Node node;
    private final Modules features;
    private final Pages pages;
    private final SetupPages setup;

    ConsoleModule(Node node, Modules features, InnerApi api) {
        this.node = node;
        this.features = features;
        this.pages = new Pages(api, node.master(), new ActorNames(node.database()));
        this.setup = new SetupPages(
                features.identity().identity(), features.identity().cookie());
    }

    /// Returns the surface of the pages, for paths that belong to no other module.
    Surface surface() {
        return new Surface("/", ConsolePaths::isOfPage, false, false, true, new PageErrors(pages)::render, routes());
    }

    private List<Route> routes() {
        return Stream.of(
                        pages.files().routes(),
                        hub(),
                        bundles(),
                        EditPages.routes(
                                pages, BundleModule.limits(node.config()).assetCount()),
                        new ReadmeEditor().routes(pages),
                        WithdrawPages.routes(pages),
                        account(),
                        OrgConsole.routes(pages, node),
                        work(),
                        admin())
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> hub() {
        return Stream.of(new HubPages(setup::isNeeded).routes(pages), new PublisherPages().routes(pages))
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> bundles() {
        var bundles = features.bundle().bundles();
        return Stream.of(
                        new BundlePages(bundles, new ReadmePages(node.cpu())).routes(pages),
                        new TagPages(bundles).routes(pages),
                        new FilesPages(bundles).routes(pages),
                        new RawPages(bundles).routes(pages),
                        new ComparePages(bundles).routes(pages))
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> work() {
        return Stream.of(
                        new WorkPages().routes(pages),
                        new WebhookPages().routes(pages),
                        new DeliveryPages().routes(pages),
                        new EventPages().routes(pages))
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> account() {
        var own = features.identity();
        var identity = own.identity();
        return Stream.of(
                        new SignInPages(identity, own.cookie(), provider(), setup::isNeeded).routes(pages),
                        new ProviderPages(own.oidc()).routes(pages),
                        new DevicePages(identity, own.devices(), provider()).routes(pages),
                        new InvitationPages().routes(pages),
                        setup.routes(pages),
                        new AccountPages().routes(pages),
                        new ActivityPages().routes(pages),
                        new FactorPages().routes(pages))
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> admin() {
        var settings = Arrays.stream(Setting.values()).map(this::shown).toList();
        return Stream.of(new AdminPages(settings).routes(pages), new PeoplePages().routes(pages))
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
