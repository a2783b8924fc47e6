package dev.sheaf.server.module;

import dev.sheaf.model.wire.key.Identity.Person;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.KnownCredentials;
import dev.sheaf.server.auth.oidc.IdTokens;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.identity.api.MeApi;
import dev.sheaf.server.identity.api.oauth.IssuedTokensApi;
import dev.sheaf.server.identity.api.oauth.OAuthApi;
import dev.sheaf.server.identity.api.oauth.OAuthErrors;
import dev.sheaf.server.identity.api.oauth.OAuthMetadataApi;
import dev.sheaf.server.identity.publisher.PublisherExchange;
import dev.sheaf.server.identity.publisher.TrustedPublishers;
import dev.sheaf.server.identity.token.TokenExchange;
import dev.sheaf.server.identity.token.TokenRevocation;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import dev.sheaf.server.org.api.LeaksApi;
import dev.sheaf.server.org.api.TrustedPublishersApi;
import dev.sheaf.server.org.key.LeakedCredentials;
import dev.sheaf.server.queue.job.JobRows;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/// Authentication of callers by their credentials, and the exchange of credentials for access tokens.
public final class CredentialsModule implements FeatureModule {
    private static final List<String> GRANT_TYPES = List.of(
            "urn:ietf:params:oauth:grant-type:token-exchange",
            "urn:ietf:params:oauth:grant-type:device_code",
            "refresh_token");

    private final NodeBase node;
    private final OrgModule org;
    private final IdentityModule identity;
    private final TrustedPublishers publishers;
    private final Authenticator authenticator;
    private final LeakedCredentials leaks;
    private final TokenExchange exchange;
    private final PublisherExchange publisherExchange;
    private final TokenRevocation revocation;

    CredentialsModule(NodeBase node, SecretsModule secrets, OrgModule org, IdentityModule identity) {
        this.node = node;
        this.org = org;
        this.identity = identity;
        var config = node.config();
        var database = node.database();
        var sessions = identity.identity().sessions();
        var sessionEnds = identity.identity().sessionEnds();
        var idTokens = new IdTokens(Config.list(config.text(Setting.TRUSTED_ISSUERS)));
        var audiences = PublisherExchange.audiences(
                config.find(Setting.PUBLIC_URL).orElse(null), Config.list(config.text(Setting.TRUSTED_AUDIENCES)));
        this.publishers = new TrustedPublishers(database, idTokens, audiences);
        var sources = new KnownCredentials.Sources(
                org.keyLookup(), sessions::record, publishers::record, org.keyUses()::used);
        var known = new KnownCredentials(sources, database, secrets.peppers());
        this.authenticator = new Authenticator(
                known, database, secrets.tokens(), claim -> database.read(tx -> JobRows.isHeld(tx, claim)));
        node.metrics()
                .counts(
                        "sheaf_credential_checks_total",
                        "Credentials that were checked.",
                        authenticator.checks(),
                        "kind",
                        "result");
        this.leaks =
                new LeakedCredentials(database, secrets.peppers(), known, secrets.tokens(), sessionEnds::endLeaked);
        this.exchange = new TokenExchange(database, authenticator, secrets.tokens());
        this.publisherExchange = new PublisherExchange(database, idTokens, secrets.tokens(), audiences);
        this.revocation = new TokenRevocation(database, authenticator, secrets.tokens(), sessionEnds);
    }

    TrustedPublishers publishers() {
        return publishers;
    }

    @Override
    public List<Route> routes() {
        return Stream.of(
                        new MeApi(org.organizations(), org.namespaces(), this::person).routes(),
                        new LeaksApi(leaks).routes(),
                        new OAuthMetadataApi(GRANT_TYPES).routes(),
                        new TrustedPublishersApi(publishers).routes())
                .flatMap(List::stream)
                .toList();
    }

    private Optional<Person> person(UUID id) {
        var user = identity.identity().accounts().get(id);
        return Optional.of(new Person(user.email(), user.fullName()));
    }

    /// Returns a separate surface for OAuth, which has its own format of errors.
    @Override
    public List<RouteSurface> surfaces() {
        var api = new OAuthApi(
                exchange,
                publisherExchange,
                identity.devices(),
                identity.identity(),
                node.clock(),
                org.pathOrganization()::find);
        var routes = Stream.concat(api.routes().stream(), new IssuedTokensApi(revocation).routes().stream())
                .toList();
        return List.of(new RouteSurface("/v1/oauth", false, OAuthErrors::render, routes));
    }

    @Override
    public void begin(NodeTimer timer) {
        timer.every("revoking reported keys", Duration.ofMillis(200), leaks::run);
        timer.every("deleting expired revocations of tokens", Duration.ofHours(1), revocation::purge);
        timer.every("deleting used tokens of trusted publishers", Duration.ofHours(1), publisherExchange::purge);
    }

    @Override
    public List<Last> last() {
        return List.of(new Last(
                "if leaked keys were reported in the last seconds, they are not revoked; revoke them yourself",
                leaks::run));
    }

    Authenticator authenticator() {
        return authenticator;
    }
}
