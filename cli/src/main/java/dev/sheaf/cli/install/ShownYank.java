package dev.sheaf.cli.install;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.client.agents.YankedBundle;
import org.jspecify.annotations.Nullable;

/// The JSON of a yank of an installed version.
record ShownYank(String reason, @Nullable String replacement) {
    static @Nullable ShownYank of(@Nullable YankedBundle yanked) {
        return yanked == null ? null : new ShownYank(yanked.reason(), yanked.replacement());
    }

    /// Prints a note.
    static void say(Output output, @Nullable YankedBundle yanked) {
        if (yanked != null) {
            output.note(yanked.toString());
        }
    }
}
