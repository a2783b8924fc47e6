package dev.sheaf.cli;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.io.Json;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.text.Quoted;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is told of a failure: in words, or where JSON was asked for as one line of it, the last on standard error.
///
/// @param code of the problem; null where the registry was not the one who found it
/// @param status of the registry's answer; null where there was none
/// @param detail the sentence
/// @param next what to do
/// @param shown those of the errors that the sentence does not say already
record Told(
        @Nullable String code,
        @Nullable Integer status,
        String detail,
        List<FieldError> errors,
        boolean shown,
        @Nullable String next,
        @Nullable String requestId) {
    Told {
        errors = List.copyOf(errors);
    }

    /// Of a failure on this side.
    static Told of(String code, String detail, @Nullable String next) {
        return new Told(code, null, detail, List.of(), false, next, null);
    }

    /// The JSON; absent is what is null.
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
            shell.say(Json.line(new Document(
                    exit.status(), code, status, detail, errors.isEmpty() ? null : errors, next, requestId)));
        } else {
            words(shell);
        }
        return exit.status();
    }

    private void words(Shell shell) {
        String sentence = Text.showable("sheaf: " + detail);
        boolean fits = !shell.terminal() || Text.width(sentence) <= shell.columns();
        shell.fail(fits ? sentence : Text.withShortDigests(sentence));
        var lines = new ArrayList<String>();
        if (shown) {
            errors.forEach(error -> lines.add("  - " + line(error)));
        }
        if (next != null) {
            lines.add("  " + Text.showable(next));
        }
        if (requestId != null) {
            lines.add("  request id: " + Text.showable(requestId));
        }
        lines.forEach(shell::say);
    }

    private static String line(FieldError error) {
        String place = error.pointer().isEmpty() ? "" : Quoted.of(error.pointer()) + ": ";
        return place + Text.showable(error.detail());
    }
}
