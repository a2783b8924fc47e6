package dev.sheaf.model.wire.key;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a key is confined to (contract 5.1); null means no restriction of that kind.
///
/// @param bundles `namespace/bundle`, one trailing `*` allowed
/// @param cidrs addresses the key may be used from
public record KeyRestrictions(
        @Nullable List<String> namespaces,
        @Nullable List<String> bundles,
        @Nullable List<String> cidrs) {}
