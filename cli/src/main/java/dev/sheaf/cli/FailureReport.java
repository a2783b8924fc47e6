package dev.sheaf.cli;

import dev.sheaf.client.SheafException;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A failure for people: what happened, what to do next, the request's id.
final class FailureReport {
    private FailureReport() {}

    /// The lines, without a line break at the end. `login` is the command that would log in where this one failed.
    static List<String> lines(SheafException failure, String login) {
        var lines = new ArrayList<String>();
        lines.add("sheaf: " + Text.showable(String.valueOf(failure.getMessage())));
        // Where there is one error, the sentence above has said it.
        if (failure instanceof SheafException.InvalidRequest invalid
                && (invalid.errors().size() > 1 || invalid.status() == 0)) {
            invalid.errors().forEach(error -> lines.add("  - " + line(error)));
        }
        advice(failure, login).ifPresent(advice -> lines.add("  " + advice));
        failure.requestId().ifPresent(id -> lines.add("  request id: " + Text.showable(id)));
        return lines;
    }

    private static String line(Problem.FieldError error) {
        String place = error.pointer().isEmpty() ? "" : Quoted.of(error.pointer()) + ": ";
        return place + Text.showable(error.detail());
    }

    private static Optional<String> advice(SheafException failure, String login) {
        return Optional.ofNullable(
                switch (failure) {
                    case SheafException.Unauthenticated _ -> "log in: " + login + ", or set SHEAF_API_KEY";
                    case SheafException.Forbidden f ->
                        f.needed()
                                .map(scope -> "use a key with the scope " + scope
                                        + "; an administrator makes one: sheaf keys" + " create NAME --scope " + scope)
                                .orElse(null);
                    case SheafException.NotFound f ->
                        f.code()
                                .filter("bundle-not-found"::equals)
                                .map(code ->
                                        "check the name; a private bundle needs a key of its organization: " + login)
                                .orElse(null);
                    case SheafException.Conflict f ->
                        f.code()
                                .filter("version-exists"::equals)
                                .map(code -> "raise the version and push again")
                                .orElse(null);
                    case SheafException.Integrity _ ->
                        "nothing of it was kept; tell the registry's operator if it happens again";
                    case SheafException.RateLimited f ->
                        "try again in " + f.waitTime().toSeconds() + " s";
                    case SheafException.Network _ ->
                        "check that the registry runs and that the address is right (--url, SHEAF_URL)";
                    case SheafException.Offline _ -> null;
                    case SheafException.OutOfDate _ -> null;
                    case SheafException.Server _ -> "the fault lies with the registry; tell its operator";
                    case SheafException.InvalidRequest _ -> null;
                    case SheafException.Local _ -> null;
                    case SheafException.Cancelled _ -> null;
                });
    }
}
