package dev.sheaf.server.bundle;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RecallSeverity;
import dev.sheaf.model.RepositoryName;
import org.jspecify.annotations.Nullable;

/// Why nobody may get the content of a version any more.
///
/// @param advisory an https or http address with more
/// @param replacement the publisher's advice on what to use instead
public record Recall(
        RecallSeverity severity,
        String reason,
        @Nullable String advisory,
        @Nullable String replacement) {
    private static final int MAX_REASON = 1_000;

    public static Recall parse(RequestFields fields) {
        return new Recall(
                fields.parsed("severity", RecallSeverity::parse, RecallSeverity.HIGH),
                fields.required("reason", MAX_REASON).strip(),
                ProfileFields.url(fields, "advisory"),
                fields.optional("replacement", DeprecationNotice.MAX_REPLACEMENT));
    }

    /// Returns the answer to a request for the content of a recalled version.
    ///
    /// @param asked the version or digest as it was requested
    public Problem problem(RepositoryName name, String asked) {
        return new Problem.VersionRecalled(name, asked, severity, reason, advisory, replacement);
    }
}
