package dev.sheaf.model.wire.key;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The restrictions of a key (contract 5.1). A null member means no restriction of that kind.
///
/// @param bundles names `namespace/bundle`, with an optional `*` at the end
/// @param cidrs the networks from which the key may be used
/// @param queues slugs of queues, with an optional `*` at the end
/// @param uses `work` and `enqueue`; a key with uses can do only these and what the scope read permits
public record KeyRestrictions(
        @Nullable List<String> namespaces,
        @Nullable List<String> bundles,
        @Nullable List<String> cidrs,
        @Nullable List<String> queues,
        @Nullable List<String> uses) {
    /// Creates restrictions without queues and uses.
    public KeyRestrictions(
            @Nullable List<String> namespaces, @Nullable List<String> bundles, @Nullable List<String> cidrs) {
        this(namespaces, bundles, cidrs, null, null);
    }
}
