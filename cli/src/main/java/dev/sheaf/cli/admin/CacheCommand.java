package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.Cache;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Groups the commands below.
@Command(
        name = "cache",
        description = "Manages the local cache of pulled content. All of it can be fetched again.",
        synopsisSubcommandLabel = "COMMAND")
public final class CacheCommand {
    /// Returns the group with its commands.
    public static CommandLine of(Shell shell) {
        return new CommandLine(new CacheCommand())
                .addSubcommand(new ListAll(shell))
                .addSubcommand(new Verify(shell))
                .addSubcommand(new Prune(shell));
    }

    /// The JSON of an entry.
    record Shown(String digest, long sizeBytes, String used) {
        static Shown of(Cache.Entry entry) {
            return new Shown(
                    entry.digest().toString(),
                    entry.size(),
                    entry.used().truncatedTo(ChronoUnit.SECONDS).toString());
        }
    }

    /// The JSON of a list.
    record Listed(String folder, long sizeBytes, List<Shown> entries) {}

    /// The JSON of a check or a clean-up.
    record Result(String folder, long kept, long keptBytes, long removedBytes, List<Shown> removed) {
        static Result of(Cache cache, Cache.Outcome outcome) {
            return new Result(
                    cache.folder().toString(),
                    outcome.kept(),
                    outcome.keptBytes(),
                    outcome.removedBytes(),
                    outcome.removed().stream().map(Shown::of).toList());
        }
    }

    private static List<String> digests(List<Cache.Entry> entries) {
        return entries.stream().map(entry -> entry.digest().toString()).toList();
    }

    private static void show(Output output, Cache cache, Cache.Outcome outcome, String what) {
        output.show(
                Result.of(cache, outcome),
                shell -> shell.out()
                        .println(what + " " + outcome.removed().size() + " of "
                                + (outcome.kept() + outcome.removed().size()) + " entries ("
                                + Text.size(outcome.removedBytes()) + "); " + Text.size(outcome.keptBytes())
                                + " stay in " + cache.folder()),
                () -> digests(outcome.removed()));
    }

    @Command(name = "ls", description = "Lists cached content, least recently used first.")
    public static final class ListAll implements Callable<Integer> {
        private final Shell shell;

        @Mixin
        private final Output output;

        public ListAll(Shell shell) {
            this.shell = shell;
            this.output = new Output(shell);
        }

        @Override
        public Integer call() {
            var cache = Cache.at(shell.cacheFolder());
            var entries = cache.entries();
            long size = entries.stream().mapToLong(Cache.Entry::size).sum();
            var shown = entries.stream().map(Shown::of).toList();
            output.show(
                    new Listed(cache.folder().toString(), size, shown),
                    to -> {
                        var table = new Table("DIGEST", "SIZE", "USED");
                        entries.forEach(entry -> table.row(
                                entry.digest(),
                                Text.size(entry.size()),
                                entry.used().truncatedTo(ChronoUnit.SECONDS)));
                        table.print(to, "the cache is empty");
                    },
                    () -> digests(entries));
            output.say(entries.size() + (entries.size() == 1 ? " entry, " : " entries, ") + Text.size(size) + " in "
                    + cache.folder());
            return ExitCode.OK.status();
        }
    }

    @Command(
            name = "verify",
            description = "Verifies every cached byte. Damaged content is removed; the next pull that needs it fetches "
                    + "it again.")
    public static final class Verify implements Callable<Integer> {
        private final Shell shell;

        @Mixin
        private final Output output;

        public Verify(Shell shell) {
            this.shell = shell;
            this.output = new Output(shell);
        }

        @Override
        public Integer call() {
            var cache = Cache.at(shell.cacheFolder());
            var outcome = cache.verify();
            show(output, cache, outcome, "removed as damaged:");
            return ExitCode.OK.status();
        }
    }

    @Command(
            name = "prune",
            description =
                    "Removes content that was not used for a period, or shrinks the cache to a size. Needs at least "
                            + "one of these limits.")
    public static final class Prune implements Callable<Integer> {
        private final Shell shell;

        @Mixin
        private final Output output;

        @Option(
                names = "--unused",
                paramLabel = "PERIOD",
                description = "Remove content that was not used for this long: 30d, 12h, or ISO 8601 such as P30D.")
        private @Nullable Duration unused;

        @Option(
                names = "--max-size",
                paramLabel = "SIZE",
                description = "Remove the least recently used content until this much is left: 500MiB, 2GiB, or bytes.")
        private @Nullable Long most;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Prune(Shell shell) {
            this.shell = shell;
            this.output = new Output(shell);
        }

        @Override
        public Integer call() {
            if (unused == null && most == null) {
                throw new ParameterException(
                        spec.commandLine(), "name a limit: --unused 30d, --max-size 2GiB, or both");
            }
            var cache = Cache.at(shell.cacheFolder());
            show(output, cache, cache.prune(unused, most), "removed");
            return ExitCode.OK.status();
        }
    }
}
