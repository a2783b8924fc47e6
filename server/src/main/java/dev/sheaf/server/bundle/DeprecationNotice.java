package dev.sheaf.server.bundle;

import dev.sheaf.engine.input.RequestFields;
import org.jspecify.annotations.Nullable;

/// Advice against using a version or a bundle, which still works.
///
/// @param message the publisher's reason; may be empty
/// @param replacement the publisher's advice on what to use instead
public record DeprecationNotice(String message, @Nullable String replacement) {
    private static final int MAX_MESSAGE = 1_000;
    static final int MAX_REPLACEMENT = 400;

    public static DeprecationNotice parse(RequestFields fields) {
        String message = fields.optional("message", MAX_MESSAGE);
        return new DeprecationNotice(
                message == null ? "" : message.strip(), fields.optional("replacement", MAX_REPLACEMENT));
    }

    static @Nullable DeprecationNotice of(@Nullable String message, @Nullable String replacement) {
        return message == null ? null : new DeprecationNotice(message, replacement);
    }
}
