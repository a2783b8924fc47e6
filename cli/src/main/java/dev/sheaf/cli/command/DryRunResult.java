package dev.sheaf.cli.command;

import java.util.Collection;

/// Describes the result of a dry run of `sheaf push` or `sheaf publish`.
public final class DryRunResult {
    public static final String NOTHING_DONE = "this was a dry run; nothing was published";

    private DryRunResult() {}

    /// @param outcome `created`, `held`, `identical` or `refused`
    public static String sentence(String outcome) {
        return switch (outcome) {
            case "created" -> "would be published";
            case "held" -> "would wait for approval";
            case "identical" -> "is published already with the same content; only tags would move";
            default -> "would be refused";
        };
    }

    /// Returns the exit status that the real command would have.
    ///
    /// @param codes the problems' codes in their order; empty means success
    public static ExitCode status(Collection<String> codes) {
        return codes.stream().findFirst().map(DryRunResult::status).orElse(ExitCode.OK);
    }

    private static ExitCode status(String code) {
        return switch (code) {
            case "forbidden" -> ExitCode.FORBIDDEN;
            case "bundle-not-found" -> ExitCode.NOT_FOUND;
            case "version-exists", "version-deleted", "tag-moved", "tag-protected", "conflict" -> ExitCode.CONFLICT;
            default -> ExitCode.USAGE;
        };
    }
}
