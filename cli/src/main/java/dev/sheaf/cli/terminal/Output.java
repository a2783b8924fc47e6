package dev.sheaf.cli.terminal;

import dev.sheaf.client.api.Progress.Step;
import dev.sheaf.client.io.WireJson;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// Shows the results of commands: for people, as JSON whose members docs/cli.md describes, or as one word per
/// result for scripts. Data goes to standard output, everything else to standard error.
public final class Output {
    /// The words of `--format`.
    public enum Format {
        HUMAN,
        JSON,
        QUIET;

        /// Returns the word on the command line.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final OptionSpec format = OptionSpec.builder("--format")
            .type(Format.class)
            .paramLabel("FORMAT")
            .description("human (the default), json, or quiet: only the values that a script needs.")
            .build();
    private final OptionSpec json = OptionSpec.builder("--json")
            .type(boolean.class)
            .description("The same as --format json.")
            .build();
    private final Shell shell;
    private final Set<String> noted = ConcurrentHashMap.newKeySet();
    private volatile boolean waitsInSilence;
    private volatile @Nullable Interruption interruption;

    public Output(Shell shell) {
        this.shell = shell;
    }

    public List<OptionSpec> options() {
        return List.of(format, json);
    }

    /// Returns whether a command prints JSON.
    public static boolean isJson(CommandLine command) {
        return command.getMixins().get("output") instanceof Output output && output.format() == Format.JSON;
    }

    /// Returns the requested form.
    public Format format() {
        Format typed = format.getValue();
        if (typed != null) {
            return typed;
        }
        return Boolean.TRUE.equals(json.getValue()) ? Format.JSON : Format.HUMAN;
    }

    /// Prints data in the requested form.
    ///
    /// @param data becomes the JSON
    /// @param human prints the data for people
    /// @param quiet returns one line for each result
    public void show(Object data, Consumer<Shell> human, Supplier<? extends Iterable<?>> quiet) {
        switch (format()) {
            case HUMAN -> human.accept(shell);
            case JSON -> shell.out().println(WireJson.pretty(data));
            case QUIET -> quiet.get().forEach(line -> shell.out().println(TextFormat.showable(String.valueOf(line))));
        }
    }

    /// Prints a list: for people a table, or a sentence on standard error if it is empty.
    ///
    /// @param quiet returns the word of an entry for scripts
    public <T> void list(List<T> entries, Function<T, ?> quiet, Table<T> table, String nothing) {
        show(
                entries,
                to -> table.print(to, entries, nothing),
                () -> entries.stream().map(quiet).toList());
    }

    /// Prints one entry of an endless series, in one line in every form.
    public void line(Object data, String human, String quiet) {
        String line = switch (format()) {
            case HUMAN -> TextFormat.showable(human);
            case JSON -> WireJson.line(data);
            case QUIET -> TextFormat.showable(quiet);
        };
        shell.out().println(line);
        shell.out().flush();
    }

    /// Prints one thing.
    public void one(Object data, Object quiet, Summary summary) {
        show(data, summary::print, () -> List.of(quiet));
    }

    /// Reports a change: for people on standard error, because there is no data.
    public void done(Object data, Object quiet, String sentence) {
        show(data, to -> to.say(TextFormat.showable(sentence)), () -> List.of(quiet));
    }

    /// Prints a secret alone on its line, and the rest on standard error.
    public void secret(Object data, String secret, String sentence) {
        show(
                data,
                to -> {
                    to.say(TextFormat.showable(sentence));
                    to.out().println(secret);
                },
                () -> List.of(secret));
    }

    /// Prints a line about a failure, in every form.
    public void fail(String line) {
        shell.fail("sheaf: " + TextFormat.showable(line));
    }

    /// Prints lines in the form for people only.
    public void human(String lines) {
        if (format() == Format.HUMAN) {
            shell.say(lines.stripTrailing());
        }
    }

    /// Prints a note once: the client and the registry may find the same problem.
    public void note(String message) {
        String sentence = TextFormat.showable(message);
        if (noted.add(sentence)) {
            say("note: " + sentence);
        }
    }

    /// Stops reporting waits, because waiting is intended from now on.
    public void waitInSilence() {
        waitsInSilence = true;
    }

    boolean waitsInSilence() {
        return waitsInSilence;
    }

    /// Reports the state that the command leaves if it is stopped, until the result is closed. A later call
    /// replaces an earlier one.
    ///
    /// @param left returns the state after the last step reached; it continues the sentence "stopped; "
    public Interruption whenStopped(Function<Step, String> left) {
        var listening = new Interruption(shell, left);
        interruption = listening;
        listening.listen();
        return listening;
    }

    /// Records that the command begins a step. Does not return if the command was stopped.
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

    /// Prints a line for people about what was done; not with `--format quiet`.
    public void say(String line) {
        if (format() != Format.QUIET) {
            shell.say(line);
        }
    }
}
