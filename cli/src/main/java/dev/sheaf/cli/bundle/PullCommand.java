package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.LockOption;
import dev.sheaf.cli.command.Notices;
import dev.sheaf.cli.command.Wanted;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.LockEntry;
import dev.sheaf.client.api.OciReference;
import dev.sheaf.client.api.Progress.Step;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.client.lock.LockFile;
import dev.sheaf.model.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "pull",
        description = "Fetches a bundle, verifies every byte and writes its files. Prints the directory.",
        footer = {
            "",
            "What is in the cache is not fetched again. Nothing is written unless every digest is right, and nothing "
                    + "where that would replace a file that was changed, or that is not from the bundle."
        })
public final class PullCommand implements Callable<Integer> {
    @Mixin
    private final Connection connection;

    @Parameters(
            paramLabel = "REF",
            description =
                    "namespace/bundle[:tag, version or range], or …@sha256:<hex>; or host/repository[:tag][@digest] of "
                            + "any OCI registry. With --frozen it may be missing: then all that is locked is pulled.")
    private List<Wanted> wanted = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description =
                    "Where to write; ./<bundle> if missing. With several, or none, the directory for all of them.")
    private @Nullable Path folder;

    @Option(
            names = "--frozen",
            description = "Exactly what the lock file says; exit status 10 where that is impossible.")
    private boolean frozen;

    @Option(names = "--plain-http", description = "Reach a registry that REF names by http, without TLS.")
    private boolean plain;

    @Option(
            names = "--force",
            description = "Replace files that were changed in the directory, or that no pull has written.")
    private boolean force;

    @Option(
            names = "--skip-refused",
            description =
                    "Leave out files whose paths could do harm, and write the others; otherwise nothing is written.")
    private boolean skipRefused;

    @Option(
            names = "--max-size",
            paramLabel = "SIZE",
            description = "The most that all files together may have, 2GiB if missing; more is refused unfetched.")
    private Long mostBytes = PullOptions.MOST_BYTES;

    @Mixin
    private final Freshness freshness = new Freshness();

    @Mixin
    private final LockOption lock = new LockOption();

    @Mixin
    private final Output output;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    public PullCommand(Connection connection) {
        this.connection = connection;
        this.output = connection.output();
    }

    @Override
    public Integer call() {
        if (wanted.isEmpty() && !frozen) {
            throw new ParameterException(
                    spec.commandLine(), "name what to pull, or take what is locked: sheaf pull --frozen");
        }
        for (var one : wanted) {
            if (one instanceof Wanted.Wrong(String why)) {
                throw new ParameterException(spec.commandLine(), why);
            }
        }
        wanted.replaceAll(this::here);
        checkFolders();
        for (var one : wanted) {
            if (one instanceof Wanted.Artifact(String text)) {
                pullArtifact(OciReference.parse(text, connection.url(), plain));
            }
        }
        var bundles = wanted.stream()
                .filter(Wanted.Bundle.class::isInstance)
                .map(one -> ((Wanted.Bundle) one).reference())
                .toList();
        if (!bundles.isEmpty() || wanted.isEmpty()) {
            pullBundles(bundles);
        }
        return ExitCode.OK.status();
    }

    /// What names the registry that is spoken to anyhow is a bundle of it; by a digest it may be any artifact.
    private Wanted here(Wanted one) {
        return one instanceof Wanted.Artifact artifact && !artifact.text().contains("@")
                ? Wanted.at(connection.url(), artifact)
                        .<Wanted>map(bundle -> bundle)
                        .orElse(one)
                : one;
    }

    /// Two that would go to one directory are refused before anything is fetched.
    private void checkFolders() {
        var folders = new HashSet<String>();
        for (var one : wanted) {
            String last = one instanceof Wanted.Bundle(Reference reference)
                    ? inHere(reference).toString()
                    : ((Wanted.Artifact) one)
                            .text()
                            .replaceFirst("[@:][^/]*$", "")
                            .replaceFirst("^.*/", "");
            if (!folders.add(last)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "two of these would go to the same directory " + last + "; pull each by itself with -o");
            }
        }
    }

    private void pullBundles(List<Reference> bundles) {
        var locked = frozen || freshness.offline() ? LockFile.read(lock.file()) : LockFile.EMPTY;
        try (var client = connection.open()) {
            for (var reference : bundles) {
                pull(client, locked, reference, target(inHere(reference)));
            }
            if (!bundles.isEmpty()) {
                return;
            }
            var entries = LockCommand.ofRegistry(locked, connection.url());
            if (entries.isEmpty()) {
                throw new SheafException.OutOfDate(LockCommand.nothingFrom(connection.url(), locked, lock)
                        + "; to lock something: sheaf lock namespace/bundle" + lock.typed() + connection.typed());
            }
            for (var entry : byFolder(entries)) {
                pull(client, locked, entry.reference(), target(inHere(entry.reference())));
            }
        }
    }

    /// Where what would go to `own` in the working directory goes.
    private Path target(Path own) {
        if (folder == null) {
            return own;
        }
        return wanted.size() == 1 ? folder : folder.resolve(own);
    }

    private void pullArtifact(OciReference reference) {
        if (frozen || freshness.byAge()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--frozen and --min-age are for bundles of a registry of Sheaf; pin " + reference
                            + " by its digest instead");
        }
        String repository = reference.repository();
        Path target = target(Path.of(repository.substring(repository.lastIndexOf('/') + 1)));
        checkTarget(target);
        try (var client = connection.openAt(reference.registry())) {
            try (var _ = output.whenStopped(step -> left(step, target))) {
                show(client.pull(reference, target, options()), target);
            }
        }
    }

    /// One entry for each folder.
    ///
    /// @throws SheafException.OutOfDate where the file asks for several contents in one folder
    private List<LockEntry> byFolder(List<LockEntry> entries) {
        var chosen = new TreeMap<String, LockEntry>();
        for (var entry : entries) {
            var other = chosen.putIfAbsent(inHere(entry.reference()).toString(), entry);
            if (other != null && !other.pinned().equals(entry.pinned())) {
                throw new SheafException.OutOfDate(lock.file() + " locks both " + other.reference() + " ("
                        + other.version() + ") and " + entry.reference() + " (" + entry.version()
                        + "), which would go to the same directory " + inHere(entry.reference())
                        + "; pull each by its name with -o, or take one out: sheaf lock --remove "
                        + ShellWord.of(entry.reference()) + lock.typed() + connection.typed());
            }
        }
        return List.copyOf(chosen.values());
    }

    private static Path inHere(Reference reference) {
        return Path.of(reference.repository().bundle().value());
    }

    private void pull(SheafClient client, LockFile locked, Reference wanted, Path target) {
        checkTarget(target);
        var entry = locked.find(connection.url(), wanted);
        if (frozen && entry.isEmpty()) {
            throw LockCommand.missing(wanted, connection, locked, lock, "pull");
        }
        try (var _ = output.whenStopped(step -> left(step, target))) {
            show(client.pull(wanted, target, options().frozen(entry.orElse(null))), target);
        }
    }

    /// What whoever stops it is told.
    private static String left(Step step, Path target) {
        return switch (step) {
            case PREPARING -> "no file in " + target + " was changed; run the same again to go on";
            case CHANGING ->
                "some of the files in " + target + " may be put in place and some not; run the same again to go on";
            case CHANGED -> "all files are in place in " + target;
        };
    }

    private void checkTarget(Path target) {
        if (Files.exists(target) && !Files.isDirectory(target)) {
            throw new ParameterException(
                    spec.commandLine(), target + " is a file, not a directory; name another with -o");
        }
    }

    private PullOptions options() {
        return freshness
                .in(PullOptions.DEFAULT)
                .force(force)
                .skipRefused(skipRefused)
                .mostBytes(mostBytes);
    }

    private void show(Pulled pulled, Path target) {
        var resolution = pulled.resolution();
        if (resolution != null) {
            Notices.say(output, resolution);
        }
        pulled.refused().forEach(path -> output.say("left out " + Text.showable(path.named())));
        output.show(ShownPull.of(pulled, target), shell -> shell.out().println(target), () -> List.of(target));
        output.say("pulled " + ShownPull.reference(pulled) + " (" + pulled.manifestDigest() + "), "
                + Text.count(pulled.assets().size(), "file") + ", "
                + Text.size(pulled.sizeBytes()) + ", " + Text.size(pulled.fetchedBytes())
                + " of it fetched");
    }
}
