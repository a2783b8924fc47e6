package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.Cache;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;

/// The commands of `sheaf cache`: the local cache of pulled content.
public final class CacheCommands {
    private static final Table<Cache.Entry> TABLE = new Table<Cache.Entry>()
            .column("DIGEST", Cache.Entry::digest)
            .column("SIZE", entry -> TextFormat.size(entry.size()))
            .column("USED", Cache.Entry::used);

    private CacheCommands() {}

    public static CommandGroup of(Supplier<Connection> connections, Shell shell) {
        return new CommandGroup(
                        connections,
                        "cache",
                        "Manages the local cache of pulled content. All of it can be fetched again.")
                .add(new ListAll(shell))
                .add(new Verify(shell))
                .add(new Prune(shell));
    }

    /// The JSON of an entry.
    private record Shown(String digest, long sizeBytes, String used) {
        static Shown of(Cache.Entry entry) {
            return new Shown(
                    entry.digest().toString(),
                    entry.size(),
                    entry.used().truncatedTo(ChronoUnit.SECONDS).toString());
        }
    }

    /// The JSON of a list.
    private record Listed(String folder, long sizeBytes, List<Shown> entries) {}

    /// The JSON of a check or a clean-up.
    private record Result(String folder, long kept, long keptBytes, long removedBytes, List<Shown> removed) {
        static Result of(Cache cache, Cache.Outcome outcome) {
            return new Result(
                    cache.folder().toString(),
                    outcome.kept(),
                    outcome.keptBytes(),
                    outcome.removedBytes(),
                    outcome.removed().stream().map(Shown::of).toList());
        }
    }

    /// A command about the cache of this machine.
    private abstract static class CacheCommand extends CliCommand {
        final Output output;

        CacheCommand(Shell shell, String name, String description) {
            super(name, description);
            this.output = use(new Output(shell));
            setWork(() -> {
                run(Cache.at(shell.cacheFolder()));
                return ExitCode.OK;
            });
        }

        abstract void run(Cache cache);

        final void show(Cache cache, Cache.Outcome outcome, String what) {
            output.show(
                    Result.of(cache, outcome),
                    shell -> shell.out()
                            .println(what + " " + outcome.removed().size() + " of "
                                    + (outcome.kept() + outcome.removed().size()) + " entries ("
                                    + TextFormat.size(outcome.removedBytes()) + "); "
                                    + TextFormat.size(outcome.keptBytes())
                                    + " stay in " + cache.folder()),
                    () -> digests(outcome.removed()));
        }

        static List<String> digests(List<Cache.Entry> entries) {
            return entries.stream().map(entry -> entry.digest().toString()).toList();
        }
    }

    private static final class ListAll extends CacheCommand {
        ListAll(Shell shell) {
            super(shell, "ls", "Lists cached content, least recently used first.");
        }

        @Override
        void run(Cache cache) {
            var entries = cache.entries();
            long size = entries.stream().mapToLong(Cache.Entry::size).sum();
            output.show(
                    new Listed(
                            cache.folder().toString(),
                            size,
                            entries.stream().map(Shown::of).toList()),
                    to -> TABLE.print(to, entries, "the cache is empty"),
                    () -> digests(entries));
            output.say(entries.size() + (entries.size() == 1 ? " entry, " : " entries, ") + TextFormat.size(size)
                    + " in " + cache.folder());
        }
    }

    private static final class Verify extends CacheCommand {
        Verify(Shell shell) {
            super(
                    shell,
                    "verify",
                    "Verifies every cached byte. Damaged content is removed; the next pull that needs it fetches it "
                            + "again.");
        }

        @Override
        void run(Cache cache) {
            show(cache, cache.verify(), "removed as damaged:");
        }
    }

    private static final class Prune extends CacheCommand {
        private final OptionalValue<Duration> unused = option(
                Duration.class,
                "--unused",
                "PERIOD",
                "Remove content that was not used for this long: 30d, 12h, or ISO 8601 such as P30D.");
        private final OptionalValue<Long> most = option(
                Long.class,
                "--max-size",
                "SIZE",
                "Remove the least recently used content until this much is left: 500MiB, 2GiB, or bytes.");

        Prune(Shell shell) {
            super(
                    shell,
                    "prune",
                    "Removes content that was not used for a period, or shrinks the cache to a size. Needs at least one "
                            + "of these limits.");
        }

        @Override
        void run(Cache cache) {
            refuse(!unused.isGiven() && !most.isGiven(), "name a limit: --unused 30d, --max-size 2GiB, or both");
            show(cache, cache.prune(unused.get(), most.get()), "removed");
        }
    }
}
