package dev.sheaf.cli.command;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.model.wire.bundle.Resolution;
import org.jspecify.annotations.Nullable;

/// Prints notes for users of a yanked or deprecated version.
public final class VersionNotices {
    private VersionNotices() {}

    public static void say(Output output, Resolution resolution) {
        String version = resolution.ref() + ":" + resolution.version();
        var yank = resolution.yank();
        if (yank != null) {
            note(output, version + " was yanked" + why(yank.reason()), yank.replacement());
        }
        var deprecation = resolution.deprecation();
        if (deprecation != null) {
            note(output, version + " is deprecated" + why(deprecation.message()), deprecation.replacement());
        }
    }

    private static String why(String reason) {
        return reason.isBlank() ? "" : ": " + reason;
    }

    private static void note(Output output, String what, @Nullable String replacement) {
        output.say("note: " + TextFormat.showable(TextFormat.withReplacement(what, replacement)));
    }
}
