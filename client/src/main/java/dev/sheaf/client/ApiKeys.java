package dev.sheaf.client;

import dev.sheaf.model.wire.ApiKey;
import dev.sheaf.model.wire.ApiKeyPatch;
import dev.sheaf.model.wire.ApiKeyRequest;
import dev.sheaf.model.wire.KeyPolicyRecord;
import dev.sheaf.model.wire.KeyRotation;
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
    private final String organization;
    private final String path;

    ApiKeys(Transport transport, String organization) {
        this.transport = transport;
        this.organization = "/v1/organizations/" + Pull.encode(organization);
        this.path = this.organization + "/api-keys";
    }

    /// Creates a key. The answer holds its secret, which is never shown again. Not sent twice: where the connection
    /// breaks, a key may exist whose secret nobody knows; list the keys and revoke it.
    public ApiKey create(ApiKeyRequest request) {
        var call = Call.of("POST", at("")).sendingJson(request).expecting(201).once();
        return transport.json(call, ApiKey.class);
    }

    /// All keys, in the registry's order, also those that are revoked or expired.
    public List<ApiKey> list() {
        return list(null, null);
    }

    /// The keys in a state, or that reach a bundle, in the registry's order.
    ///
    /// @param state `active`, `retiring`, `disabled`, `expired` or `revoked`; null means all
    /// @param bundle `namespace/bundle`; null means any. Each key then says its `access` there, and without a state
    ///     only keys that work now are listed
    public List<ApiKey> list(@Nullable String state, @Nullable String bundle) {
        var keys = new ArrayList<ApiKey>();
        String filter = (state == null ? "" : "&state=" + Pull.encode(state))
                + (bundle == null ? "" : "&bundle=" + Pull.encode(bundle));
        @Nullable String cursor = null;
        do {
            String query = "?limit=" + PAGE + filter + (cursor == null ? "" : "&cursor=" + Pull.encode(cursor));
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

    /// @throws SheafException.NotFound also where the key exists and this credential has no say over it
    public ApiKey get(UUID id) {
        return transport.json(Call.get(at("/" + id)), ApiKey.class);
    }

    /// Renames, describes, disables or enables a key, within a second.
    public ApiKey update(UUID id, ApiKeyPatch patch) {
        return transport.json(Call.of("PATCH", at("/" + id)).sendingJson(patch), ApiKey.class);
    }

    /// Replaces a key by one with the same name and rights. The answer holds the secret, which is never shown
    /// again. Not sent twice: where the connection breaks, the key may be rotated already; list the keys.
    public ApiKey rotate(UUID id, KeyRotation how) {
        var call = Call.of("POST", at("/" + id + ":rotate"))
                .sendingJson(how)
                .expecting(201)
                .once();
        return transport.json(call, ApiKey.class);
    }

    /// For how long keys of the organization work.
    public KeyPolicyRecord policy() {
        return transport.json(Call.get(policyUri()), KeyPolicyRecord.class);
    }

    /// Sets the whole policy; what is null is unset. Keys that exist keep their ends.
    public KeyPolicyRecord setPolicy(KeyPolicyRecord policy) {
        return transport.json(Call.of("PUT", policyUri()).sendingJson(policy), KeyPolicyRecord.class);
    }

    private URI policyUri() {
        return transport.registry().at(organization + "/key-policy");
    }

    /// Ends a key within a second. A success also where it was revoked before.
    public void revoke(UUID id) {
        transport.head(Call.of("DELETE", at("/" + id)).expecting(200, 204));
    }

    private URI at(String rest) {
        return transport.registry().at(path + rest);
    }
}
