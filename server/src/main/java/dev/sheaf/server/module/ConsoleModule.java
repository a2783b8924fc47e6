package dev.sheaf.server.module;

import dev.sheaf.server.bundle.SkillDocuments;
import dev.sheaf.server.bundle.pages.BundleActivity;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.TagPages;
import dev.sheaf.server.bundle.pages.VersionListPages;
import dev.sheaf.server.bundle.pages.compare.ComparePages;
import dev.sheaf.server.bundle.pages.edit.EditPages;
import dev.sheaf.server.bundle.pages.files.FilesPages;
import dev.sheaf.server.bundle.pages.files.RawPages;
import dev.sheaf.server.bundle.pages.overview.BundlePages;
import dev.sheaf.server.bundle.pages.readme.ReadmeEditor;
import dev.sheaf.server.bundle.pages.review.ReviewPages;
import dev.sheaf.server.bundle.pages.use.UsePages;
import dev.sheaf.server.bundle.pages.withdraw.WithdrawPages;
import dev.sheaf.server.bundle.version.VersionListing;
import dev.sheaf.server.client.ClientArchives;
import dev.sheaf.server.client.ClientFiles;
import dev.sheaf.server.client.pages.ClientPages;
import dev.sheaf.server.client.pages.GuidePages;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.SettingGroup;
import dev.sheaf.server.console.ConsolePaths;
import dev.sheaf.server.console.PageErrors;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.EventWords;
import dev.sheaf.server.event.pages.EventPages;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.routing.ViewerRights;
import dev.sheaf.server.hub.pages.AdvisoryPages;
import dev.sheaf.server.hub.pages.HubPages;
import dev.sheaf.server.hub.pages.PublisherPages;
import dev.sheaf.server.hub.pages.StarPages;
import dev.sheaf.server.identity.ActorNames;
import dev.sheaf.server.identity.pages.AccountPages;
import dev.sheaf.server.identity.pages.DevicePages;
import dev.sheaf.server.identity.pages.FactorPages;
import dev.sheaf.server.identity.pages.InvitationPages;
import dev.sheaf.server.identity.pages.ProviderPages;
import dev.sheaf.server.identity.pages.SetupPages;
import dev.sheaf.server.identity.pages.SignInPages;
import dev.sheaf.server.maintenance.pages.AdminPages;
import dev.sheaf.server.maintenance.pages.OperationsPages;
import dev.sheaf.server.maintenance.pages.PeoplePages;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.ops.pages.StatusPages;
import dev.sheaf.server.org.pages.activity.ActivityPages;
import dev.sheaf.server.webhook.pages.DeliveryPages;
import dev.sheaf.server.webhook.pages.WebhookPages;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The pages for browsers. This module is created last, because its pages call all features.
final class ConsoleModule {
    private final NodeBase node;
    private final FeatureModules features;
    private final PageRoutes pages;
    private final SetupPages setup;
    private final OpsModule ops;
    private final BundleReader bundles;

    ConsoleModule(NodeBase node, FeatureModules features, ViewerRights rights, OpsModule ops) {
        this.node = node;
        this.features = features;
        this.pages = new PageRoutes(
                rights,
                node.master(),
                node.clock(),
                new ActorNames(node.database()),
                features.identity().identity().accounts(),
                features.org().organizations());
        this.ops = ops;
        var bundle = features.bundle();
        this.bundles = new BundleReader(
                bundle.bundles(),
                bundle.resolve(),
                bundle.details(),
                bundle.tagging(),
                bundle.downloads(),
                bundle.diff(),
                bundle.passports(),
                bundle.bytes(),
                features.hub().stars(),
                new SkillDocuments(node.database()),
                new VersionListing(node.database()),
                bundle.dependents());
        this.setup = new SetupPages(
                features.identity().identity(),
                features.org().organizations(),
                features.identity().cookie());
    }

    /// Returns the path of the style sheet.
    String styleSheet() {
        return pages.files().path("sheaf.css");
    }

    /// Returns the surface of the pages, for paths that belong to no other module.
    RouteSurface surface() {
        return new RouteSurface(
                "/",
                ConsolePaths::isOfPage,
                false,
                false,
                true,
                new PageErrors(pages, features.bundle().trash())::render,
                routes());
    }

    private List<Route> routes() {
        return Stream.of(
                        pages.files().routes(),
                        new ClientPages(new ClientArchives(ClientFiles::beside, node.cpu())).routes(pages),
                        new GuidePages().routes(pages),
                        hub(),
                        bundles(),
                        editing(),
                        account(),
                        OrgConsole.routes(pages, node, features),
                        work(),
                        admin())
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> hub() {
        var hub = features.hub().hub();
        return Stream.of(
                        new HubPages(hub, setup::isNeeded).routes(pages),
                        new PublisherPages(features.bundle().list(), hub).routes(pages),
                        new AdvisoryPages(features.bundle().advisories()).routes(pages),
                        new StarPages(features.hub().stars()).routes(pages))
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> bundles() {
        var hub = features.hub();
        var events = features.events();
        var activity = new BundleActivity(bundles, events.feeds(), new EventWords(events.wire()));
        return Stream.of(
                        new BundlePages(
                                        bundles,
                                        hub.hub(),
                                        hub.stars(),
                                        activity,
                                        hub.readmes(),
                                        features.bundle().inbox())
                                .routes(pages),
                        new VersionListPages(bundles).routes(pages),
                        new UsePages(bundles, features.bundle().use()).routes(pages),
                        new TagPages(bundles, features.bundle().tagging()).routes(pages),
                        activity.routes(pages),
                        new FilesPages(bundles, features.bundle().inbox()).routes(pages),
                        new RawPages(bundles).routes(pages),
                        new ComparePages(bundles).routes(pages))
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> editing() {
        var bundle = features.bundle();
        return Stream.of(
                        EditPages.routes(
                                pages,
                                bundles,
                                bundle.edits(),
                                bundle.working(),
                                bundle.workingSet(),
                                bundle.push(),
                                bundle.details(),
                                features.org().namespaces(),
                                bundle.policies(),
                                BundleModule.limits(node.config()).assetCount()),
                        new ReadmeEditor(bundles, bundle.edits()).routes(pages),
                        new ReviewPages(bundles, bundle.decisions(), bundle.inbox()).routes(pages),
                        WithdrawPages.routes(
                                pages,
                                bundles,
                                bundle.versioning(),
                                bundle.deletion(),
                                bundle.recalls(),
                                bundle.bundleDeletion(),
                                bundle.trash(),
                                features.hub().hub()))
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> work() {
        var webhooks = features.webhooks();
        var events = features.events();
        return Stream.of(
                        features.queues().pages().routes(pages),
                        new WebhookPages(webhooks.webhooks(), webhooks.deliveries()).routes(pages),
                        new DeliveryPages(webhooks.webhooks(), webhooks.deliveries()).routes(pages),
                        new EventPages(events.feeds(), events.wire()).routes(pages))
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
                        new InvitationPages(identity.joining(), identity.signIn(), own.cookie()).routes(pages),
                        setup.routes(pages),
                        new AccountPages(identity).routes(pages),
                        new ActivityPages(features.audit().log()).routes(pages),
                        new FactorPages(identity.totp()).routes(pages))
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> admin() {
        var settings = Arrays.stream(Setting.values()).map(this::shown).toList();
        var maintenance = features.maintenance();
        return Stream.of(
                        new StatusPages(ops.health(), node.clock()).routes(pages),
                        new OperationsPages(ops.operations(), maintenance.stats(), node.clock()).routes(pages),
                        new AdminPages(maintenance.all(), maintenance.mode(), settings).routes(pages),
                        new PeoplePages(features.identity().identity()).routes(pages))
                .flatMap(List::stream)
                .toList();
    }

    private AdminPages.SettingRow shown(Setting setting) {
        var config = node.config();
        return new AdminPages.SettingRow(
                SettingGroup.of(setting).title(),
                setting.key(),
                config.shown(setting),
                setting.fallback(),
                config.value(setting).source(),
                setting.meaning());
    }

    private @Nullable String provider() {
        return node.config()
                .find(Setting.OIDC_ISSUER)
                .map(issuer -> node.config().find(Setting.OIDC_NAME).orElse("your organization's provider"))
                .orElse(null);
    }
}
