package dev.sheaf.cli;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Problem.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The report of a failure: as text, or with `--json` as one line of JSON, the last line on standard error.
///
/// @param code the problem's code; null if the registry sent none
/// @param status the HTTP status; null if the registry did not answer
/// @param detail the message
/// @param next the suggested next step
/// @param errors the errors as the registry sent them
/// @param lines the errors that `detail` does not contain, as text
record FailureText(
        @Nullable String code,
        @Nullable Integer status,
        String detail,
        List<FieldError> errors,
        List<String> lines,
        @Nullable String next,
        @Nullable String requestId) {
    FailureText {
        errors = List.copyOf(errors);
        lines = List.copyOf(lines);
    }

    /// Describes a failure on this machine.
    static FailureText of(String code, String detail, @Nullable String next) {
        return new FailureText(code, null, detail, List.of(), List.of(), next, null);
    }

    /// The JSON; null members are left out.
    private record Document(
            int exitStatus,
            @Nullable String code,
            @Nullable Integer status,
            String detail,
            @Nullable List<FieldError> errors,
            @Nullable String next,
            @Nullable String requestId) {}

    int print(Shell shell, boolean json, ExitCode exit) {
        if (json) {
            shell.say(WireJson.line(new Document(
                    exit.status(), code, status, detail, errors.isEmpty() ? null : errors, next, requestId)));
        } else {
            words(shell);
        }
        return exit.status();
    }

    private void words(Shell shell) {
        String sentence = TextFormat.showable("sheaf: " + detail);
        boolean fits = !shell.terminal() || TextFormat.width(sentence) <= shell.columns();
        shell.fail(fits ? sentence : TextFormat.withShortDigests(sentence));
        lines.forEach(line -> shell.say("  - " + TextFormat.showable(line)));
        if (next != null) {
            shell.say("  " + TextFormat.showable(next));
        }
        if (requestId != null) {
            shell.say("  request id: " + TextFormat.showable(requestId));
        }
    }
}
