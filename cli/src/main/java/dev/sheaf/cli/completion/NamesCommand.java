package dev.sheaf.cli.completion;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.ProblemException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import picocli.CommandLine;

/// Answers the completion scripts while a user types. Reports no failures, and always ends soon.
public final class NamesCommand extends CliCommand {
    public static final String NAME = "complete-words";

    /// The variable with the time to wait, in milliseconds, at most ten seconds.
    private static final String VARIABLE = "SHEAF_COMPLETION_MILLIS";

    /// The time to wait by default; with the start of Java about a second.
    private static final int PATIENCE_MILLIS = 700;

    private final Shell shell;

    /// @param commands returns a tree with the command of this name
    public NamesCommand(Shell shell, Function<String, CommandLine> commands) {
        super(
                NAME,
                "Prints the names that complete the last of these words of a command line, one per line. The scripts of "
                        + "sheaf completion call it.");
        this.shell = shell;
        spec().usageMessage().hidden(true);
        var typed = arguments(String.class, "0..*", "WORD", "The typed words, after --; the last is unfinished.");
        setWork(() -> {
            var words = typed.get();
            if (!words.isEmpty()) {
                WordUnderCursor.of(commands.apply(words.getFirst()), words).ifPresent(this::complete);
            }
            return ExitCode.OK;
        });
    }

    /// Prints what was found in time.
    private void complete(WordUnderCursor cursor) {
        var names = new RegistryNames(cursor);
        var search = new FutureTask<>(() -> find(names, cursor), null);
        Thread.ofVirtual().start(search);
        try {
            search.get(patience(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            search.cancel(true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        names.found().forEach(shell.out()::println);
    }

    private int patience() {
        String millis = shell.environment().getOrDefault(VARIABLE, "");
        return millis.matches("\\d{1,4}|10000") ? Integer.parseInt(millis) : PATIENCE_MILLIS;
    }

    /// Uses a key, or a session that needs no renewal: an interrupted renewal would end the session.
    private static void find(RegistryNames names, WordUnderCursor cursor) {
        try {
            var bearer = cursor.connection().credentials().atHand();
            try (var client = cursor.connection().open(bearer.orElse(null))) {
                names.find(client, bearer.isPresent());
            }
        } catch (SheafException | ProblemException e) {
            // a failure is not reported while a user types
        }
    }
}
