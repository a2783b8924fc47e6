package dev.sheaf.cli.install;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.client.agents.YankedBundle;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// The JSON of a yank or a recall of an installed version.
///
/// @param severity null if it is yanked and not recalled
record ShownYank(
        String reason,
        @Nullable String replacement,
        @Nullable String severity,
        @Nullable String advisory) {
    static @Nullable ShownYank of(@Nullable YankedBundle yanked) {
        return yanked == null
                ? null
                : new ShownYank(
                        yanked.reason(),
                        yanked.replacement(),
                        yanked.severity() == null ? null : yanked.severity().toString(),
                        yanked.advisory());
    }

    /// Prints a note.
    ///
    /// @param project where the version is installed
    /// @param requiredBy what would have to go too
    static void say(Output output, Project project, @Nullable YankedBundle yanked, Collection<String> requiredBy) {
        if (yanked != null) {
            String removal = requiredBy.isEmpty()
                    ? "; to remove it: sheaf remove " + yanked.bundle()
                    : "; " + String.join(", ", requiredBy) + " requires it; to remove both: sheaf remove --recalled";
            output.note(yanked + (yanked.isRecalled() ? removal + project.words() : ""));
        }
    }
}
