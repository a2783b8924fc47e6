package dev.sheaf.server.identity.api.oauth;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// The addresses of the OAuth endpoints and their supported parameters (RFC 8414).
public final class OAuthMetadataApi {
    private final List<String> grantTypes;

    public OAuthMetadataApi(List<String> grantTypes) {
        this.grantTypes = List.copyOf(grantTypes);
    }

    public List<Route> routes() {
        return List.of(new Route(GET, "/.well-known/oauth-authorization-server", RoutePermission.NONE, this::get));
    }

    private record Metadata(
            String issuer,
            @JsonProperty("token_endpoint") String token,
            @JsonProperty("revocation_endpoint") String revocation,
            @JsonProperty("introspection_endpoint") String introspection,
            @JsonProperty("device_authorization_endpoint") String device,
            @JsonProperty("jwks_uri") String keys,
            @JsonProperty("scopes_supported") List<String> scopes,
            @JsonProperty("grant_types_supported") List<String> grantTypes,
            @JsonProperty("response_types_supported") List<String> responseTypes,

            @JsonProperty("token_endpoint_auth_methods_supported")
            List<String> tokenAuthentication,

            @JsonProperty("revocation_endpoint_auth_methods_supported")
            List<String> revocationAuthentication,

            @JsonProperty("service_documentation") String documentation) {}

    private Answer get(Call call) {
        String base = call.baseUrl();
        return Answer.ok(new Metadata(
                        base,
                        base + "/v1/oauth/token",
                        base + "/v1/oauth/revoke",
                        base + "/v1/oauth/introspect",
                        base + "/v1/oauth/device_authorization",
                        base + "/.well-known/jwks.json",
                        List.of("read", "write", "admin"),
                        grantTypes,
                        List.of(),
                        List.of("none"),
                        List.of("none"),
                        base + "/v1/openapi.yaml"))
                .with("Cache-Control", "public, max-age=300");
    }
}
