package dev.sheaf.client.http;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.Json;
import dev.sheaf.model.wire.key.Identity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A path prefix of a registry, with calls to read and change the resources below it. Requests and responses
/// are JSON.
public record Resource(Transport transport, String path) {
    /// Returns the resource of an organization.
    ///
    /// @param named an id or a handle; null for the organization of the transport's credential, which needs one
    /// request
    public static Resource organization(Transport transport, @Nullable String named) {
        return new Resource(
                transport, "/v1/organizations/" + Call.encode(named == null ? ownOrganization(transport) : named));
    }

    private static String ownOrganization(Transport transport) {
        var own = whoAmI(transport).organization();
        if (own == null) {
            throw new SheafException.NotFound(
                    "you are not a member of an organization; specify one", SheafException.Answer.NONE);
        }
        return own.id().toString();
    }

    public static Identity whoAmI(Transport transport) {
        var identity = transport.json(Call.get(transport.at("/v1/publisher/me")), Identity.class);
        Json.present(identity.credentialType(), "credentialType");
        return identity;
    }

    public Call call(String method, String rest) {
        return Call.of(method, transport.at(path + rest));
    }

    public <T> T get(String rest, Class<T> type) {
        return transport.json(Call.get(transport.at(path + rest)), type);
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
        return Pages.read(transport, path + rest, type, most);
    }

    public <T> List<T> list(String rest, Class<T> type) {
        return list(rest, type, Integer.MAX_VALUE);
    }

    /// Returns the resource below this path.
    public Resource below(String rest) {
        return new Resource(transport, path + rest);
    }

    /// Deletes the resource at a path; the response has no body.
    public void delete(String rest) {
        transport.head(call("DELETE", rest).expecting(200, 204));
    }
}
