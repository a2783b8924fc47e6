package dev.sheaf.server.module;

import dev.sheaf.engine.work.RowExpiry;
import dev.sheaf.engine.work.Task;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.maintenance.AdminTask;
import dev.sheaf.server.maintenance.PepperTasks;
import dev.sheaf.server.node.DataDir;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.PathOrganization;
import dev.sheaf.server.org.api.KeyPolicyApi;
import dev.sheaf.server.org.api.KeysApi;
import dev.sheaf.server.org.api.OrganizationsApi;
import dev.sheaf.server.org.api.QuotasApi;
import dev.sheaf.server.org.api.TransfersApi;
import dev.sheaf.server.org.directory.FirstStart;
import dev.sheaf.server.org.directory.NamespaceTransfers;
import dev.sheaf.server.org.directory.Organizations;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.org.key.KeyChanges;
import dev.sheaf.server.org.key.KeyExpiry;
import dev.sheaf.server.org.key.KeyLookup;
import dev.sheaf.server.org.key.KeyPolicies;
import dev.sheaf.server.org.key.KeyUses;
import dev.sheaf.server.org.member.Invitations;
import dev.sheaf.server.org.quota.Quota;
import dev.sheaf.server.org.quota.QuotaCheck;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Organizations: their namespaces, members, API keys and quotas.
public final class OrgModule implements FeatureModule {
    private final NodeBase node;
    private final List<MasterSecret> previousMasters;
    private final ApiKeys keys;
    private final KeyChanges keyChanges;
    private final KeyPolicies policies;
    private final KeyLookup keyLookup;
    private final KeyUses keyUses;
    private final KeyExpiry keyExpiry;
    private final PepperTasks pepperTasks;
    private final Organizations organizations;
    private final Namespaces namespaces;
    private final PathOrganization pathOrganization;
    private final Invitations invitations;
    private final QuotaCheck quotas;
    private final NamespaceTransfers transfers;

    public OrgModule(NodeBase node, SecretsModule secrets) {
        this.node = node;
        this.previousMasters = secrets.previousMasters();
        var config = node.config();
        var database = node.database();
        this.keys = new ApiKeys(database, secrets.peppers(), maxLiveKeys());
        this.keyChanges = new KeyChanges(database, keys, maxLiveKeys());
        this.policies = new KeyPolicies(database);
        this.keyLookup = new KeyLookup(database);
        this.keyUses = new KeyUses(database);
        this.keyExpiry = new KeyExpiry(database);
        this.pepperTasks = new PepperTasks(keys, keyLookup, secrets.peppers());
        this.organizations = new Organizations(database, keys, config.isOn(Setting.SELF_SERVICE));
        this.namespaces = new Namespaces(database, config.isOn(Setting.CLAIM_BY_PUSH));
        this.pathOrganization = new PathOrganization(database);
        this.invitations = new Invitations(database, node.master(), config.duration(Setting.INVITATION_LIFETIME));
        this.quotas = new QuotaCheck(database, quota(config));
        this.transfers = new NamespaceTransfers(database, quotas, config.duration(Setting.INVITATION_LIFETIME));
    }

    private static Quota quota(Config config) {
        return new Quota(
                config.number(Setting.QUOTA_BYTES),
                config.number(Setting.QUOTA_BUNDLES),
                config.number(Setting.QUOTA_VERSIONS));
    }

    private int maxLiveKeys() {
        return (int) node.config().number(Setting.MAX_LIVE_KEYS);
    }

    @Override
    public List<Route> routes() {
        return Stream.of(
                        new OrganizationsApi(organizations, namespaces).routes(),
                        new QuotasApi(quotas).routes(),
                        new TransfersApi(transfers).routes(),
                        new KeysApi(keys, keyChanges, node.clock()).routes(),
                        new KeyPolicyApi(policies).routes())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<AdminTask> tasks() {
        return List.of(pepperTasks.rotation(), pepperTasks.retirement());
    }

    @Override
    public List<Task> expiring() {
        var database = node.database();
        var kept = node.config().retention(Setting.ENDED_RETENTION).orElse(null);
        return Stream.of(
                        RowExpiry.of(database, "keysRemoved", kept, KeyExpiry::removeEnded),
                        RowExpiry.of(database, "invitationsRemoved", kept, Invitations::removeEnded),
                        RowExpiry.of(database, "transfersRemoved", kept, NamespaceTransfers::removeEnded))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public void begin(NodeTimer timer) {
        timer.every("noting the uses of keys", Duration.ofSeconds(10), keyUses::flush);
        timer.every("storing new hashes of keys", Duration.ofSeconds(10), keyLookup::flush);
        timer.now("ending keys whose pepper is retired", pepperTasks::endRetired);
        timer.every("announcing keys that end soon", Duration.ofMinutes(1), keyExpiry::run);
        timer.every("adding up the storage of organizations", Duration.ofMinutes(1), quotas::fold);
    }

    @Override
    public List<Last> last() {
        return List.of(
                new Last("the uses of keys in the last seconds are not recorded", keyUses::flush),
                new Last("new hashes of keys are not stored and will be made again", keyLookup::flush));
    }

    public FirstStart bootstrap() {
        return new FirstStart(node.database(), keys);
    }

    /// Checks that the installation exists before a task uses it. Otherwise, after a typing error, a backup or
    /// a check of the audit log would succeed on an empty directory.
    ///
    /// @throws StartException if the installation does not exist; also as [#checkMaster]
    public void checkThere() {
        if (bootstrap().isYetToCome()) {
            throw new StartException(
                    ServerExit.DATA_DIR_UNUSABLE,
                    "no installation exists yet in " + node.dataDir().root()
                            + ", or in the database; name its directory with --data-dir, or start the server"
                            + " there first");
        }
        checkMaster();
    }

    /// Checks the master secret before data that depends on it is written, such as the audit log's chain and
    /// passwords.
    ///
    /// @throws StartException if this installation uses another secret, which is not one of the previous
    /// secrets
    public void checkMaster() {
        if (!bootstrap().wasMadeWith(node.master(), previousMasters)) {
            DataDir dataDir = node.dataDir();
            throw new StartException(
                    ServerExit.WRONG_MASTER_KEY,
                    "this installation was made with a different master key, so no API key would work; give this node"
                            + " the same master-key as the others (SHEAF_MASTER_KEY, or " + dataDir.masterKey() + ")");
        }
    }

    ApiKeys keys() {
        return keys;
    }

    KeyChanges keyChanges() {
        return keyChanges;
    }

    KeyPolicies policies() {
        return policies;
    }

    NamespaceTransfers transfers() {
        return transfers;
    }

    KeyLookup keyLookup() {
        return keyLookup;
    }

    KeyUses keyUses() {
        return keyUses;
    }

    public KeyExpiry keyExpiry() {
        return keyExpiry;
    }

    Organizations organizations() {
        return organizations;
    }

    Namespaces namespaces() {
        return namespaces;
    }

    PathOrganization pathOrganization() {
        return pathOrganization;
    }

    Invitations invitations() {
        return invitations;
    }

    QuotaCheck quotas() {
        return quotas;
    }
}
