package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.LockOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RepeatedValue;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.LockEntry;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.client.lock.LockFile;
import dev.sheaf.model.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The command `sheaf lock`.
public final class LockCommand extends CliCommand {
    private static final Table<LockEntry> TABLE = new Table<LockEntry>()
            .column("REFERENCE", LockEntry::reference)
            .column("VERSION", LockEntry::version)
            .column("DIGEST", LockEntry::manifest)
            .column("RESOLVED", entry -> entry.resolved().toString())
            .column("REGISTRY", LockEntry::registry);

    private final Connection connection;
    private final Output output;
    private final LockOption lock = LockOption.of(this);
    private final RepeatedValue<Reference> references =
            arguments(Reference.class, "0..1", "REF", "The references to add or to resolve again.");
    private final FlagOption check = flag("--check", "Write nothing; exit status 10 if the file would change.");
    private final FlagOption remove = flag("--remove", "Remove the references from the file.");
    private final OptionalValue<Duration> minAge = option(
            Duration.class,
            "--min-age",
            "PERIOD",
            "Only versions that were published at least this long ago: 3d, 12h, or ISO 8601.");

    public LockCommand(Connection connection) {
        super(
                "lock",
                "Pins the current versions of references in a lock file. With it, pull --frozen gets the same files "
                        + "everywhere.");
        setFooter(
                "",
                "Without REF, all entries of this registry are resolved again. Keep the file under version control.");
        this.connection = use(connection);
        this.output = use(connection.output());
        setWork(this::lock);
    }

    /// The JSON of an entry.
    record Shown(String reference, String registry, String version, String digest, String resolved, int files) {
        static Shown of(LockEntry entry) {
            return new Shown(
                    entry.reference().toString(),
                    entry.registry().toString(),
                    entry.version().toString(),
                    entry.manifest().toString(),
                    entry.resolved().toString(),
                    entry.assets().size());
        }
    }

    private ExitCode lock() {
        var old = LockFile.read(lock.file());
        var url = connection.url();
        var fresh = remove.isGiven() ? removed(old, url) : lookedUp(old, url);
        if (check.isGiven() && !fresh.equals(old)) {
            throw new SheafException.OutOfDate(lock.file() + " is out of date for "
                    + String.join(", ", changed(old, fresh)) + "; to bring it up to date: sheaf lock" + words());
        }
        if (!check.isGiven()) {
            fresh.write(lock.file());
        }
        output.show(
                fresh.entries().stream().map(Shown::of).toList(),
                shell -> TABLE.print(shell, fresh.entries(), "nothing is locked"),
                () -> fresh.entries().stream().map(LockEntry::pinned).toList());
        output.say(TextFormat.count(fresh.entries().size(), "bundle") + " in " + lock.file()
                + (fresh.equals(old)
                        ? ", as before"
                        : (remove.isGiven() ? ", removed: " : ", changed: ") + String.join(", ", changed(old, fresh))));
        return ExitCode.OK;
    }

    private LockFile removed(LockFile old, RegistryUrl url) {
        refuse(!references.isGiven(), "--remove needs the references to take out");
        var fresh = old;
        for (Reference reference : references.get()) {
            if (fresh.find(url, reference).isEmpty()) {
                throw new SheafException.OutOfDate(
                        lock.file() + " has no entry for " + reference + " of " + url + "; sheaf lock shows all");
            }
            fresh = fresh.without(url, reference);
        }
        return fresh;
    }

    private LockFile lookedUp(LockFile old, RegistryUrl url) {
        var wanted = references.get();
        if (wanted.isEmpty()) {
            wanted = ofRegistry(old, url).stream().map(LockEntry::reference).toList();
        }
        if (wanted.isEmpty()) {
            throw misuse(nothingFrom(url, old, lock) + "; name what to lock: sheaf lock namespace/bundle" + lock.typed()
                    + connection.typed());
        }
        var options = PullOptions.DEFAULT.minAge(minAge.get());
        try (SheafClient client = connection.open()) {
            var fresh = old;
            for (Reference reference : wanted) {
                fresh = fresh.with(client.lock(reference, options));
            }
            return fresh;
        }
    }

    /// Reports that nothing of this registry is locked, and names the registries of the entries.
    static String nothingFrom(RegistryUrl url, LockFile locked, LockOption lock) {
        String others = locked.entries().stream()
                .map(entry -> entry.registry().toString())
                .distinct()
                .collect(Collectors.joining(", "));
        return lock.file() + " has nothing from " + url
                + (others.isEmpty()
                        ? ""
                        : "; its entries are from " + others + ": name that registry with --url, or lock again");
    }

    /// Reports that the typed reference is not locked; another reference to its bundle may be.
    ///
    /// @param verb the command that uses the lock, such as `pull`
    static SheafException missing(
            Reference wanted, Connection connection, LockFile locked, LockOption lock, String verb) {
        var url = connection.url();
        String more = lock.typed() + connection.typed();
        String others = ofRegistry(locked, url).stream()
                .map(LockEntry::reference)
                .filter(other -> other.repository().equals(wanted.repository()))
                .map(other -> "; to use what is locked: sheaf " + verb + " " + ShellWord.of(other) + " --frozen" + more)
                .collect(Collectors.joining());
        String what = locked.entries().isEmpty()
                ? "nothing is locked in " + lock.file()
                : lock.file() + " has no entry for " + wanted + " of " + url;
        return new SheafException.OutOfDate(
                what + others + "; to lock " + wanted + ": sheaf lock " + ShellWord.of(wanted) + more);
    }

    static List<LockEntry> ofRegistry(LockFile lock, RegistryUrl url) {
        return lock.entries().stream()
                .filter(entry -> entry.registry().equals(url))
                .toList();
    }

    /// Returns the references whose entries differ.
    private static List<String> changed(LockFile old, LockFile fresh) {
        var changed = new ArrayList<String>();
        fresh.entries().stream()
                .filter(entry -> !old.entries().contains(entry))
                .forEach(entry -> changed.add(entry.reference().toString()));
        old.entries().stream()
                .filter(entry -> fresh.find(entry.registry(), entry.reference()).isEmpty())
                .forEach(entry -> changed.add(entry.reference().toString()));
        return changed;
    }

    private String words() {
        var words = new StringBuilder();
        references.get().forEach(reference -> words.append(' ').append(ShellWord.of(reference)));
        return words + lock.typed() + connection.typed();
    }
}
