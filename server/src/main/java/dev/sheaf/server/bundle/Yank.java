package dev.sheaf.server.bundle;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.YankReason;
import org.jspecify.annotations.Nullable;

/// The reason for a yank.
///
/// @param replacement the publisher's advice on what to use instead
public record Yank(
        @Nullable String reason,
        @Nullable YankReason code,
        @Nullable String replacement) {
    private static final int MAX_REASON = 1_000;

    public static Yank parse(RequestFields fields) {
        return new Yank(
                fields.optional("reason", MAX_REASON),
                fields.optional("reasonCode", YankReason::parse),
                fields.optional("replacement", DeprecationNotice.MAX_REPLACEMENT));
    }
}
