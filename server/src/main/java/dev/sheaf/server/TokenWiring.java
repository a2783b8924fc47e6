package dev.sheaf.server;

import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Tokens;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.http.Route;
import dev.sheaf.server.http.Surface;
import dev.sheaf.server.http.v1.OAuthApi;
import dev.sheaf.server.http.v1.OAuthErrors;
import dev.sheaf.server.http.v1.OAuthMetadataApi;
import dev.sheaf.server.identity.TokenCare;
import dev.sheaf.server.identity.TokenExchange;
import dev.sheaf.server.org.Organizations;
import java.util.List;

/// What gives access tokens out and takes them back: the part of [AccessWiring] that OAuth is about.
final class TokenWiring {
    private static final List<String> GRANT_TYPES = List.of("urn:ietf:params:oauth:grant-type:token-exchange");

    private final TokenExchange exchange;
    private final TokenCare care;

    TokenWiring(Config config, Database database, Tokens tokens, Authenticator authenticator) {
        this.exchange = new TokenExchange(database, authenticator, tokens);
        this.care = new TokenCare(database, authenticator, tokens);
    }

    /// Its half with errors as OAuth has them.
    Surface surface() {
        return new Surface("/v1/oauth", false, OAuthErrors::render, new OAuthApi(exchange, care).routes());
    }

    List<Route> routes(Organizations organizations) {
        return new OAuthMetadataApi(GRANT_TYPES).routes();
    }

    /// Removes what is of no use any more.
    void purge() {
        care.purge();
    }
}
