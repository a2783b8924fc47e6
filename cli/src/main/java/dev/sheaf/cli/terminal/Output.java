package dev.sheaf.cli.terminal;

import dev.sheaf.client.api.Progress.Step;
import dev.sheaf.client.io.Json;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// How a command shows what it found, the same for all: for people, as JSON whose members docs/cli.md names, or
/// only the one word per result that a script goes on with. Data goes to standard output, all else to standard
/// error.
public final class Output {
    /// The words of `--format`.
    public enum Format {
        HUMAN,
        JSON,
        QUIET;

        /// The word on the command line.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "human (the default), json, or quiet: only what a script goes on with.")
    private @Nullable Format format;

    @Option(names = "--json", description = "The same as --format json.")
    private boolean json;

    private final Shell shell;
    private final Set<String> noted = ConcurrentHashMap.newKeySet();
    private volatile boolean waitsInSilence;
    private volatile @Nullable Interruption interruption;

    public Output(Shell shell) {
        this.shell = shell;
    }

    /// Whether the results of a command are to be JSON.
    public static boolean isJson(CommandLine command) {
        return command.getMixins().get("output") instanceof Output output && output.format() == Format.JSON;
    }

    /// The form that was asked for.
    public Format format() {
        if (format != null) {
            return format;
        }
        return json ? Format.JSON : Format.HUMAN;
    }

    /// Prints data once, in the form that was asked for.
    ///
    /// @param data what JSON is made of
    /// @param human prints for people
    /// @param quiet one line for each result
    public void show(Object data, Consumer<Shell> human, Supplier<? extends Iterable<?>> quiet) {
        switch (format()) {
            case HUMAN -> human.accept(shell);
            case JSON -> shell.out().println(Json.pretty(data));
            case QUIET -> quiet.get().forEach(line -> shell.out().println(Text.showable(String.valueOf(line))));
        }
    }

    /// Prints a list: for people a table, or where the list is empty a sentence on standard error.
    ///
    /// @param quiet what a script goes on with, of each entry
    public <T> void list(List<T> entries, Function<T, ?> quiet, Table table, String nothing) {
        show(
                entries,
                to -> table.print(to, nothing),
                () -> entries.stream().map(quiet).toList());
    }

    /// Prints one of a series that has no end, in one line whatever the form.
    public void line(Object data, String human, String quiet) {
        String line = switch (format()) {
            case HUMAN -> Text.showable(human);
            case JSON -> Json.line(data);
            case QUIET -> Text.showable(quiet);
        };
        shell.out().println(line);
        shell.out().flush();
    }

    /// Prints one thing.
    public void one(Object data, Object quiet, Summary summary) {
        show(data, summary::print, () -> List.of(quiet));
    }

    /// Tells of a change: people are told on standard error, since nothing is left for them to work with.
    public void done(Object data, Object quiet, String sentence) {
        show(data, to -> to.say(Text.showable(sentence)), () -> List.of(quiet));
    }

    /// Prints what is shown this once, alone on its line, and says the rest.
    public void secret(Object data, String secret, String sentence) {
        show(
                data,
                to -> {
                    to.say(Text.showable(sentence));
                    to.out().println(secret);
                },
                () -> List.of(secret));
    }

    /// A line about what failed, in every form.
    public void fail(String line) {
        shell.fail("sheaf: " + Text.showable(line));
    }

    /// Lines for people alone, not where they asked for another form.
    public void human(String lines) {
        if (format() == Format.HUMAN) {
            shell.say(lines.stripTrailing());
        }
    }

    /// Says something worth knowing, once: what the registry finds, the client may have found before it.
    public void note(String message) {
        String sentence = Text.showable(message);
        if (noted.add(sentence)) {
            say("note: " + sentence);
        }
    }

    /// From now on to wait is what was asked for, and nobody is told of it.
    public void waitInSilence() {
        waitsInSilence = true;
    }

    boolean waitsInSilence() {
        return waitsInSilence;
    }

    /// Has whoever stops the command told what is left, from now on and until the end of what this gives. Of several
    /// calls for one command the last counts.
    ///
    /// @param left by the step that was reached last; goes on where "stopped; " begins
    public Interruption whenStopped(Function<Step, String> left) {
        var listening = new Interruption(shell, left);
        interruption = listening;
        listening.listen();
        return listening;
    }

    /// Does not come back where the command was stopped.
    void reach(Step step) {
        var listening = interruption;
        if (listening != null) {
            listening.reach(step);
        }
    }

    boolean isStopped() {
        var listening = interruption;
        return listening != null && listening.isStopped();
    }

    /// A line for people about what was done; not where they asked for silence.
    public void say(String line) {
        if (format() != Format.QUIET) {
            shell.say(line);
        }
    }
}
