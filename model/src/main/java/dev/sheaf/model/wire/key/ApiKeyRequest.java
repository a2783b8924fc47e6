package dev.sheaf.model.wire.key;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The request to create a key (specification, endpoint 1; contract 5.1). Unknown members are refused.
///
/// @param scopes null means read
/// @param expiresAt an RFC 3339 time; cannot be combined with `expiresIn`
/// @param expiresIn an ISO 8601 duration such as `P90D`
public record ApiKeyRequest(
        String name,
        @Nullable List<String> scopes,
        @Nullable String description,
        @Nullable String expiresAt,
        @Nullable String expiresIn,
        @Nullable KeyRestrictions restrictions) {}
