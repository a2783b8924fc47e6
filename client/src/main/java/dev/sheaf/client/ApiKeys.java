package dev.sheaf.client;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.key.ApiKeyPatch;
import dev.sheaf.model.wire.key.ApiKeyRequest;
import dev.sheaf.model.wire.key.KeyPolicyRecord;
import dev.sheaf.model.wire.key.KeyRotation;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The API keys of one organization (contract 5.1). Every call needs the scope `admin`. Thread-safe.
public final class ApiKeys {
    private static final String KEYS = "/api-keys";
    private static final String POLICY = "/key-policy";
    private static final Pattern ID = Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final Pattern END = Pattern.compile("[0-9a-f]{12}");
    private static final Set<String> LIVING = Set.of("active", "retiring", "disabled");

    private final ApiResource organization;

    ApiKeys(ApiResource organization) {
        this.organization = organization;
    }

    /// Creates a key. The result contains its secret, which is never shown again. The request is not retried: if
    /// the connection breaks, a key with an unknown secret may exist; list the keys and revoke it.
    public ApiKey create(ApiKeyRequest request) {
        return organization.create(KEYS, request, ApiKey.class);
    }

    /// Returns all keys, in the registry's order, including revoked and expired ones.
    public List<ApiKey> list() {
        return list(null, null);
    }

    /// Returns the keys in a state, or with access to a bundle, in the registry's order.
    ///
    /// @param state `active`, `retiring`, `disabled`, `expired` or `revoked`; null means any
    /// @param bundle `namespace/bundle`; null means any. With a bundle, each key has its `access` to it; if
    /// `state` is null, only keys that work now are listed
    public List<ApiKey> list(@Nullable String state, @Nullable String bundle) {
        var filter = new StringJoiner("&", "?", "").setEmptyValue("");
        if (state != null) {
            filter.add("state=" + HttpCall.encode(state));
        }
        if (bundle != null) {
            filter.add("bundle=" + HttpCall.encode(bundle));
        }
        return organization.list(KEYS + filter, ApiKey.class);
    }

    /// Finds a key by its id, by the end of its id as tables show it (`…0123456789ab`), or by its name.
    ///
    /// @throws SheafException.NotFound if no key matches
    /// @throws SheafException.Conflict if several keys match; of keys with the same name, working keys take
    /// precedence
    public UUID find(String who) {
        if (ID.matcher(who).matches()) {
            return UUID.fromString(who);
        }
        String end = who.startsWith("…") ? who.substring(1) : who;
        var found = list().stream()
                .filter(key -> key.name().equals(who)
                        || (END.matcher(end).matches() && key.id().toString().endsWith(end)))
                .toList();
        var living = found.stream().filter(key -> LIVING.contains(key.state())).toList();
        var meant = living.isEmpty() ? found : living;
        if (meant.isEmpty()) {
            throw new SheafException.NotFound("no key has the name or id " + who, SheafException.Answer.NONE);
        }
        if (meant.size() > 1) {
            throw new SheafException.Conflict(
                    meant.size() + " keys match " + who + "; use the id of one of them: "
                            + meant.stream().map(key -> key.id().toString()).collect(Collectors.joining(", ")),
                    SheafException.Answer.NONE);
        }
        return meant.getFirst().id();
    }

    /// @throws SheafException.NotFound also if the key exists but this credential cannot manage it
    public ApiKey get(UUID id) {
        return organization.get(KEYS + "/" + id, ApiKey.class);
    }

    /// Changes the name or description of a key, or disables or enables it. Takes effect within two seconds.
    public ApiKey update(UUID id, ApiKeyPatch patch) {
        return organization.patch(KEYS + "/" + id, patch, ApiKey.class);
    }

    /// Replaces a key with a new one of the same name and rights. The result contains the secret, which is never
    /// shown again. The request is not retried: if the connection breaks, the key may be rotated already; list the
    /// keys.
    public ApiKey rotate(UUID id, KeyRotation how) {
        return organization.create(KEYS + "/" + id + ":rotate", how, ApiKey.class);
    }

    /// Returns how long the organization's keys are valid.
    public KeyPolicyRecord policy() {
        return organization.get(POLICY, KeyPolicyRecord.class);
    }

    /// Replaces the whole policy; null members remove a limit. Existing keys keep their expiry.
    public KeyPolicyRecord setPolicy(KeyPolicyRecord policy) {
        return organization
                .transport()
                .json(organization.call("PUT", POLICY).sendingJson(policy), KeyPolicyRecord.class);
    }

    /// Revokes a key within two seconds. Also succeeds if it was revoked before.
    public void revoke(UUID id) {
        organization
                .transport()
                .head(organization.call("DELETE", KEYS + "/" + id).expecting(200, 204));
    }
}
