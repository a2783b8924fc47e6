package dev.sheaf.client.http;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.wire.key.Identity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A path prefix of a registry, with calls to read and change the resources below it. Requests and responses
/// are JSON.
public record ApiResource(RegistryTransport transport, String path) {
    /// Returns the resource of an organization.
    ///
    /// @param named an id or a handle; null for the organization of the transport's credential, which needs one
    /// request
    public static ApiResource organization(RegistryTransport transport, @Nullable String named) {
        return new ApiResource(
                transport, "/v1/organizations/" + HttpCall.encode(named == null ? ownOrganization(transport) : named));
    }

    private static String ownOrganization(RegistryTransport transport) {
        var own = whoAmI(transport).organization();
        if (own == null) {
            throw new SheafException.NotFound(
                    "you are not a member of an organization; specify one", SheafException.Answer.NONE);
        }
        return own.id().toString();
    }

    public static Identity whoAmI(RegistryTransport transport) {
        var identity = transport.json(HttpCall.get(transport.at("/v1/publisher/me")), Identity.class);
        WireJson.present(identity.credentialType(), "credentialType");
        return identity;
    }

    public HttpCall call(String method, String rest) {
        return HttpCall.of(method, transport.at(path + rest));
    }

    public <T> T get(String rest, Class<T> type) {
        return transport.json(HttpCall.get(transport.at(path + rest)), type);
    }

    public <T> T post(String rest, Class<T> type) {
        return transport.json(call("POST", rest), type);
    }

    public <T> T post(String rest, Object body, Class<T> type) {
        return transport.json(call("POST", rest).sendingJson(body), type);
    }

    public <T> T patch(String rest, Object body, Class<T> type) {
        return transport.json(call("PATCH", rest).sendingJson(body), type);
    }

    /// Creates a resource. Not retried: it may have been created before the connection broke.
    public <T> T create(String rest, Object body, Class<T> type) {
        return transport.json(
                call("POST", rest).sendingJson(body).expecting(201).once(), type);
    }

    /// Returns the first `most` entries of a list, in the registry's order.
    public <T> List<T> list(String rest, Class<T> type, int most) {
        return PagedList.read(transport, path + rest, type, most);
    }

    public <T> List<T> list(String rest, Class<T> type) {
        return list(rest, type, Integer.MAX_VALUE);
    }

    /// Returns the resource below this path.
    public ApiResource below(String rest) {
        return new ApiResource(transport, path + rest);
    }

    /// Deletes the resource at a path; the response has no body.
    public void delete(String rest) {
        transport.head(call("DELETE", rest).expecting(200, 204));
    }
}
