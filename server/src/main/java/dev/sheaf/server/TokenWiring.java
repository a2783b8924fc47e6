package dev.sheaf.server;

import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.IdTokens;
import dev.sheaf.server.auth.Tokens;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.http.Route;
import dev.sheaf.server.http.Surface;
import dev.sheaf.server.http.v1.DeviceApi;
import dev.sheaf.server.http.v1.DevicePage;
import dev.sheaf.server.http.v1.OAuthApi;
import dev.sheaf.server.http.v1.OAuthErrors;
import dev.sheaf.server.http.v1.OAuthMetadataApi;
import dev.sheaf.server.http.v1.TrustedPublishersApi;
import dev.sheaf.server.identity.DeviceGrants;
import dev.sheaf.server.identity.Identity;
import dev.sheaf.server.identity.PublisherExchange;
import dev.sheaf.server.identity.TokenCare;
import dev.sheaf.server.identity.TokenExchange;
import dev.sheaf.server.identity.TrustedPublishers;
import dev.sheaf.server.org.Organizations;
import dev.sheaf.server.org.Owners;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What gives access tokens out and takes them back: the part of [AccessWiring] that OAuth is about.
final class TokenWiring {
    private static final List<String> GRANT_TYPES = List.of(
            "urn:ietf:params:oauth:grant-type:token-exchange",
            "urn:ietf:params:oauth:grant-type:device_code",
            "refresh_token");

    /// Who may give leave to devices.
    ///
    /// @param provider what the one to sign in with is called; empty: there is none
    record People(Identity identity, DeviceGrants devices, Optional<String> provider, InstantSource clock) {}

    private final People people;
    private final Owners owners;
    private final TrustedPublishers publishers;
    private final TokenExchange exchange;
    private final PublisherExchange publisherExchange;
    private final TokenCare care;

    TokenWiring(
            Config config,
            Database database,
            Tokens tokens,
            Authenticator authenticator,
            Owners owners,
            Trusted trusted,
            People people) {
        this.people = people;
        this.owners = owners;
        this.publishers = trusted.publishers();
        this.exchange = new TokenExchange(database, authenticator, tokens);
        this.publisherExchange = new PublisherExchange(
                database,
                trusted.idTokens(),
                tokens,
                config.find(Setting.PUBLIC_URL),
                Config.list(config.text(Setting.TRUSTED_AUDIENCES)));
        this.care =
                new TokenCare(database, authenticator, tokens, people.identity().sessions());
    }

    /// Whom the settings and organizations let publish.
    record Trusted(IdTokens idTokens, TrustedPublishers publishers) {
        static Trusted of(Config config, Database database) {
            var idTokens = new IdTokens(Config.list(config.text(Setting.TRUSTED_ISSUERS)));
            return new Trusted(idTokens, new TrustedPublishers(database, idTokens));
        }
    }

    /// Its half with errors as OAuth has them.
    Surface surface() {
        var api = new OAuthApi(
                exchange,
                publisherExchange,
                care,
                people.devices(),
                people.identity(),
                people.clock(),
                text -> owners.about(Map.of("org_id", text)));
        return new Surface("/v1/oauth", false, OAuthErrors::render, api.routes());
    }

    /// The page on which people decide about devices, with errors that people can read.
    Surface page() {
        return new Surface(
                "/device",
                false,
                DevicePage::error,
                new DeviceApi(people.identity(), people.devices(), people.provider()).routes());
    }

    List<Route> routes(Organizations organizations) {
        return Stream.of(
                        new OAuthMetadataApi(GRANT_TYPES).routes(),
                        new TrustedPublishersApi(organizations, publishers).routes())
                .flatMap(List::stream)
                .toList();
    }

    /// Removes what is of no use any more.
    void purge() {
        care.purge();
        publisherExchange.purge();
        people.devices().purge();
    }
}
