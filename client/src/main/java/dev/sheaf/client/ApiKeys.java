package dev.sheaf.client;

import dev.sheaf.model.wire.ApiKey;
import dev.sheaf.model.wire.ApiKeyRequest;
import dev.sheaf.model.wire.Page;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The API keys of one organization (contract 5.1); every call needs the scope `admin`. Thread-safe.
public final class ApiKeys {
    private static final int PAGE = 100;

    private final Transport transport;
    private final String path;

    ApiKeys(Transport transport, String organization) {
        this.transport = transport;
        this.path = "/v1/organizations/" + Pull.encode(organization) + "/api-keys";
    }

    /// Creates a key. The answer holds its secret, which is never shown again. Not sent twice: where the connection
    /// breaks, a key may exist whose secret nobody knows; list the keys and revoke it.
    public ApiKey create(ApiKeyRequest request) {
        var call = Call.of("POST", at("")).sendingJson(request).expecting(201).once();
        return transport.json(call, ApiKey.class);
    }

    /// All keys, in the registry's order, also those that are revoked or expired.
    public List<ApiKey> list() {
        var keys = new ArrayList<ApiKey>();
        @Nullable String cursor = null;
        do {
            String query = "?limit=" + PAGE + (cursor == null ? "" : "&cursor=" + Pull.encode(cursor));
            Page<ApiKey> page = transport.page(Call.get(at(query)), ApiKey.class);
            keys.addAll(page.data());
            String next = page.meta().nextCursor();
            if (next != null && next.equals(cursor)) {
                throw new SheafException.Server("the registry's list of keys does not end");
            }
            cursor = next;
        } while (cursor != null);
        return keys;
    }

    /// Ends a key within a second. A success also where it was revoked before.
    public void revoke(UUID id) {
        transport.head(Call.of("DELETE", at("/" + id)).expecting(200, 204));
    }

    private URI at(String rest) {
        return transport.registry().at(path + rest);
    }
}
