package dev.sheaf.server.module;

import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import java.util.List;
import java.util.stream.Stream;

/// All features of a node. Each is created after the features that it uses.
public final class FeatureModules {
    private final SecretsModule secrets;
    private final OrgModule org;
    private final IdentityModule identity;
    private final CredentialsModule credentials;
    private final AuditModule audit;
    private final RegistryModule registry;
    private final BundleModule bundle;
    private final HubModule hub;
    private final EventModule events;
    private final WebhookModule webhooks;
    private final QueueModule queues;
    private final ApmModule apm;
    private final MaintenanceModule maintenance;
    private final List<FeatureModule> all;

    public FeatureModules(NodeBase node) {
        this.secrets = new SecretsModule(node);
        this.org = new OrgModule(node, secrets);
        this.identity = new IdentityModule(node, secrets, org);
        this.credentials = new CredentialsModule(node, secrets, org, identity);
        this.audit = new AuditModule(node, org);
        this.registry = new RegistryModule(node, org);
        this.bundle = new BundleModule(node, secrets, org, registry);
        this.hub = new HubModule(node, org, bundle);
        this.events = new EventModule(node, org);
        this.webhooks = new WebhookModule(node, secrets, events);
        var scans = new ScanModule(node, secrets, registry, bundle, webhooks);
        this.queues = new QueueModule(node, secrets, registry, bundle, events);
        var oci = new OciModule(node, secrets, org, credentials, registry, bundle);
        var skills = new SkillModule(node, org, registry, bundle);
        var git = new GitModule(node, registry, bundle, skills);
        var mcp = new McpModule(registry, bundle, hub, skills);
        this.apm = new ApmModule(node, registry, bundle, skills);
        var ard = new ArdModule(node, bundle, hub, skills);
        var clawHub = new ClawHubModule(node, org, registry, bundle, hub, skills);
        var features = List.of(
                secrets,
                org,
                identity,
                credentials,
                audit,
                registry,
                bundle,
                hub,
                skills,
                mcp,
                ard,
                apm,
                clawHub,
                events,
                webhooks,
                scans,
                queues,
                oci,
                git);
        this.maintenance = new MaintenanceModule(node, org, registry, features);
        this.all = Stream.concat(features.stream(), Stream.of(maintenance)).toList();
    }

    public SecretsModule secrets() {
        return secrets;
    }

    public OrgModule org() {
        return org;
    }

    public IdentityModule identity() {
        return identity;
    }

    public CredentialsModule credentials() {
        return credentials;
    }

    public AuditModule audit() {
        return audit;
    }

    public RegistryModule registry() {
        return registry;
    }

    public ApmModule apm() {
        return apm;
    }

    public BundleModule bundle() {
        return bundle;
    }

    HubModule hub() {
        return hub;
    }

    EventModule events() {
        return events;
    }

    WebhookModule webhooks() {
        return webhooks;
    }

    QueueModule queues() {
        return queues;
    }

    public MaintenanceModule maintenance() {
        return maintenance;
    }

    List<Route> routes() {
        return all.stream().flatMap(module -> module.routes().stream()).toList();
    }

    List<RouteSurface> surfaces() {
        return all.stream().flatMap(module -> module.surfaces().stream()).toList();
    }

    public void begin(NodeTimer timer) {
        all.forEach(module -> module.begin(timer));
    }

    public void leave() {
        all.forEach(FeatureModule::leave);
    }

    public void stop() {
        all.forEach(FeatureModule::stop);
    }

    public Stream<FeatureModule.Last> last() {
        return all.stream().flatMap(module -> module.last().stream());
    }
}
