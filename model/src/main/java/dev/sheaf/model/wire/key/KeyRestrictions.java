package dev.sheaf.model.wire.key;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a key is confined to (contract 5.1); null means no restriction of that kind.
///
/// @param bundles `namespace/bundle`, one trailing `*` allowed
/// @param cidrs addresses the key may be used from
/// @param queues slugs of queues, one trailing `*` allowed
/// @param uses `work` and `enqueue`; a key with one does nothing else that takes more than scope read
public record KeyRestrictions(
        @Nullable List<String> namespaces,
        @Nullable List<String> bundles,
        @Nullable List<String> cidrs,
        @Nullable List<String> queues,
        @Nullable List<String> uses) {
    /// Confined to no queues and uses.
    public KeyRestrictions(
            @Nullable List<String> namespaces, @Nullable List<String> bundles, @Nullable List<String> cidrs) {
        this(namespaces, bundles, cidrs, null, null);
    }
}
