package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.LockOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.LockEntry;
import dev.sheaf.client.api.Verification;
import dev.sheaf.client.api.Verification.State;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.client.lock.LockFile;
import dev.sheaf.model.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/// The command `sheaf verify`.
public final class VerifyCommand extends CliCommand {
    /// Matches a directory rather than a reference: `./kit`, `/tmp/kit`, `kit`.
    private static final Pattern FOLDER = Pattern.compile("[./].*|[^/]*");

    private final Connection connection;
    private final Output output;
    private final RequiredValue<Reference> reference =
            argument(Reference.class, "REF", "The bundle that the directory should contain.");
    private final OptionalValue<Path> folder =
            optionalArgument(Path.class, "DIR", "The directory. Default: ./<bundle>.");
    private final FlagOption frozen =
            flag("--frozen", "Compare with the digests of the lock file, without asking the registry.");
    private final FlagOption strict =
            flag("--strict", "Count files that are not part of the bundle as a failure, too.");
    private final LockOption lock = LockOption.of(this);

    public VerifyCommand(Connection connection) {
        super(
                "verify",
                "Compares files on disk with the digests of a bundle. Changes nothing. Exit status 7 if a file is "
                        + "missing or differs.");
        this.connection = use(connection);
        this.output = use(connection.output());
        setHint(VerifyCommand::hintAbout);
        setWork(this::verify);
    }

    private static Optional<String> hintAbout(ParameterException mistake) {
        if (mistake instanceof MissingParameterException) {
            return Optional.of(
                    "name the bundle: sheaf verify REF [DIR]; what sheaf-install.lock installed in this project is compared,"
                            + " and completed, by sheaf install --frozen");
        }
        return mistake.getArgSpec() != null
                        && mistake.getArgSpec().isPositional()
                        && FOLDER.matcher(String.valueOf(mistake.getValue())).matches()
                ? Optional.of("the reference comes first: sheaf verify REF DIR")
                : Optional.empty();
    }

    /// The JSON of a comparison.
    record Shown(String directory, String bundle, String version, String digest, boolean whole, List<File> files) {
        record File(String path, String state) {}

        static Shown of(Path folder, Verification found) {
            return new Shown(
                    folder.toString(),
                    found.bundle(),
                    found.version(),
                    found.manifestDigest().toString(),
                    found.isWhole(),
                    found.files().stream()
                            .map(file -> new File(file.path(), word(file.state())))
                            .toList());
        }
    }

    private static String word(State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private ExitCode verify() {
        Path typed = folder.get();
        if (typed != null) {
            refuse(
                    !Files.exists(typed) && Files.isDirectory(Path.of(reference.toString())),
                    "the reference comes first: sheaf verify " + typed + " " + reference);
            SourceFolder.check(this, typed);
        }
        Path target =
                typed == null ? Path.of(reference.get().repository().bundle().value()) : typed;
        var found = frozen.isGiven() ? SheafClient.verify(locked(), target) : compareWithRegistry(target);
        var wrong =
                found.files().stream().filter(file -> file.state() != State.OK).toList();
        long refused = found.count(State.REFUSED);
        output.show(
                Shown.of(target, found),
                shell -> wrong.forEach(
                        file -> shell.out().printf("%-8s %s%n", word(file.state()), TextFormat.showable(file.path()))),
                () -> wrong.stream().map(Verification.Checked::path).toList());
        output.say(target + " compared with " + found.bundle() + ":" + found.version() + ": " + found.count(State.OK)
                + " right, " + found.count(State.MISSING) + " missing, " + found.count(State.CHANGED) + " changed, "
                + found.count(State.EXTRA) + " extra" + (refused == 0 ? "" : ", " + refused + " refused")
                + (found.count(State.MODE) > 0 ? ", " + found.count(State.MODE) + " with a different mode" : ""));
        if (found.isWhole() && !(strict.isGiven() && found.count(State.EXTRA) > 0)) {
            return ExitCode.OK;
        }
        output.say("  to repair it: sheaf pull " + found.bundle() + "@" + found.manifestDigest() + " -o "
                + ShellWord.of(target) + (found.count(State.CHANGED) + found.count(State.MODE) > 0 ? " --force" : "")
                + connection.typed());
        return ExitCode.INTEGRITY;
    }

    private Verification compareWithRegistry(Path target) {
        try (var client = connection.open()) {
            return client.verify(reference.get(), target);
        }
    }

    private LockEntry locked() {
        var locked = LockFile.read(lock.file());
        return locked.find(connection.url(), reference.get())
                .orElseThrow(() -> LockCommand.missing(reference.get(), connection, locked, lock, "verify"));
    }
}
