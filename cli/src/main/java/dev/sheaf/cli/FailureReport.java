package dev.sheaf.cli;

import dev.sheaf.cli.command.CommandParameters;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.NameSuggestions;
import dev.sheaf.cli.command.TypedCommand;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reports a failure to people: what happened, what to do next, and the request's id.
final class FailureReport {
    static final int GONE = 410;

    private FailureReport() {}

    /// Prints what failed. Returns the exit status.
    ///
    /// @param json whether results are JSON
    /// @param near finds names that the user may have meant
    static int report(Shell shell, Exception failure, TypedCommand typed, boolean json, NameSuggestions near) {
        if (!shell.environment().getOrDefault("SHEAF_DEBUG", "").isEmpty()) {
            failure.printStackTrace(shell.err());
        }
        return switch (failure) {
            case SheafException e -> text(e, typed, near).print(shell, json, exit(e, typed));
            case ProblemException e ->
                FailureText.of("usage", String.valueOf(e.getMessage()), null).print(shell, json, ExitCode.USAGE);
            default ->
                FailureText.of("internal", "an unexpected failure (" + failure + "); SHEAF_DEBUG=1 shows where", null)
                        .print(shell, json, ExitCode.GENERAL);
        };
    }

    /// The number of a deleted version blocks a push just as an existing version does.
    private static ExitCode exit(SheafException failure, TypedCommand typed) {
        return failure.status() == GONE && typed.publishes() ? ExitCode.CONFLICT : ExitCode.of(failure);
    }

    private static FailureText text(SheafException failure, TypedCommand typed, NameSuggestions near) {
        var errors = errors(failure);
        boolean refused = failure.status() != 0;
        return new FailureText(
                ExitCode.word(failure),
                refused ? failure.status() : null,
                sentence(failure, errors, typed),
                errors,
                refused && errors.size() < 2 ? List.of() : lines(failure, errors, typed),
                next(failure, typed, near),
                failure.requestId().orElse(null));
    }

    private static List<String> lines(SheafException failure, List<Problem.FieldError> errors, TypedCommand typed) {
        return errors.stream()
                .map(error -> failure.status() == 0
                        ? MemberErrors.line(error, CommandParameters.NONE)
                        : MemberErrors.line(error, typed.parameters()))
                .toList();
    }

    private static List<Problem.FieldError> errors(SheafException failure) {
        return switch (failure) {
            case SheafException.InvalidRequest invalid -> invalid.errors();
            case SheafException.UnsafePaths unsafe ->
                unsafe.paths().stream()
                        .map(path -> new Problem.FieldError(path.path(), path.code(), path.rule()))
                        .toList();
            default -> List.of();
        };
    }

    private static String sentence(SheafException failure, List<Problem.FieldError> errors, TypedCommand typed) {
        String said = String.valueOf(failure.getMessage());
        if (isKeyless(failure, typed)) {
            String login = typed.login() + ", or SHEAF_API_KEY=…";
            return typed.reads()
                    ? "no bundle " + typed.bundle().orElseThrow() + " can be seen without a key; for a private one: "
                            + login
                    : "no key was sent: " + login;
        }
        return switch (failure) {
            case SheafException.UnsafePaths unsafe -> unsafe.summary();
            case SheafException.Forbidden refusal
            when typed.sender() == TypedCommand.Sender.SESSION ->
                refusal.needed()
                        .map(scope -> "this session does not allow that: it needs the scope " + scope)
                        .orElse(said);
            // each part has a line of its own
            case SheafException.NeedsConsent needed -> needed.summary();
            // The registry's message contains the first error and the number of further errors.
            default ->
                failure.status() != 0 && errors.size() > 1
                        ? "the registry found " + errors.size() + " errors in the request"
                        : MemberErrors.sentence(said, errors, typed.parameters());
        };
    }

    private static @Nullable String next(SheafException failure, TypedCommand typed, NameSuggestions near) {
        if (isKeyless(failure, typed)) {
            var meant = typed.reads() ? typed.bundle().flatMap(near::bundle) : Optional.<String>empty();
            return meant.isPresent()
                    ? "did you mean " + meant.get() + "?"
                    : "the registry says: " + failure.getMessage();
        }
        var meant = suggestion(failure, typed, near);
        if (meant.isPresent() && meant.equals(typed.queue())) {
            return null; // the queue exists: something in it is missing
        }
        return meant.map(name -> "did you mean " + name + "?")
                .orElseGet(() -> new NextStepAdvice(failure, typed).text());
    }

    private static Optional<String> suggestion(SheafException failure, TypedCommand typed, NameSuggestions near) {
        return switch (failure.code().orElse("")) {
            case "bundle-not-found" ->
                typed.command().startsWith("sheaf push")
                        ? Optional.empty()
                        : typed.bundle().flatMap(near::bundle);
            case "not-found", "" ->
                failure instanceof SheafException.NotFound ? typed.queue().flatMap(near::queue) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /// Returns whether the registry requires a key and the request had none.
    private static boolean isKeyless(SheafException failure, TypedCommand typed) {
        return failure instanceof SheafException.Unauthenticated
                && !failure.code().equals(Optional.of("untrusted-workflow"))
                && typed.sender() == TypedCommand.Sender.NOBODY
                && typed.host().isEmpty()
                && !typed.command().startsWith(TypedCommand.LOGIN);
    }
}
