package dev.sheaf.client;

import dev.sheaf.client.http.Call;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.key.ApiKeyPatch;
import dev.sheaf.model.wire.key.ApiKeyRequest;
import dev.sheaf.model.wire.key.KeyPolicyRecord;
import dev.sheaf.model.wire.key.KeyRotation;
import java.util.List;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The API keys of one organization (contract 5.1); every call needs the scope `admin`. Thread-safe.
public final class ApiKeys {
    private static final String KEYS = "/api-keys";
    private static final String POLICY = "/key-policy";

    private final Resource organization;

    ApiKeys(Resource organization) {
        this.organization = organization;
    }

    /// Creates a key. The answer holds its secret, which is never shown again. Not sent twice: where the connection
    /// breaks, a key may exist whose secret nobody knows; list the keys and revoke it.
    public ApiKey create(ApiKeyRequest request) {
        return organization.create(KEYS, request, ApiKey.class);
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
        var filter = new StringJoiner("&", "?", "").setEmptyValue("");
        if (state != null) {
            filter.add("state=" + Call.encode(state));
        }
        if (bundle != null) {
            filter.add("bundle=" + Call.encode(bundle));
        }
        return organization.list(KEYS + filter, ApiKey.class);
    }

    /// @throws SheafException.NotFound also where the key exists and this credential has no say over it
    public ApiKey get(UUID id) {
        return organization.get(KEYS + "/" + id, ApiKey.class);
    }

    /// Renames, describes, disables or enables a key, within a second.
    public ApiKey update(UUID id, ApiKeyPatch patch) {
        return organization.patch(KEYS + "/" + id, patch, ApiKey.class);
    }

    /// Replaces a key by one with the same name and rights. The answer holds the secret, which is never shown
    /// again. Not sent twice: where the connection breaks, the key may be rotated already; list the keys.
    public ApiKey rotate(UUID id, KeyRotation how) {
        return organization.create(KEYS + "/" + id + ":rotate", how, ApiKey.class);
    }

    /// For how long keys of the organization work.
    public KeyPolicyRecord policy() {
        return organization.get(POLICY, KeyPolicyRecord.class);
    }

    /// Sets the whole policy; what is null is unset. Keys that exist keep their ends.
    public KeyPolicyRecord setPolicy(KeyPolicyRecord policy) {
        return organization
                .transport()
                .json(organization.call("PUT", POLICY).sendingJson(policy), KeyPolicyRecord.class);
    }

    /// Ends a key within a second. A success also where it was revoked before.
    public void revoke(UUID id) {
        organization
                .transport()
                .head(organization.call("DELETE", KEYS + "/" + id).expecting(200, 204));
    }
}
