package dev.sheaf.server;

import dev.sheaf.model.Secret;
import dev.sheaf.model.wire.Identity.Person;
import dev.sheaf.server.audit.AuditChain;
import dev.sheaf.server.audit.AuditLog;
import dev.sheaf.server.audit.Refusals;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.MasterSecret;
import dev.sheaf.server.auth.OidcProvider;
import dev.sheaf.server.auth.Peppers;
import dev.sheaf.server.auth.SigningKeys;
import dev.sheaf.server.auth.Tokens;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.http.Dispatcher;
import dev.sheaf.server.http.Route;
import dev.sheaf.server.http.Surface;
import dev.sheaf.server.http.v1.AdminUsersApi;
import dev.sheaf.server.http.v1.AuditApi;
import dev.sheaf.server.http.v1.KeyPolicyApi;
import dev.sheaf.server.http.v1.KeysApi;
import dev.sheaf.server.http.v1.LeaksApi;
import dev.sheaf.server.http.v1.MeApi;
import dev.sheaf.server.http.v1.MembersApi;
import dev.sheaf.server.http.v1.OidcApi;
import dev.sheaf.server.http.v1.OrganizationsApi;
import dev.sheaf.server.http.v1.QuotasApi;
import dev.sheaf.server.http.v1.SessionsApi;
import dev.sheaf.server.http.v1.SignInPage;
import dev.sheaf.server.http.v1.TotpApi;
import dev.sheaf.server.http.v1.TransfersApi;
import dev.sheaf.server.http.v1.UsersApi;
import dev.sheaf.server.http.v2.V2;
import dev.sheaf.server.identity.DeviceGrants;
import dev.sheaf.server.identity.Identity;
import dev.sheaf.server.identity.OidcSignIn;
import dev.sheaf.server.identity.Passwords;
import dev.sheaf.server.identity.Sessions;
import dev.sheaf.server.org.ApiKeys;
import dev.sheaf.server.org.Bootstrap;
import dev.sheaf.server.org.Installation;
import dev.sheaf.server.org.Invitations;
import dev.sheaf.server.org.KeyChanges;
import dev.sheaf.server.org.KeyExpiry;
import dev.sheaf.server.org.KeyPolicies;
import dev.sheaf.server.org.KeyUses;
import dev.sheaf.server.org.LeakedCredentials;
import dev.sheaf.server.org.Members;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.Organizations;
import dev.sheaf.server.org.Owners;
import dev.sheaf.server.org.Quota;
import dev.sheaf.server.org.Quotas;
import dev.sheaf.server.org.StoredKeys;
import dev.sheaf.server.org.Transfers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/// Who may come in, and what belongs to whom: the half of [Wiring] that content knows nothing of.
final class AccessWiring {
    private final Config config;
    private final Database database;
    private final InstantSource clock;
    private final MasterSecret master;
    private final List<MasterSecret> previousMasters;
    private final Peppers peppers;
    private final SigningKeys signingKeys;
    private final Tokens tokens;
    private final Invitations invitations;
    private final Identity identity;
    private final DeviceGrants devices;
    private final OidcApi oidc;
    private final Transfers transfers;
    private final Authenticator authenticator;
    private final ApiKeys keys;
    private final StoredKeys storedKeys;
    private final KeyUses keyUses;
    private final KeyExpiry keyExpiry;
    private final LeakedCredentials leaks;
    private final int maxLiveKeys;
    private final Organizations organizations;
    private final Namespaces namespaces;
    private final Owners owners;
    private final Quotas quotas;
    private final TokenWiring tokenWiring;
    private final Refusals refusals;
    private final AuditChain chain;

    AccessWiring(Config config, DataDir dataDir, Database database, InstantSource clock, CpuPool cpu) {
        this.config = config;
        this.database = database;
        this.clock = clock;
        this.master = master(config, dataDir);
        this.previousMasters = config.find(Setting.PREVIOUS_MASTER_KEYS)
                .map(MasterSecret::parseAll)
                .orElse(List.of());
        this.peppers = new Peppers(database, master, previousMasters);
        this.maxLiveKeys = (int) config.number(Setting.MAX_LIVE_KEYS);
        this.keys = new ApiKeys(database, peppers, maxLiveKeys);
        this.storedKeys = new StoredKeys(database);
        this.keyUses = new KeyUses(database);
        this.keyExpiry = new KeyExpiry(database);
        this.signingKeys = new SigningKeys(database, master);
        if (peppers.isNewMaster()) {
            signingKeys.replace(); // what was derived under the same ids is other keys now
        }
        this.tokens = new Tokens(signingKeys);
        this.invitations = new Invitations(database, master, config.duration(Setting.INVITATION_LIFETIME));
        this.identity =
                new Identity(database, new Passwords(master, cpu), master, tokens, sessions(config), invitations);
        var trusted = TokenWiring.Trusted.of(config, database);
        var sources = new Authenticator.Sources(
                storedKeys, identity.sessions()::record, trusted.publishers()::record, keyUses::used);
        this.authenticator = new Authenticator(sources, database, peppers, tokens);
        this.leaks = new LeakedCredentials(database, peppers, authenticator, tokens, identity.sessions()::endLeaked);
        this.organizations = new Organizations(database, keys, config.isOn(Setting.SELF_SERVICE));
        this.namespaces = new Namespaces(database, config.isOn(Setting.CLAIM_BY_PUSH));
        this.owners = new Owners(database);
        this.quotas = new Quotas(database, quota(config));
        this.transfers = new Transfers(database, quotas, config.duration(Setting.INVITATION_LIFETIME));
        this.devices = new DeviceGrants(database, master, identity.sessions());
        this.oidc = new OidcApi(oidc(), devices, clock);
        var provider = config.find(Setting.OIDC_ISSUER)
                .map(issuer -> config.find(Setting.OIDC_NAME).orElse("your organization's provider"));
        var people = new TokenWiring.People(identity, devices, provider, clock);
        this.tokenWiring = new TokenWiring(config, database, tokens, authenticator, owners, trusted, people);
        this.refusals = new Refusals(database);
        this.chain = new AuditChain(database, master);
    }

    /// The secret that the settings name, or that of the data directory.
    static MasterSecret master(Config config, DataDir dataDir) {
        return config.find(Setting.MASTER_KEY).map(MasterSecret::parse).orElseGet(dataDir::masterSecret);
    }

    private Optional<OidcSignIn> oidc() {
        return config.find(Setting.OIDC_ISSUER).map(issuer -> {
            var client = new OidcProvider.Client(
                    issuer,
                    config.text(Setting.OIDC_CLIENT_ID),
                    config.find(Setting.OIDC_CLIENT_SECRET).map(Secret::of));
            var rules = new OidcSignIn.Rules(
                    Set.copyOf(Config.list(config.text(Setting.OIDC_DOMAINS).toLowerCase(Locale.ROOT))),
                    config.isOn(Setting.OIDC_AUTO_PROVISION),
                    config.isOn(Setting.OIDC_LINK_BY_EMAIL),
                    config.isOn(Setting.OIDC_SKIPS_TOTP));
            return new OidcSignIn(database, master, identity, new OidcProvider(client), rules);
        });
    }

    /// The page that some sign-ins by the provider end at.
    Surface signInPage() {
        return new Surface("/sign-in", false, SignInPage::error, oidc.pages());
    }

    private static Sessions.Limits sessions(Config config) {
        return new Sessions.Limits(config.duration(Setting.SESSION_IDLE), config.duration(Setting.SESSION_LIFETIME));
    }

    private static Quota quota(Config config) {
        return new Quota(
                config.number(Setting.QUOTA_BYTES),
                config.number(Setting.QUOTA_BUNDLES),
                config.number(Setting.QUOTA_VERSIONS));
    }

    List<Route> routes() {
        return Stream.of(
                        new OrganizationsApi(organizations, namespaces).routes(),
                        new QuotasApi(organizations, new Installation(database), quotas).routes(),
                        new MembersApi(organizations, new Members(database), invitations, identity.joining()).routes(),
                        new TransfersApi(organizations, transfers).routes(),
                        new SessionsApi(identity, clock).routes(),
                        oidc.routes(),
                        new UsersApi(identity).routes(),
                        new TotpApi(identity).routes(),
                        new AdminUsersApi(new Installation(database), identity).routes(),
                        tokenWiring.routes(organizations),
                        new KeysApi(keys, new KeyChanges(database, keys, maxLiveKeys), organizations, clock).routes(),
                        new KeyPolicyApi(new KeyPolicies(database), organizations).routes(),
                        new LeaksApi(leaks).routes(),
                        new MeApi(organizations, namespaces, this::person).routes(),
                        new AuditApi(new AuditLog(database), organizations, new Installation(database)).routes())
                .flatMap(List::stream)
                .toList();
    }

    private Optional<Person> person(UUID id) {
        var user = identity.accounts().get(id);
        return Optional.of(new Person(user.email(), user.fullName()));
    }

    TokenWiring tokens() {
        return tokenWiring;
    }

    /// What the registry's token endpoint needs.
    V2.Identity registry() {
        return new V2.Identity(authenticator, tokens, signingKeys, database::now);
    }

    Dispatcher.Owners owners() {
        return owners::about;
    }

    Bootstrap bootstrap() {
        return new Bootstrap(database, keys);
    }

    MasterSecret master() {
        return master;
    }

    /// To be called before anything is done to an installation that must be there: of one that was made by a
    /// mistyped folder a backup, or a check of the audit log, would succeed.
    ///
    /// @throws StartException where there is none, or as [#checkMaster]
    void checkThere(DataDir dataDir) {
        if (bootstrap().isYetToCome()) {
            throw new StartException(
                    Exit.DATA_DIR_UNUSABLE,
                    "there is no installation yet in " + dataDir.root()
                            + ", or in the database; name its folder with --data-dir, or start the server there first");
        }
        checkMaster(dataDir);
    }

    /// To be called before anything is written that hangs on the master secret: the audit log's chain does, and
    /// people's passwords.
    ///
    /// @throws StartException where this installation was made neither with it nor with one that it has replaced
    void checkMaster(DataDir dataDir) {
        if (!bootstrap().wasMadeWith(master, previousMasters)) {
            throw new StartException(
                    Exit.WRONG_MASTER_KEY,
                    "this installation was made with another master key, so no API key would work; give this node the"
                            + " same master-key as the others (SHEAF_MASTER_KEY, or " + dataDir.masterKey() + ")");
        }
    }

    /// Begins what recurs.
    void begin(Timer timer) {
        timer.every(Duration.ofSeconds(10), keyUses::flush);
        timer.every(Duration.ofSeconds(10), storedKeys::flush);
        timer.every(Duration.ofMinutes(1), keyExpiry::run);
        timer.every(Duration.ofMillis(200), leaks::run);
        timer.every(Duration.ofSeconds(2), refusals::flush);
        timer.every(Duration.ofSeconds(1), chain::seal);
    }

    /// What would be lost at the end, each of which may fail on its own.
    List<Runnable> last() {
        return List.of(leaks::run, keyUses::flush, storedKeys::flush, refusals::flush, chain::seal);
    }

    PepperCare peppers() {
        return new PepperCare(keys, peppers);
    }

    Authenticator authenticator() {
        return authenticator;
    }

    SigningKeys signingKeys() {
        return signingKeys;
    }

    KeyExpiry keyExpiry() {
        return keyExpiry;
    }

    Refusals refusals() {
        return refusals;
    }

    AuditChain chain() {
        return chain;
    }

    Namespaces namespaces() {
        return namespaces;
    }

    Identity identity() {
        return identity;
    }

    Quotas quotas() {
        return quotas;
    }
}
