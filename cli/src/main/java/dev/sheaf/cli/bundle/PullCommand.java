package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.LockOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.PullTarget;
import dev.sheaf.cli.command.RepeatedValue;
import dev.sheaf.cli.command.VersionNotices;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.TextFormat;
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
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;

/// The command `sheaf pull`.
public final class PullCommand extends CliCommand {
    private final Connection connection;
    private final Output output;
    private final RepeatedValue<PullTarget> typed = arguments(
            PullTarget.class,
            "0..1",
            "REF",
            "namespace/bundle[:tag, version or range], or …@sha256:<hex>; or host/repository[:tag][@digest] of any OCI "
                    + "registry. With --frozen it may be missing: then all locked bundles are pulled.");
    private final OptionalValue<Path> folder = option(
            Path.class,
            "-o --output",
            "DIR",
            "Where to write. Default: ./<bundle>. With several references, or none, the parent directory of all.");
    private final FlagOption frozen =
            flag("--frozen", "Pull exactly what the lock file names; exit status 10 if that is impossible.");
    private final FlagOption plain = flag("--plain-http", "Use http, without TLS, for a registry that REF names.");
    private final FlagOption force =
            flag("--force", "Replace files that were changed in the directory, or that no pull wrote.");
    private final FlagOption skipRefused = flag(
            "--skip-refused",
            "If the paths of some files could do harm, write the others. Without this option, write nothing.");
    private final OptionalValue<Long> mostBytes = option(
            Long.class,
            "--max-size",
            "SIZE",
            "The largest total size of all files. More is refused before it is fetched. Default: 2GiB.");
    private final FreshnessOptions freshness = FreshnessOptions.of(this);
    private final LockOption lock = LockOption.of(this);

    public PullCommand(Connection connection) {
        super("pull", "Fetches a bundle, verifies every byte and writes its files. Prints the directory.");
        setFooter(
                "",
                "Cached content is not fetched again. Nothing is written unless every digest matches. A file that was "
                        + "changed here, or is not from the bundle, is replaced only with --force.");
        this.connection = use(connection);
        this.output = use(connection.output());
        setWork(this::pull);
    }

    private ExitCode pull() {
        refuse(!typed.isGiven() && !frozen.isGiven(), "name what to pull, or pull what is locked: sheaf pull --frozen");
        for (var one : typed.get()) {
            if (one instanceof PullTarget.Wrong(String why)) {
                throw misuse(why);
            }
        }
        var wanted = typed.get().stream().map(this::asBundleOfThisRegistry).toList();
        checkFolders(wanted);
        for (var one : wanted) {
            if (one instanceof PullTarget.Artifact(String text)) {
                pullArtifact(OciReference.parse(text, connection.url(), plain.isGiven()));
            }
        }
        var bundles = wanted.stream()
                .filter(PullTarget.Bundle.class::isInstance)
                .map(one -> ((PullTarget.Bundle) one).reference())
                .toList();
        if (!bundles.isEmpty() || wanted.isEmpty()) {
            pullBundles(bundles);
        }
        return ExitCode.OK;
    }

    /// A reference with the address of this registry is a bundle of it; with a digest it may be any artifact.
    private PullTarget asBundleOfThisRegistry(PullTarget one) {
        return one instanceof PullTarget.Artifact artifact && !artifact.text().contains("@")
                ? PullTarget.at(connection.url(), artifact)
                        .<PullTarget>map(bundle -> bundle)
                        .orElse(one)
                : one;
    }

    /// Refuses references that would share a directory, before anything is fetched.
    private void checkFolders(List<PullTarget> wanted) {
        var folders = new HashSet<String>();
        for (var one : wanted) {
            String last = one instanceof PullTarget.Bundle(Reference reference)
                    ? inHere(reference).toString()
                    : ((PullTarget.Artifact) one)
                            .text()
                            .replaceFirst("[@:][^/]*$", "")
                            .replaceFirst("^.*/", "");
            refuse(
                    !folders.add(last),
                    "two references would go to the same directory " + last + "; pull each by itself with -o");
        }
    }

    private void pullBundles(List<Reference> bundles) {
        var locked = frozen.isGiven() || freshness.offline().isGiven() ? LockFile.read(lock.file()) : LockFile.EMPTY;
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

    /// Returns the target of files that would go to `own` in the working directory.
    private Path target(Path own) {
        Path named = folder.get();
        if (named == null) {
            return own;
        }
        return typed.get().size() == 1 ? named : named.resolve(own);
    }

    private void pullArtifact(OciReference reference) {
        refuse(
                frozen.isGiven() || freshness.minAge().isGiven(),
                "--frozen and --min-age are for bundles of a Sheaf registry; pin " + reference
                        + " by its digest instead");
        String repository = reference.repository();
        Path target = target(Path.of(repository.substring(repository.lastIndexOf('/') + 1)));
        checkTarget(target);
        try (var client = connection.openAt(reference.registry())) {
            try (var _ = output.whenStopped(step -> stateAfter(step, target))) {
                show(client.pull(reference, target, options()), target);
            }
        }
    }

    /// Returns one entry for each folder.
    ///
    /// @throws SheafException.OutOfDate if the file has different content for one folder
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
        if (frozen.isGiven() && entry.isEmpty()) {
            throw LockCommand.missing(wanted, connection, locked, lock, "pull");
        }
        try (var _ = output.whenStopped(step -> stateAfter(step, target))) {
            show(client.pull(wanted, target, options().frozen(entry.orElse(null))), target);
        }
    }

    /// Describes the state that a stopped pull leaves.
    private static String stateAfter(Step step, Path target) {
        return switch (step) {
            case PREPARING -> "no file in " + target + " was changed; run the same command again to continue";
            case CHANGING ->
                "some of the files in " + target
                        + " may be in place and others not; run the same command again to continue";
            case CHANGED -> "all files are in place in " + target;
        };
    }

    private void checkTarget(Path target) {
        refuse(
                Files.exists(target) && !Files.isDirectory(target),
                target + " is a file, not a directory; name another with -o");
    }

    private PullOptions options() {
        return freshness
                .in(PullOptions.DEFAULT)
                .force(force.isGiven())
                .skipRefused(skipRefused.isGiven())
                .mostBytes(mostBytes.or(PullOptions.MOST_BYTES));
    }

    private void show(Pulled pulled, Path target) {
        var resolution = pulled.resolution();
        if (resolution != null) {
            VersionNotices.say(output, resolution);
        }
        pulled.refused().forEach(path -> output.say("left out " + TextFormat.showable(path.named())));
        output.show(ShownPull.of(pulled, target), shell -> shell.out().println(target), () -> List.of(target));
        output.say("pulled " + ShownPull.reference(pulled) + " (" + pulled.manifestDigest() + "), "
                + TextFormat.count(pulled.assets().size(), "file") + ", "
                + TextFormat.size(pulled.sizeBytes()) + ", " + TextFormat.size(pulled.fetchedBytes())
                + " of it fetched");
    }
}
